"""The wire: what a line is answered with, how arguments are read, how much an answer says."""

import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doors import DEADLINE, PROTOCOL, Door, Place, Reply, ServerProcess

pytestmark = pytest.mark.process

INITIALIZE: Reply = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": PROTOCOL,
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    },
}
WITHOUT_HANDSHAKE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
}
# What the tightest clients show of one answer.
MOST_CHARS, MOST_BYTES = 40_000, 48_000

# Lines that are no message, the id under which each is answered, and the code.
BROKEN: tuple[tuple[bytes, object, int], ...] = (
    (b"{bad", None, -32700),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call",', 7, -32700),
    (b"\xff\xfe x", None, -32700),
    (b"[" * 100_000, None, -32700),
    (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', None, -32600),
    (b"[]", None, -32600),
    (b"5", None, -32600),
    (b"{}", None, -32600),
    (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', None, -32600),
    (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', None, -32600),
    (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', None, -32600),
    (b'{"id": 3, "method": "ping"}', 3, -32600),
    (b'{"jsonrpc": "2.0", "id": 4, "method": 5}', 4, -32600),
    (b'{"jsonrpc": "2.0", "id": 5}', 5, -32600),
    (b'{"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": "x"}', "a", -32600),
    (
        b'{"jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": {"name": "fact_recall", '
        b'"arguments": {"query": "x", "deep": ' + b"[" * 400 + b"]" * 400 + b"}}}",
        6,
        -32600,
    ),
    (b'{"jsonrpc": "2.0", "id": 8, "method": "no/such"}', 8, -32601),
    (b'{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {}}', 9, -32602),
)
# Notifications that make no sense; nothing answers a notification.
SENSELESS: tuple[bytes, ...] = (
    b"   ",
    b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": [1]}}',
    b'{"jsonrpc": "2.0", "method": "notifications/cancelled"}',
    b'{"jsonrpc": "2.0", "method": "notifications/no_such", "params": {"a": 1}}',
    b'{"jsonrpc": "2.0", "id": 77, "result": 5}',
)


# Two hundred commands, each with a connection of its own, without starting Python for each.
COMMANDS = """
import sys
from mnemo.cli.main import main
for number in range(200):
    sys.argv = ["mnemo", "add", f"shelf {number} holds {number} books"]
    try:
        main()
    except SystemExit as end:
        if end.code:
            raise
"""


class Client:
    """The other end of a server's pipes, which sends any line and sees every byte."""

    def __init__(self, place: Place) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mnemo", "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=place.environment(),
        )
        # A server whose answer never comes ends, and the test with it.
        self._deadline = threading.Timer(DEADLINE, self.process.kill)
        self._deadline.start()
        self.text = ""

    def send(self, line: bytes | Reply) -> None:
        assert self.process.stdin
        raw = line if isinstance(line, bytes) else json.dumps(line).encode()
        self.process.stdin.write(raw + b"\n")
        self.process.stdin.flush()

    def read(self) -> Reply:
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())

    def ask(self, line: bytes | Reply) -> Reply:
        self.send(line)
        return self.read()

    def call(self, tool: str, **arguments: object) -> Reply:
        """The reply of a call that succeeds; its text stays in `text`."""
        result = self.ask(called(2, tool, **arguments))["result"]
        assert result["isError"] is False, result
        return self._both(result)

    def refused(self, tool: str, **arguments: object) -> Reply:
        result = self.ask(called(2, tool, **arguments))["result"]
        assert result["isError"] is True, result
        return self._both(result)

    def _both(self, result: Reply) -> Reply:
        (block,) = result["content"]
        assert block["type"] == "text"
        assert json.loads(block["text"]) == result["structuredContent"]
        self.text = block["text"]
        return result["structuredContent"]

    def close(self) -> int:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.stdout.close()
        self._deadline.cancel()
        return self.process.wait(timeout=DEADLINE)


@pytest.fixture
def place(tmp_path: Path, cache: Path) -> Place:
    return Place(tmp_path, cache=cache)


@pytest.fixture
def client(place: Place) -> Iterator[Client]:
    """A client that has shaken hands with a server over a fresh memory."""
    opened = greeted(place)
    yield opened
    opened.close()


def greeted(place: Place) -> Client:
    client = Client(place)
    client.ask(INITIALIZE)
    client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    return client


def called(number: int, tool: str, **arguments: object) -> Reply:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


# -- what a client sees first -------------------------------------------------------------


def test_the_tools_are_few_flat_and_short(place: Place) -> None:
    """WHEN a client asks what there is, THEN it gets three tools in at most 6000 characters, whose
    arguments have plain types, with true annotations, and instructions whose first 240 characters
    say when to use each.
    """
    server = ServerProcess(place)
    instructions = server.initialize()["instructions"]
    listed = server.request("tools/list")
    assert server.close() == 0

    assert len(json.dumps(listed, ensure_ascii=False)) <= 6000
    names = [tool["name"] for tool in listed["tools"]]
    assert names == ["fact_store", "fact_recall", "fact_feedback"]
    for tool in listed["tools"]:
        schema = tool["inputSchema"]
        assert schema["type"] == "object"
        assert "$defs" not in schema
        for field in schema["properties"].values():
            assert field["type"] in {"string", "integer", "number", "boolean", "array"}
            assert field.get("items", {"type": "string"})["type"] in {"string", "integer"}
        assert tool["annotations"]["readOnlyHint"] is (tool["name"] == "fact_recall")
        assert tool["annotations"]["destructiveHint"] is False
        assert tool["annotations"]["openWorldHint"] is False
    assert len(instructions) <= 1200
    for name in names:
        assert name in instructions[:240]


def test_a_client_with_a_handshake_is_served(client: Client) -> None:
    """WHEN a client shakes hands, THEN its calls are answered, and a recall needs no action."""
    added = client.call("fact_store", action="add", content="The kettle is in the kitchen")

    assert added == {"fact_id": 1, "status": "added", "category": "general"}
    assert client.call("fact_recall", query="kettle")["results"][0]["factId"] == 1
    assert client.call("fact_feedback", action="helpful", fact_id=1)["newTrust"] == 0.55


def test_a_client_without_a_handshake_is_served(place: Place) -> None:
    """WHEN a client of the later protocol calls without a handshake, THEN it is told the version
    that it asked for, and its calls are answered.
    """
    client = Client(place)
    params: Reply = {"_meta": WITHOUT_HANDSHAKE}

    discovered = client.ask(
        {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": params}
    )
    line = called(2, "fact_store", action="add", content="no handshake here")
    line["params"] |= params
    added = client.ask(line)

    assert "2026-07-28" in discovered["result"]["supportedVersions"]
    assert added["result"]["structuredContent"]["status"] == "added"
    assert client.close() == 0


def test_every_answer_is_whole_in_both_blocks(client: Client) -> None:
    """WHEN any action is called, whether it succeeds or is refused, THEN the one text block holds
    the whole answer as JSON, the structured content holds the same, and a refusal is marked as an
    error with a sentence and a hint.
    """
    store = "fact_store"
    client.call(store, action="add", content="深色主题 \N{CAT FACE} <b>", tags="a,b")
    for action in ("list", "learn", "audit", "dream", "status"):
        client.call(store, action=action)
    client.call(store, action="get", fact_id=1)
    client.call(store, action="search", query="深色", detail="full", explain=True)
    assert "深色主题 \N{CAT FACE} <b>" in client.text
    client.call(store, action="update", fact_id=1, trust_delta=0.1)
    client.call(store, action="remove", fact_id=1)
    client.call(store, action="restore", fact_id=1)
    client.call("fact_feedback", action="unhelpful", fact_id=1)

    refusal = client.refused(store, action="restore", fact_id=1)
    assert set(refusal) == {"error", "hint"}
    assert all(refusal.values())


# -- how arguments are read ---------------------------------------------------------------


def test_other_names_of_arguments_are_understood(tool: Door) -> None:
    """WHEN a call uses text, topK, minWeight, fp, dryRun, includeArchived or the action query, THEN
    it means content or query, limit, a twentieth as min_trust, fact_id, dry_run, include_archived
    and search.
    """
    tool.call("add", text="The kettle is in the kitchen")
    tool.call("add", text="The kettle is blue")
    tool.sql("UPDATE facts SET trust_score = 0.9 WHERE fact_id = 2")
    tool.sql("INSERT INTO facts(content, status) VALUES ('The old kettle', 'archived')")

    def found(**arguments: object) -> list[int]:
        hits = tool.call("query", text="kettle", **arguments)["results"]
        return [hit["factId"] for hit in hits]

    assert sorted(found()) == [1, 2]
    assert len(found(topK=1)) == 1
    assert found(minWeight=11) == [2]
    assert found(minWeight=0.6) == [2]
    assert sorted(found(minWeight=10)) == [1, 2]
    assert sorted(found(includeArchived=True)) == [1, 2, 3]
    assert tool.call("get", fp=2)["facts"][0]["content"] == "The kettle is blue"
    assert tool.call("learn", dryRun=True)["dry_run"] is True
    assert tool.call("update", fp=1, text="The kettle is green")["updated"] is True
    assert tool.call("get", fact_id=1)["facts"][0]["content"] == "The kettle is green"


def test_numbers_truths_and_lists_may_come_as_texts(tool: Door) -> None:
    """WHEN numbers, truths and lists are written as texts, or a list stands in the place of one
    value, THEN they are read as what they mean.
    """
    several = tool.call("add", content='["The kettle is blue", "Cups are on the shelf"]')
    assert [reply["fact_id"] for reply in several["results"]] == [1, 2]
    tagged = tool.call("add", content=["Tea is green"], tags='["tea", "home"]')
    assert tagged["results"][0]["fact_id"] == 3

    assert tool.call("get", fact_id="3")["facts"][0]["tags"] == ["tea", "home"]
    for ids in ("[1, 2]", "1, 2", ["1", "2"], [1, 2]):
        assert tool.call("get", fact_ids=ids)["count"] == 2
    assert tool.call("get", fact_id=[1, 2])["count"] == 2
    (hit,) = tool.call("search", query="kettle", limit="1", min_trust="0.5", explain="true")[
        "results"
    ]
    assert "relevance" in hit
    tool.call("update", fact_id="3", trust_delta="0.2", clear="tags")
    (fact,) = tool.call("get", fact_id=3)["facts"]
    assert (fact["trust_score"], fact["tags"]) == (0.7, [])
    assert tool.call("learn", dry_run="True")["dry_run"] is True


def test_what_says_nothing_was_not_given(tool: Door) -> None:
    """WHEN a client fills what it leaves out with null, the word null, an empty text or an empty
    list, THEN the defaults hold, and an update empties nothing; only clear does.
    """
    nothing = {"category": "null", "tags": None, "summary": "null", "source": "", "date": None}
    tool.call("add", content="The kettle is blue", contents=[], **nothing)
    tool.call("update", fact_id=1, summary="Kettle", tags="tea", date="2026-05-14")
    before = tool.call("get", fact_id=1)["facts"][0]
    assert (before["category"], before["summary"]) == ("general", "Kettle")

    tool.call(
        "update",
        fact_id=1,
        trust_delta=0.1,
        content=None,
        summary="",
        tags=[],
        date="null",
        clear=[],
    )
    after = tool.call("get", fact_id=1, fact_ids=None)["facts"][0]

    changed = {"trust_score": 0.6, "updated_at": after["updated_at"]}
    assert after == before | changed
    reply = tool.call("search", query="kettle", limit="null", min_trust=None, category="")
    assert reply["count"] == 1
    assert tool.call("list", status="null", offset=None)["total"] == 1


def test_what_means_nothing_is_named(tool: Door) -> None:
    """WHEN a call has keys that no action knows, or that its own action does not look at, THEN it
    goes on and the reply names them in warnings; those that clients add by themselves are passed
    over.
    """
    added = tool.call("add", content="The kettle is blue", colour="blue", categroy="identity")
    listed = tool.call("list", query="kettle")

    assert added["status"] == "added"
    (warning,) = added["warnings"]
    assert "colour" in warning
    assert "categroy" in warning
    (warning,) = listed["warnings"]
    assert "query" in warning
    quiet = tool.call("search", query="kettle", mode="fast", wait_for_previous=True)
    assert "warnings" not in quiet


def test_a_value_of_the_wrong_kind_is_refused_in_plain_words(tool: Door) -> None:
    """WHEN a value cannot be read as what its field needs, THEN the call is refused with one
    sentence that names the field and the value, and nothing was done.
    """
    tool.call("add", content="The kettle is blue")
    for action, name, value, said in (
        ("search", "limit", "many", "many"),
        ("search", "limit", 1.5, "1.5"),
        ("search", "limit", 0, "0"),
        ("search", "limit", True, "true"),
        ("search", "min_trust", "high", "high"),
        ("search", "min_trust", 7, "7"),
        ("search", "explain", "maybe", "maybe"),
        ("search", "detail", "half", "half"),
        ("search", "category", "tools", "tools"),
        ("search", "query", {"a": 1}, '{"a": 1}'),
        ("list", "offset", -1, "-1"),
        ("list", "status", "lost", "lost"),
        ("get", "fact_id", "one", "one"),
        ("get", "fact_ids", [1, "x"], "x"),
        ("add", "content", {"a": 1}, '{"a": 1}'),
        ("add", "date", "someday", "someday"),
        ("update", "clear", "content", "content"),
    ):
        arguments = {"query": "kettle", "content": "x", "fact_id": 1} | {name: value}
        refusal = tool.refused(action, **arguments)
        assert name.rstrip("s") in refusal["error"] or name in ("clear", "date"), refusal
        assert said in refusal["error"], refusal
        assert "\n" not in refusal["error"]
        assert "pydantic" not in refusal["error"]
    assert tool.call("list")["total"] == 1


def test_an_unknown_id_action_or_tool_is_refused_by_name(client: Client) -> None:
    """WHEN a call names a fact, an action or a tool that does not exist, or leaves out what it
    needs, THEN it is refused with that name and a hint, and the next call works.
    """
    for tool, arguments, named in (
        ("fact_store", {"action": "get", "fact_id": 4711}, "4711"),
        ("fact_store", {"action": "remove", "fact_id": 10**30}, str(10**30)),
        ("fact_store", {"action": "forget"}, "forget"),
        ("fact_store", {}, "action"),
        ("fact_store", {"action": "add"}, "content"),
        ("fact_recall", {}, "query"),
        ("fact_recall", {"action": "remove", "fact_id": 1}, "remove"),
        ("fact_feedback", {"action": "helpful"}, "fact_id"),
    ):
        refusal = client.refused(tool, **arguments)
        assert named in refusal["error"]
        assert refusal["hint"]
    for action in ("search", "get", "list"):
        assert action in client.refused("fact_recall", action="forget")["hint"]

    result = client.ask(called(9, "forget_everything"))["result"]
    assert result["isError"] is True
    assert "forget_everything" in result["content"][0]["text"]
    assert client.call("fact_recall", action="list")["total"] == 0


# -- lines --------------------------------------------------------------------------------


def test_a_line_that_is_no_message_is_answered(client: Client) -> None:
    """WHEN a line is no JSON, no object, a batch, nested too deep, without a method, or has an id
    that cannot be one, THEN it is answered with an error, under its id where it has one, and the
    next call works; blank lines and notifications without sense are passed over.
    """
    for line, answered_id, code in BROKEN:
        reply = client.ask(line)
        assert (reply["id"], reply["error"]["code"]) == (answered_id, code), line[:80]
        assert client.call("fact_recall", query="anything")["results"] == []
    for line in SENSELESS:
        client.send(line)
        assert client.call("fact_recall", query="anything")["results"] == []


def test_half_of_a_surrogate_pair_becomes_a_replacement_character(client: Client) -> None:
    """WHEN a text was cut in the middle of an emoji, or holds bytes that are no UTF-8, THEN what is
    left of the character becomes U+FFFD, and the rest is stored and found.
    """
    for number, half in enumerate((rb"\ud83d", rb"\uDE00", b"\xf0\x9f"), start=1):
        line = (
            rb'{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "fact_store",'
            rb' "arguments": {"action": "add", "content": "cut %s here, number %d"}}}'
        )
        reply = client.ask(line % (half, number))["result"]["structuredContent"]
        assert (reply["status"], reply["fact_id"]) == ("added", number)

    facts = client.call("fact_recall", action="get", fact_ids=[1, 2, 3])["facts"]
    for number, fact in enumerate(facts, start=1):
        assert re.fullmatch(f"cut \ufffd+ here, number {number}", fact["content"])
    assert client.call("fact_recall", query="cut \ud83d here")["count"] == 3


def test_a_burst_of_calls_is_answered_in_order(client: Client) -> None:
    """WHEN twenty calls are sent without waiting, THEN they are answered in the order in which they
    were sent, and done in that order.
    """
    for number in range(10, 30):
        client.send(called(number, "fact_store", action="add", content=f"box {number}"))

    replies = [client.read() for _ in range(20)]

    assert [reply["id"] for reply in replies] == list(range(10, 30))
    ids = [reply["result"]["structuredContent"]["fact_id"] for reply in replies]
    assert ids == list(range(1, 21))


# -- how much an answer says --------------------------------------------------------------


def test_a_long_list_comes_in_pages_that_clients_show(client: Client, place: Place) -> None:
    """WHEN a list is asked for that is far longer than clients show, THEN each answer stays below
    40 000 characters and 48 000 bytes, says how many facts there are and at which offset it goes
    on, and the pages hold every fact once.
    """
    client.call("fact_store", action="list")
    place.sql(
        "WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 250) "
        "INSERT INTO facts(content) SELECT n || replace(hex(zeroblob(60)), '00', '汉字很多很') "
        "FROM counted"
    )

    shown: list[int] = []
    offset: int | None = 0
    while offset is not None:
        page = client.call("fact_recall", action="list", limit=500, offset=offset)
        assert_shown_whole(client.text)
        assert (page["total"], page["count"]) == (250, len(page["facts"]))
        assert all(len(fact["content"]) > 300 for fact in page["facts"])
        shown += [fact["fact_id"] for fact in page["facts"]]
        more = [note for note in page.get("notes", ()) if note.startswith("more: offset=")]
        offset = int(more[0].partition("=")[2]) if more else None

    assert len(shown) == len(set(shown)) == 250


def test_a_long_fact_comes_in_parts_that_join_to_the_whole(client: Client) -> None:
    """WHEN a fact is longer than clients show, THEN each answer stays below 40 000 characters and
    48 000 bytes and names the content_offset at which it goes on, and the parts join to the whole;
    a search that shows whole facts, and a fact whose other fields are long, stay below as well.
    """
    content = "".join(chr(0x4E00 + i * 7 % 5000) for i in range(20_000))
    client.call("fact_store", action="add", content=content, summary="长文")
    client.call(
        "fact_store",
        action="add",
        content="长文之二",
        summary="字" * 30_000,
        tags=["标" * 9000] * 2,
    )

    parts: list[str] = []
    offset: int | None = 0
    while offset is not None:
        fact = client.call("fact_recall", action="get", fact_id=1, content_offset=offset)["facts"][
            0
        ]
        assert_shown_whole(client.text)
        parts.append(fact["content"])
        offset = fact.get("content_next")

    assert "".join(parts) == content
    assert len(parts) > 1
    for arguments in (
        {"query": "长文", "detail": "full"},
        {"action": "get", "fact_ids": [1, 2]},
        {"action": "get", "fact_id": 2},
    ):
        client.call("fact_recall", **arguments)
        assert_shown_whole(client.text)
    client.refused("fact_store", action="add", content="x", category="c" * 100_000)
    assert_shown_whole(client.text)


def assert_shown_whole(text: str) -> None:
    assert len(text) < MOST_CHARS
    assert len(text.encode()) < MOST_BYTES


# -- the process --------------------------------------------------------------------------


def test_standard_output_carries_the_protocol_alone(place: Place) -> None:
    """WHEN every action runs, some of them refused, and the upkeep after startup as well, THEN each
    line of standard output is the answer to one request, in order, and nothing else.
    """
    server = ServerProcess(place)
    server.initialize()
    server.notify("notifications/initialized")
    server.request("tools/list")
    requests = 2
    for tool, arguments in (
        ("fact_store", {"action": "add", "content": "用户偏好深色主题"}),
        ("fact_store", {"action": "add", "contents": ["用户偏好深色主题的编辑器", "x" * 600]}),
        ("fact_recall", {"query": "深色"}),
        ("fact_recall", {"query": "nothing of the kind", "explain": True}),
        ("fact_recall", {"action": "get", "fact_id": 1}),
        ("fact_recall", {"action": "list"}),
        ("fact_feedback", {"action": "helpful", "fact_id": 1}),
        ("fact_feedback", {"action": "unhelpful", "fact_ids": [1, 99]}),
        ("fact_store", {"action": "update", "fact_id": 1, "tags": "ui"}),
        ("fact_store", {"action": "remove", "fact_id": 1}),
        ("fact_store", {"action": "restore", "fact_id": 1}),
        ("fact_store", {"action": "learn"}),
        ("fact_store", {"action": "learn", "dry_run": True}),
        ("fact_store", {"action": "dream", "dry_run": True}),
        ("fact_store", {"action": "dream"}),
        ("fact_store", {"action": "audit"}),
        ("fact_store", {"action": "status"}),
        ("fact_store", {"action": "forget"}),
        ("fact_store", {"action": "get", "fact_id": 99}),
    ):
        server.request("tools/call", name=tool, arguments=arguments)
        requests += 1
    server.complaint("learn")

    assert server.close() == 0
    assert [message.get("id") for message in server.messages] == list(range(1, requests + 1))


def test_calls_in_flight_are_answered_when_the_input_closes(client: Client, place: Place) -> None:
    """WHEN a client sends calls and closes its end at once, THEN each is still answered, and the
    server ends by itself with the exit code 0.
    """
    for number in range(10, 20):
        client.send(called(number, "fact_store", action="add", content=f"box {number}"))
    assert client.process.stdin
    client.process.stdin.close()

    assert client.process.stdout
    replies = [json.loads(line) for line in client.process.stdout]

    assert [reply["id"] for reply in replies] == list(range(10, 20))
    assert client.process.wait(timeout=DEADLINE) == 0
    assert place.sql("SELECT count(*) FROM facts") == [(10,)]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_and_loses_nothing(
    place: Place, client: Client, number: signal.Signals
) -> None:
    """WHEN the server gets SIGINT or SIGTERM, THEN it ends with the exit code 0, and what it had
    answered is in the database.
    """
    client.call("fact_store", action="add", content="kept over a signal")

    client.process.send_signal(number)

    assert client.process.wait(timeout=DEADLINE) == 0
    assert place.sql("SELECT content FROM facts") == [("kept over a signal",)]


def test_three_writers_lose_nothing(place: Place) -> None:
    """WHEN two servers and the command line write 200 facts each into one file at the same time,
    THEN no call fails, all 600 facts are there, and the index holds every one.
    """
    servers = [greeted(place), greeted(place)]
    failures: list[object] = []

    def one_by_one() -> None:
        for number in range(200):
            content = f"cable {number} lies in box {number}"
            reply = servers[0].call("fact_store", action="add", content=content)
            if reply["status"] != "added":
                failures.append(reply)

    def by_twenties() -> None:
        for first in range(0, 200, 20):
            contents = [f"第 {n} 号机柜在 {n} 室" for n in range(first, first + 20)]
            reply = servers[1].call("fact_store", action="add", contents=contents)
            failures.extend(each for each in reply["results"] if each.get("status") != "added")

    def by_command() -> None:
        finished = subprocess.run(
            [sys.executable, "-c", COMMANDS],
            capture_output=True,
            env=place.environment(),
            encoding="utf-8",
            timeout=DEADLINE,
            check=False,
        )
        if finished.returncode or finished.stderr:
            failures.append(finished)

    writers = [threading.Thread(target=each) for each in (one_by_one, by_twenties, by_command)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    codes = [server.close() for server in servers]

    assert failures == []
    assert codes == [0, 0]
    assert place.sql("SELECT count(*), count(DISTINCT content) FROM facts") == [(600, 600)]
    assert place.sql("SELECT count(*) FROM fact_tokens") == [(600,)]
    assert place.sql("SELECT count(*) FROM dirty") == [(0,)]
    assert place.sql("PRAGMA integrity_check") == [("ok",)]
