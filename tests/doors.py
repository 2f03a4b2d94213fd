"""Two doors onto a running mnemo, and nothing of its insides: `ToolDoor` speaks MCP to a server
process over stdio, `CommandDoor` starts one process of the command line for every call. Both use
a home folder of their own and default settings, so the same scenario runs through either, and
would run against any program that keeps the same words.

`sql` opens the database file as any SQLite tool would: to arrange what no call can arrange (an old
date, a high counter, five thousand log rows), and to look at what a call left behind.

The protocol client here is our own and tiny: every line of standard output must be a JSON-RPC
message, every wait has a deadline, and nothing sleeps.
"""

import json
import os
import queue
import sqlite3
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, Self

Reply = dict[str, Any]

PROTOCOL = "2025-06-18"
DEADLINE = 60.0
"""Seconds for one answer; generous, since a loaded machine is no fault of the program."""

SOURCE = Path(__file__).resolve().parent.parent / "src"
FEEDBACK = ("helpful", "unhelpful")


class Place:
    """A scratch home folder, the environment that leads there, and the database file in it.

    `cache` is what the homes of one run share: a dictionary, which takes a second to make.
    """

    def __init__(self, folder: Path, *, cache: Path) -> None:
        self.folder = folder
        self.home = folder / ".mnemo"
        self.database = self.home / "facts.db"
        self.home.mkdir(mode=0o700)
        (self.home / "cache").symlink_to(cache, target_is_directory=True)

    def environment(self) -> dict[str, str]:
        """The variables a process gets: what a bare cron job has, and the home folder."""
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        return {
            **kept,
            "HOME": str(self.folder),
            "MNEMO_HOME": str(self.home),
            "PYTHONPATH": str(SOURCE),
        }

    def sql(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        """The rows of one statement, committed, on a connection that is closed again."""
        with closing(sqlite3.connect(self.database, timeout=DEADLINE)) as connection:
            rows = connection.execute(statement, parameters).fetchall()
            connection.commit()
        return rows


class ServerProcess:
    """One `mnemo serve`, with everything it said, in the order in which it came.

    `messages` holds what was read from standard output, `complaints` the lines of standard error.
    """

    def __init__(self, place: Place) -> None:
        self.messages: list[Reply] = []
        self.complaints: list[str] = []
        self._process = subprocess.Popen(
            [sys.executable, "-m", "mnemo", "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=place.environment(),
            cwd=place.folder,
            encoding="utf-8",
        )
        assert self._process.stdin
        self._stdin = self._process.stdin
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._heard = threading.Condition()
        self._threads = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_complaints, daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        self._last_id = 0

    def initialize(self) -> Reply:
        """The result of the handshake's first half; `initialized` is for the caller to send."""
        return self.request(
            "initialize",
            protocolVersion=PROTOCOL,
            capabilities={},
            clientInfo={"name": "scenarios", "version": "1"},
        )

    def request(self, method: str, **parameters: object) -> Reply:
        """The result of one request. A protocol error fails the test."""
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": parameters})
        while True:
            message = self._receive()
            if message.get("id") == self._last_id:
                assert "error" not in message, f"{method} was answered by {message}"
                return message["result"]

    def notify(self, method: str) -> None:
        """Send a notification: nothing answers it."""
        self._send({"method": method})

    def complaint(self, word: str) -> str:
        """The first line on standard error that holds `word`, in any case; waits for it."""

        def find() -> str | None:
            return next((line for line in self.complaints if word in line.lower()), None)

        with self._heard:
            assert self._heard.wait_for(find, timeout=DEADLINE), (
                f"nothing about {word!r} on standard error:\n{self._told()}"
            )
            line = find()
        assert line is not None
        return line

    def close(self) -> int:
        """End the session as a client does that goes away, and return the exit code."""
        self._stdin.close()
        try:
            code = self._process.wait(timeout=DEADLINE)
        finally:
            self._process.kill()
            for thread in self._threads:
                thread.join(timeout=DEADLINE)
            for pipe in (self._process.stdout, self._process.stderr):
                if pipe:
                    pipe.close()
        while not self._lines.empty():
            if line := self._lines.get_nowait():
                self._take(line)
        return code

    def _send(self, message: Reply) -> None:
        self._stdin.write(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False) + "\n")
        self._stdin.flush()

    def _receive(self) -> Reply:
        try:
            line = self._lines.get(timeout=DEADLINE)
        except queue.Empty:
            raise AssertionError(f"the server did not answer:\n{self._told()}") from None
        assert line is not None, f"the server went away:\n{self._told()}"
        return self._take(line)

    def _take(self, line: str) -> Reply:
        try:
            message = json.loads(line)
        except ValueError:
            raise AssertionError(f"standard output carried no JSON-RPC: {line!r}") from None
        assert message["jsonrpc"] == "2.0", message
        self.messages.append(message)
        return message

    def _read_output(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _read_complaints(self) -> None:
        assert self._process.stderr
        for line in self._process.stderr:
            with self._heard:
                self.complaints.append(line.rstrip("\n"))
                self._heard.notify_all()

    def _told(self) -> str:
        return "\n".join(self.complaints)


class Door(Place, ABC):
    """One way in. Actions bear the same names behind every door, and so do their arguments."""

    @abstractmethod
    def call(self, action: str, **arguments: object) -> Reply:
        """The reply to one action that succeeds."""

    @abstractmethod
    def refused(self, action: str, **arguments: object) -> Reply:
        """The error and the hint of one action that must fail."""

    def settle(self) -> None:
        """Return once nothing works in the background any more."""

    def close(self) -> None:
        """Leave, as a client does that is done; the next call comes back."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class ToolDoor(Door):
    """The tools of one server process, which starts with the first call, or before it is needed."""

    def __init__(self, folder: Path, *, cache: Path) -> None:
        super().__init__(folder, cache=cache)
        self._started: ServerProcess | None = None
        self._greeted = False

    def start(self) -> None:
        """Let a server get ready in the background, without a word to it."""
        self._started = ServerProcess(self)

    def call(self, action: str, **arguments: object) -> Reply:
        failed, reply = self._ask(action, arguments)
        assert not failed, f"{action} was refused: {reply}"
        return reply

    def refused(self, action: str, **arguments: object) -> Reply:
        failed, reply = self._ask(action, arguments)
        assert failed, f"{action} was not refused: {reply}"
        return reply

    def settle(self) -> None:
        self._server().complaint("learn")

    def close(self) -> None:
        server, self._started, self._greeted = self._started, None, False
        if server:
            assert server.close() == 0, "\n".join(server.complaints)

    def _server(self) -> ServerProcess:
        server = self._started = self._started or ServerProcess(self)
        if not self._greeted:
            server.initialize()
            server.notify("notifications/initialized")
            self._greeted = True
        return server

    def _ask(self, action: str, arguments: Mapping[str, object]) -> tuple[bool, Reply]:
        tool = "fact_feedback" if action in FEEDBACK else "fact_store"
        result = self._server().request(
            "tools/call", name=tool, arguments={"action": action, **arguments}
        )
        (block,) = result["content"]
        reply = json.loads(block["text"])
        assert result["structuredContent"] == reply, "half of the clients read only one of the two"
        return result.get("isError", False), reply


class CommandDoor(Door):
    """The command line: every call is a process of its own."""

    # What is typed as it is; every other argument is an option of the same name.
    POSITIONAL = ("fact_id", "fact_ids", "content", "query", "op", "entity", "entities")

    def call(self, action: str, **arguments: object) -> Reply:
        finished = self.run(*self._words(action, arguments))
        assert finished.returncode == 0, f"{action}: {finished.stderr}"
        return json.loads(finished.stdout)

    def refused(self, action: str, **arguments: object) -> Reply:
        finished = self.run(*self._words(action, arguments))
        assert finished.returncode != 0, f"{action} was not refused: {finished.stdout}"
        assert not finished.stdout, "an error goes to standard error"
        (line,) = finished.stderr.splitlines()
        assert line.startswith("error: "), line
        error, _, hint = line.removeprefix("error: ").partition(" (")
        return {"error": error, "hint": hint.removesuffix(")")}

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run `mnemo` with these words, standard output and error being pipes."""
        return subprocess.run(
            [sys.executable, "-m", "mnemo", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=self.environment(),
            cwd=self.folder,
            encoding="utf-8",
            timeout=DEADLINE,
            check=False,
        )

    def _words(self, action: str, arguments: Mapping[str, object]) -> list[str]:
        words = ["feedback", action] if action in FEEDBACK else [action]
        words.append("--json")
        typed: list[str] = []
        for name in sorted(arguments, key=self._rank):
            value = arguments[name]
            if name in self.POSITIONAL and (name != "query" or action not in FEEDBACK):
                typed += map(str, value) if isinstance(value, list) else [str(value)]
            else:
                words += self._option(name, value)
        return [*words, "--", *typed] if typed else words

    def _rank(self, name: str) -> int:
        return self.POSITIONAL.index(name) if name in self.POSITIONAL else -1

    @staticmethod
    def _option(name: str, value: object) -> Sequence[str]:
        flag = "--" + name.replace("_", "-")
        if isinstance(value, bool):
            return [flag if value else flag.replace("--", "--no-", 1)]
        if isinstance(value, list):
            return [f"{flag}={','.join(map(str, value))}"]
        return [f"{flag}={value}"]
