"""Standard input and output, whatever they are connected to."""

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.doors import PROTOCOL, Place

CONTENT = "长内容" * 2_000
CALLS = 60


def session() -> bytes:
    """The lines of a session whose replies are far more than a pipe holds."""
    hello = {
        "protocolVersion": PROTOCOL,
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    }
    add = {"name": "fact_store", "arguments": {"action": "add", "content": CONTENT}}
    get = {"name": "fact_recall", "arguments": {"action": "get", "fact_id": 1}}
    requests = [("initialize", hello), ("tools/call", add), *[("tools/call", get)] * CALLS]
    lines = [
        {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        for number, (method, params) in enumerate(requests, start=1)
    ]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def assert_answered(output: bytes) -> None:
    replies = [json.loads(line) for line in output.splitlines()]
    assert [reply["id"] for reply in replies] == list(range(1, CALLS + 3))
    assert replies[-1]["result"]["structuredContent"]["facts"][0]["content"] == CONTENT


@pytest.fixture
def place(tmp_path: Path, cache: Path) -> Place:
    return Place(tmp_path, cache=cache)


def serve(place: Place, **streams: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "mnemo", "serve"],
        env=place.environment() | {"MNEMO_NO_AUTO": "1"},
        **streams,  # pyright: ignore[reportCallIssue, reportArgumentType]
    )


def test_a_client_that_reads_late_gets_every_reply(place: Place) -> None:
    with serve(place, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        output, _ = server.communicate(session(), timeout=60)
    assert_answered(output)


def test_a_session_may_come_from_a_file_and_go_to_a_file(place: Place, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(session())
    with (tmp_path / "in").open("rb") as given, (tmp_path / "out").open("wb") as taken:
        server = serve(place, stdin=given, stdout=taken)
        assert server.wait(timeout=60) == 0
    assert_answered((tmp_path / "out").read_bytes())


def test_a_session_may_go_over_a_pair_of_sockets(place: Place) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, serve(place, stdin=theirs, stdout=theirs) as server:
        theirs.close()
        stream = ours.makefile("rwb")
        stream.write(session())
        stream.flush()
        output = b"".join(stream.readline() for _ in range(CALLS + 2))
        stream.close()
        ours.close()
        assert server.wait(timeout=60) == 0
    assert_answered(output)


def test_what_anything_else_prints_lands_on_standard_error(place: Place) -> None:
    program = "import mnemo.pipes as p; p.standard_output(); print('stray', flush=True)"
    finished = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        env=place.environment(),
        timeout=60,
        check=True,
    )
    assert finished.stdout == b""
    assert finished.stderr.strip() == b"stray"
