"""The protocol itself: what a line is answered with, how the server starts and how it ends."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.doors import PROTOCOL, Place, ServerProcess

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": PROTOCOL,
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    },
}


class Pipe:
    """A server process at the other end of two raw pipes."""

    def __init__(self, place: Place) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mnemo", "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=place.environment(),
        )
        # A server whose answer never comes ends, and the test with it.
        self._deadline = threading.Timer(60, self.process.kill)
        self._deadline.start()

    def send(self, line: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def ask(self, line: bytes | dict[str, Any]) -> dict[str, Any]:
        self.send(line if isinstance(line, bytes) else json.dumps(line).encode())
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
        return self.ask(message)["result"]

    def close(self) -> int:
        self.process.communicate(timeout=30)
        self._deadline.cancel()
        return self.process.returncode


@pytest.fixture
def place(tmp_path: Path, cache: Path) -> Place:
    return Place(tmp_path, cache=cache)


@pytest.fixture
def pipe(place: Place) -> Iterator[Pipe]:
    opened = Pipe(place)
    opened.ask(INITIALIZE)
    opened.send(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("line", "answered_id", "code"),
    [
        (b"{bad", None, -32700),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call",', 7, -32700),
        (b"\xff\xfe x", None, -32700),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', None, -32600),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', None, -32600),
        (b'{"id": 3, "method": "ping"}', 3, -32600),
        (b'{"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": "x"}', "a", -32600),
        (b'{"jsonrpc": "2.0", "id": 4, "method": 5}', 4, -32600),
        (b"[" * 100_000, None, -32700),
        (b"5", None, -32600),
    ],
)
def test_a_line_that_is_no_message_is_answered_and_the_next_call_works(
    pipe: Pipe, line: bytes, answered_id: object, code: int
) -> None:
    reply = pipe.ask(line)
    assert reply["id"] == answered_id
    assert reply["error"]["code"] == code
    assert pipe.call("fact_recall", query="anything")["isError"] is False


def test_half_of_a_surrogate_pair_becomes_a_replacement_character(pipe: Pipe) -> None:
    line = (
        rb'{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "fact_store",'
        rb' "arguments": {"action": "add", "content": "cut \ud83d here"}}}'
    )
    assert pipe.ask(line)["result"]["structuredContent"]["status"] == "added"
    facts = pipe.call("fact_recall", action="list")["structuredContent"]["facts"]
    assert facts[0]["content"] == "cut \N{REPLACEMENT CHARACTER} here"


def test_blank_lines_are_passed_over(pipe: Pipe) -> None:
    pipe.send(b"")
    pipe.send(b"   ")
    assert pipe.call("fact_recall", query="anything")["isError"] is False


def test_a_burst_of_calls_is_answered_in_order(pipe: Pipe) -> None:
    for number in range(10, 30):
        arguments = {"action": "add", "content": f"fact number {number}"}
        params = {"name": "fact_store", "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        pipe.send(json.dumps(message).encode())
    assert pipe.process.stdout
    replies = [json.loads(pipe.process.stdout.readline()) for _ in range(20)]
    assert [reply["id"] for reply in replies] == list(range(10, 30))
    assert [r["result"]["structuredContent"]["fact_id"] for r in replies] == list(range(1, 21))


def test_an_unknown_tool_is_an_error_that_names_it(pipe: Pipe) -> None:
    result = pipe.call("forget_everything")
    assert result["isError"] is True
    assert "forget_everything" in result["content"][0]["text"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_and_what_was_answered_is_there(
    place: Place, pipe: Pipe, number: signal.Signals
) -> None:
    pipe.call("fact_store", action="add", content="kept over a signal")
    pipe.process.send_signal(number)
    assert pipe.close() == 0
    assert place.sql("SELECT content FROM facts") == [("kept over a signal",)]


def test_closing_the_input_ends_the_server(pipe: Pipe) -> None:
    pipe.call("fact_store", action="add", content="a fact")
    assert pipe.close() == 0


def test_the_tools_cost_a_conversation_less_than_six_thousand_characters(place: Place) -> None:
    server = ServerProcess(place)
    server.initialize()
    listed = server.request("tools/list")
    assert len(json.dumps(listed, ensure_ascii=False)) <= 6000
    for tool in listed["tools"]:
        schema = tool["inputSchema"]
        assert schema["type"] == "object"
        assert {field["type"] for field in schema["properties"].values()} <= {
            "string", "integer", "number", "boolean", "array",
        }  # fmt: skip
        assert tool["annotations"]["destructiveHint"] is False
        assert tool["annotations"]["openWorldHint"] is False
        assert tool["annotations"]["readOnlyHint"] is (tool["name"] == "fact_recall")
    server.close()


def test_the_instructions_say_it_all_in_their_first_240_characters(place: Place) -> None:
    server = ServerProcess(place)
    instructions = server.initialize()["instructions"]
    assert len(instructions) <= 1200
    for word in ("fact_recall", "fact_store", "fact_feedback"):
        assert word in instructions[:240]
    server.close()


def test_a_client_of_the_era_without_a_handshake_is_served(place: Place) -> None:
    pipe = Pipe(place)
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
    }
    discovered = pipe.ask(
        {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta}}
    )
    assert "2026-07-28" in discovered["result"]["supportedVersions"]
    arguments = {"action": "add", "content": "no handshake here"}
    params = {"name": "fact_store", "arguments": arguments, "_meta": meta}
    called = pipe.ask({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params})
    assert called["result"]["structuredContent"]["status"] == "added"
    assert pipe.close() == 0


NO_NETWORK = """
import sys
def refuse(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto"):
        raise OSError(f"{event} {arguments}")
sys.addaudithook(refuse)
from mnemo.cli import main
main()
"""


def test_a_whole_session_opens_no_connection_and_listens_nowhere(place: Place) -> None:
    lines = [
        INITIALIZE,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        *(
            {
                "jsonrpc": "2.0",
                "id": number,
                "method": "tools/call",
                "params": {"name": "fact_store", "arguments": arguments},
            }
            for number, arguments in enumerate(
                [
                    {"action": "add", "content": "用户偏好深色主题"},
                    {"action": "search", "query": "深色"},
                    {"action": "learn"},
                    {"action": "dream"},
                    {"action": "audit"},
                ],
                start=2,
            )
        ),
    ]
    finished = subprocess.run(
        [sys.executable, "-c", NO_NETWORK, "serve"],
        input="\n".join(map(json.dumps, lines)) + "\n",
        capture_output=True,
        env=place.environment(),
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    replies = [json.loads(line) for line in finished.stdout.splitlines()]
    assert [reply["id"] for reply in replies] == [1, 2, 3, 4, 5, 6]
    assert not any(reply["result"].get("isError") for reply in replies)


LOADED = """
import sys
{imports}
print(*sorted(sys.modules))
"""


def loaded_by(place: Place, imports: str) -> set[str]:
    """The modules that a fresh process has loaded after these statements."""
    finished = subprocess.run(
        [sys.executable, "-c", LOADED.format(imports=imports)],
        capture_output=True,
        env=place.environment(),
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    return set(finished.stdout.split())


def test_the_server_answers_the_handshake_before_it_knows_a_database(place: Place) -> None:
    loaded = loaded_by(place, "import mnemo.server")
    assert not loaded & {"sqlite3", "jieba", "marisa_trie", "snowballstemmer", "mnemo.memory"}


def test_the_command_line_loads_neither_the_protocol_nor_a_dictionary_without_need(
    place: Place,
) -> None:
    imports = """
from mnemo.memory import Memory
from mnemo.writing.add import NewFact
import mnemo.cli
memory = Memory()
memory.add(NewFact("Prefers pytest, at 10.0.0.1"))
memory.search("pytest")
memory.close()
"""
    loaded = loaded_by(place, imports)
    assert not loaded & {"mcp", "mcp_types", "anyio", "jieba", "marisa_trie", "rich"}
