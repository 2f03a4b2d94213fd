"""The servers that are compared, and a raw pipe to each."""

import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MNEMO = [sys.executable, "-m", "mnemo", "serve"]
SMALLEST = [sys.executable, str(Path(__file__).with_name("smallest_server.py"))]
ECHO = [sys.executable, str(Path(__file__).with_name("echo_server.py"))]

INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Connection:
    """A server process and its two pipes; messages are lines of JSON."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
        self._last_id = 0

    def notify(self, method: str) -> None:
        self._send({"jsonrpc": "2.0", "method": method})

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of one request; messages of the server's own in between are passed over."""
        self._last_id += 1
        self._send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params})
        assert self.process.stdout
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self._last_id:
                return message["result"]
        raise RuntimeError(f"the server ended before it answered {method}")

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def resident_mib(self) -> float | None:
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            return None
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(fields["VmRSS"].split()[0]) / 1024

    def close(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


@contextmanager
def connected(command: list[str], environment: dict[str, str]) -> Generator[Connection]:
    connection = Connection(command, environment)
    try:
        yield connection
    finally:
        connection.close()


def scratch_environment(home: str) -> dict[str, str]:
    """The environment of a server whose store lies in ``home``."""
    environment = {**os.environ, "MNEMO_HOME": home}
    environment.pop("MNEMO_DB_PATH", None)
    return environment
