"""The main job in twenty seconds: a real client, the real server, a scratch home, nothing left.

Every answer is checked; a wrong one ends the demo with exit code 1 and a sentence.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent

DARK, DARK_AT_NIGHT, MEETING_AT_9, MEETING_AT_15, PYTEST, PYTEST_EVERYWHERE = range(1, 7)
STAGING, CPP, RELEASE = range(7, 10)

RELEASE_STEPS = (
    "A release starts with a green nightly build. The changelog is read by a second person. "
    "Then the version is tagged, the wheels are built on all three platforms, and the notes go "
    "out by mail on the same day. Nothing is released on a Friday afternoon."
)

FACTS = {
    DARK: ("tool_pref", "用户偏好使用深色主题和大字号"),
    DARK_AT_NIGHT: ("tool_pref", "用户偏好使用深色主题和大字号，晚上也一样"),
    MEETING_AT_9: ("workflow", "团队周会定在每周一 9 点"),
    MEETING_AT_15: ("workflow", "团队周会定在每周一 15 点"),
    PYTEST: ("coding_style", "Prefers pytest for unit tests"),
    PYTEST_EVERYWHERE: ("coding_style", "Prefers pytest for unit tests in every project"),
    STAGING: ("general", "The staging database listens on 10.0.42.7, port 5432"),
    CPP: ("general", "Hot paths are written in C++, the rest of the engine in Python"),
    RELEASE: ("workflow", RELEASE_STEPS),
}

TOOLS = ["fact_feedback", "fact_recall", "fact_store"]
HIT_KEYS = {"factId", "display", "category", "trustScore", "score"}

SEARCHES = [
    ("深色", {DARK, DARK_AT_NIGHT}, "a word of two characters"),
    ("团队的周会几点开？", {MEETING_AT_9, MEETING_AT_15}, "a question; both answers are shown"),
    ("10.0.42.7", {STAGING}, "an address"),
    ("C++", {CPP}, "a name that is mostly punctuation"),
    ("how do we run the tests", {PYTEST, PYTEST_EVERYWHERE}, "a question in English"),
]


class WrongAnswer(Exception):
    """The server answered, and the answer is not what the demo promises."""


def expect(promise: str, kept: object) -> None:
    if not kept:
        raise WrongAnswer(promise)


class Memory:
    """One connection of an MCP client; every method is one tool call."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self._client.call_tool(tool, arguments)
        block = result.content[0]
        expect(f"{tool} answers in text", isinstance(block, TextContent))
        assert isinstance(block, TextContent)
        reply = json.loads(block.text)
        expect(f"{tool} {arguments} succeeds, but: {reply}", not result.is_error)
        expect("text and structured content say the same", reply == result.structured_content)
        return reply

    async def store(self, action: str, **arguments: Any) -> dict[str, Any]:
        return await self.call("fact_store", action=action, **arguments)

    async def search(self, query: str, **arguments: Any) -> list[dict[str, Any]]:
        return (await self.call("fact_recall", query=query, **arguments))["results"]

    async def get(self, fact_id: int) -> dict[str, Any]:
        return (await self.call("fact_recall", action="get", fact_id=fact_id))["facts"][0]


