"""The server from within: what it opens, and what it loads before it is needed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.doors import PROTOCOL, Place

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


@pytest.fixture
def place(tmp_path: Path, cache: Path) -> Place:
    return Place(tmp_path, cache=cache)


NO_NETWORK = """
import sys
def refuse(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto"):
        raise OSError(f"{event} {arguments}")
sys.addaudithook(refuse)
from mnemo.cli.main import main
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
import mnemo.cli.main
memory = Memory()
memory.add(NewFact("Prefers pytest, at 10.0.0.1"))
memory.search("pytest")
memory.close()
"""
    loaded = loaded_by(place, imports)
    assert not loaded & {"mcp", "mcp_types", "anyio", "jieba", "marisa_trie", "rich"}