def styled(code: str, text: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if sys.stdout.isatty() else text


def say(text: str = "") -> None:
    print(text, flush=True)


def title(text: str) -> None:
    say(f"\n{styled('1', text)}")


def aside(text: str) -> str:
    return styled("2", text)


async def remember(memory: Memory) -> None:
    title("1  Remember nine facts, in two languages")
    apart: list[int] = []
    for expected_id, (category, content) in FACTS.items():
        reply = await memory.store("add", content=content, category=category)
        expect(f"{content} is stored as fact {expected_id}", reply["fact_id"] == expected_id)
        expect(f"{content} is new", reply["status"] == "added")
        note = ""
        if reply.get("conflicts_with"):
            apart.append(expected_id)
            note = aside("  ← says something else than a fact before it; both are kept")
        elif reply.get("similar_to"):
            note = aside("  ← close to a fact before it")
        shown = content if len(content) <= 62 else f"{content[:60]}…"
        say(f"   {expected_id}  {shown}{note}")
    expect("15 o'clock is seen to contradict 9 o'clock", MEETING_AT_15 in apart)


async def find(memory: Memory) -> None:
    title("2  Find them again")
    for query, wanted, what in SEARCHES:
        hits = await memory.search(query, limit=len(wanted))
        found = {hit["factId"] for hit in hits}
        expect(f"a search for {query} finds facts {sorted(wanted)}, not {found}", found == wanted)
        expect(
            "a hit has five keys",
            set(hits[0]) == HIT_KEYS,
        )
        say(f"   {styled('36', query)}  {aside(what)}")
        for hit in hits:
            say(f"      {hit['score']:.4f}  {hit['display']}")


async def explain(memory: Memory) -> None:
    query = "unit tests in every project"
    title(f"3  Ask why: {styled('36', query)}")
    say(aside("      fact   (½ fts + ½ jaccard) × trust × length = score"))
    for hit in await memory.search(query, explain=True, limit=3):
        parts = {key: float(hit[key]) for key in ("fts", "jaccard", "penalty")}
        trust, score = float(hit["trustScore"]), float(hit["score"])
        relevance = (parts["fts"] + parts["jaccard"]) / 2
        product = relevance * trust * parts["penalty"]
        expect(f"the parts of {hit} make its score", abs(product - score) < 0.005)
        say(
            f"      {hit['factId']:>4}   ({parts['fts']:>5.3f} + {parts['jaccard']:>7.3f}) ÷ 2"
            f" × {trust:>5.2f} × {parts['penalty']:>6.2f} = {score:.4f}"
        )


async def rate(memory: Memory) -> None:
    title("4  Say that one of them helped")
    reply = await memory.call("fact_feedback", action="helpful", fact_id=PYTEST_EVERYWHERE)
    expect("a helpful fact gains trust", reply["newTrust"] > reply["oldTrust"])
    say(f"   fact {PYTEST_EVERYWHERE}: trust {reply['oldTrust']:.2f} → {reply['newTrust']:.2f}")


def told(report: dict[str, Any]) -> str:
    return ", ".join(f"{key} {report[key]}" for key in ("merged", "compressed", "reclassified"))


async def dream(memory: Memory, home: Path) -> None:
    title("5  Dream: first as a plan, then for real")
    plan = await memory.store("dream", dry_run=True)
    expect("a dry run changes nothing", (await memory.get(PYTEST))["status"] == "active")
    expect("a dry run needs no backup", plan["backup"] is None)
    say(f"   plan   {told(plan)}")

    report = await memory.store("dream")
    expect(f"what was planned is done: {report}", told(report) == told(plan))
    pairs = {(pair["kept"], pair["removed"]) for pair in report["merge_pairs"]}
    expect(
        f"two pairs are one: {pairs}", pairs == {(DARK_AT_NIGHT, DARK), (PYTEST_EVERYWHERE, PYTEST)}
    )
    expect("the long fact has a summary now", (await memory.get(RELEASE))["summary"])
    expect("the backup is there", any((home / "backup").glob("dream-*.db")))
    say(f"   done   {told(report)}; backup {Path(str(report['backup'])).name}")
    for pair in report["merge_pairs"]:
        kept, removed, alike = pair["kept"], pair["removed"], pair["similarity"]
        say(f"          fact {removed} is covered by fact {kept} ({alike:.2f} alike)")
    for fact_id in (MEETING_AT_9, MEETING_AT_15):
        expect(f"fact {fact_id} stays", (await memory.get(fact_id))["status"] == "active")
    say(f"          facts {MEETING_AT_9} and {MEETING_AT_15} stay two: 9 点 is not 15 点")

    again = await memory.store("dream")
    expect(
        f"a second dream has nothing to do: {again}",
        told(again) == "merged 0, compressed 0, reclassified 0",
    )
    say("   again  nothing left to do")


async def bring_back(memory: Memory) -> None:
    title("6  Change your mind")
    expect("a merged fact says so", (await memory.get(PYTEST))["status"] == "merged")
    reply = await memory.store("restore", fact_id=PYTEST)
    expect("a merged fact comes back", reply["restored"] and reply["from"] == "merged")
    fact = await memory.get(PYTEST)
    expect(
        "it comes back as it was",
        (fact["status"], fact["content"]) == ("active", FACTS[PYTEST][1]),
    )
    say(f"   fact {PYTEST} is back, word for word: {fact['content']}")


def environment(home: Path) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("MNEMO_")}
    return {**own, "MNEMO_HOME": str(home), "MNEMO_NO_AUTO": "1"}


def show_store(home: Path) -> None:
    title("7  The same store from the command line")
    say(aside("   $ mnemo list"))
    command = [sys.executable, "-m", "mnemo", "list"]
    shown = subprocess.run(command, env=environment(home), check=False, timeout=60)
    expect("mnemo list works", shown.returncode == 0)
    printed = subprocess.check_output([*command, "--json"], env=environment(home), timeout=60)
    listed = {fact["fact_id"] for fact in json.loads(printed)["facts"]}
    expect(f"all but the retired fact are listed: {listed}", listed == set(FACTS) - {DARK})


async def talk(memory: Memory, home: Path) -> None:
    await remember(memory)
    await find(memory)
    await explain(memory)
    await rate(memory)
    await dream(memory, home)
    await bring_back(memory)


async def main() -> None:
    with tempfile.TemporaryDirectory(prefix="mnemo-demo-") as folder:
        home = Path(folder)
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "mnemo", "serve"], env=environment(home)
        )
        log = home / "server.log"
        try:
            with log.open("w", encoding="utf-8") as errors:
                async with asyncio.timeout(120), Client(stdio_client(server, errors)) as client:
                    tools = sorted(tool.name for tool in (await client.list_tools()).tools)
                    expect(f"three tools, not {tools}", tools == TOOLS)
                    say(f"{styled('1', 'mnemo')} over stdio, MCP {client.protocol_version}")
                    await talk(Memory(client), home)
        except BaseException:
            sys.stderr.write(log.read_text(encoding="utf-8"))
            raise
        show_store(home)
    title("All answers were right, and the scratch store is gone.")


def cause_of(error: BaseException) -> BaseException:
    """The first error inside what the client's task groups wrapped around it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except Exception as error:
        cause = cause_of(error)
        sys.exit(f"{type(cause).__name__}: {cause}")
