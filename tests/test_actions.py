"""One call of a tool, from loose arguments to plain JSON values."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import pytest

from mnemo.actions import call
from mnemo.dream.cycle import Caller, run_dream
from mnemo.enums import Actor
from mnemo.errors import InvalidInput, MnemoError
from mnemo.memory import Memory
from mnemo.settings import Settings
from mnemo.store import Store

Ask = Callable[..., dict[str, Any]]
NOW = datetime(2026, 5, 14, 12, tzinfo=UTC)


@pytest.fixture
def ask(settings: Settings) -> Iterator[Ask]:
    memory = Memory(settings, clock=lambda: NOW)

    def asked(action: str, *, fit: bool = False, **arguments: object) -> dict[str, Any]:
        return call(memory, "fact_store", {"action": action} | arguments, fit=fit)

    yield asked
    memory.close()


def test_one_statement_beside_several_is_stored_with_them(ask: Ask) -> None:
    assert ask("add", content="one", contents=["two", "three"])["count"] == 3
    assert [fact["content"] for fact in ask("get", fact_id=1, fact_ids=[2, 3])["facts"]] == [
        "one", "two", "three",
    ]  # fmt: skip


def test_each_of_several_statements_has_a_summary_of_its_own(ask: Ask) -> None:
    ask("add", contents=["the first", "the second"], summaries=["1st", ""])
    assert [f["summary"] for f in ask("get", fact_ids=[1, 2])["facts"]] == ["1st", None]
    with pytest.raises(InvalidInput, match="1 summaries"):
        ask("add", contents=["the third", "the fourth"], summary="not for both")
    assert ask("list")["total"] == 2


def test_every_item_of_a_call_for_many_is_told_of_even_when_the_whole_does_not_fit(
    ask: Ask,
) -> None:
    texts = [f"{number} " + "很长的内容 " * 120 for number in range(200)]
    answer = ask("add", fit=True, contents=texts)
    assert answer["count"] == 200
    assert [item["fact_id"] for item in answer["results"]] == list(range(1, 201))


def test_a_fact_that_comes_back_takes_what_the_call_brings(ask: Ask) -> None:
    ask("add", content="a fact")
    ask("remove", fact_id=1)
    ask("add", content="a fact", summary="short", tags="a,b", date="2026-05-01")
    [fact] = ask("get", fact_id=1)["facts"]
    assert (fact["summary"], fact["tags"], fact["date"]) == ("short", ["a", "b"], "2026-05-01")


@pytest.mark.parametrize("date", ["20260514T120000", "1715000000.5", "2026-W20-4", "2026-02-30"])
def test_what_names_no_day_is_refused_as_a_date(ask: Ask, date: str) -> None:
    with pytest.raises(InvalidInput, match="not a date"):
        ask("add", content="a fact", date=date)


def test_the_newest_retired_twin_with_the_same_text_comes_back(ask: Ask) -> None:
    ask("add", content="A")
    ask("remove", fact_id=1)
    ask("add", content="A!")
    ask("remove", fact_id=2)
    reply = ask("add", content="A!")
    assert (reply["fact_id"], reply["status"]) == (2, "restored")


def test_an_update_says_when_the_fact_is_out_of_sight_or_its_summary_is_long(ask: Ask) -> None:
    ask("add", content="a fact")
    assert ask("update", fact_id=1, summary="s" * 400)["hints"]
    ask("remove", fact_id=1)
    assert "removed" in ask("update", fact_id=1, tags="x")["note"]


def test_taking_the_summary_from_a_long_fact_warns(ask: Ask) -> None:
    ask("add", content="long " * 150, summary="short")
    assert ask("update", fact_id=1, clear=["summary"])["warnings"]


def test_archived_hits_are_named(ask: Ask, settings: Settings) -> None:
    ask("add", content="kept in the archive")
    with closing(sqlite3.connect(settings.database)) as other:
        other.execute("UPDATE facts SET status = 'archived'")
        other.commit()
    assert ask("search", query="archive", include_archived=True)["notes"] == ["archived: 1"]


def test_an_update_takes_one_fact(ask: Ask) -> None:
    with pytest.raises(InvalidInput, match="one fact at a time"):
        ask("update", fact_id=[1, 2], tags="x")


@pytest.mark.parametrize(
    "arguments",
    [
        {"action": "get", "fact_id": "x"},
        {"action": "list", "limit": True},
        {"action": "search", "query": "x", "min_trust": 3},
        {"action": "update", "fact_id": 1, "trust_delta": "NaN"},
    ],
)
def test_every_refusal_says_what_to_do(ask: Ask, arguments: dict[str, Any]) -> None:
    ask("add", content="a fact")
    with pytest.raises(MnemoError) as refused:
        ask(**arguments)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("column", "value"),
    [("trust_score", "high"), ("retrieval_count", "many"), ("helpful_count", 1.5),
     ("flags", "x"), ("summary", b"\xff"), ("tags", b"a,b"), ("category", 7)],
)  # fmt: skip
def test_a_value_of_the_wrong_kind_from_another_program_stops_nothing(
    ask: Ask, settings: Settings, column: str, value: object
) -> None:
    ask("add", content="a sound fact")
    with closing(sqlite3.connect(settings.database)) as other:
        other.execute(f"INSERT INTO facts(content, {column}) VALUES ('an odd fact', ?)", (value,))
        other.commit()
    assert ask("list")["total"] == 2
    assert ask("search", query="fact")["count"] == 2
    for action in ("audit", "learn", "dream", "status"):
        ask(action)


def test_a_dream_leaves_a_fact_that_changed_after_it_was_planned(
    ask: Ask, settings: Settings
) -> None:
    sentences = (
        "The build runs every night at three. It takes an hour. " + "More is said here. " * 12
    )
    ask("add", contents=[f"{n}: {sentences}" for n in range(150)])
    with closing(Store(settings.database, now=NOW)) as store:

        def meanwhile() -> None:
            ask("update", fact_id=150, summary="my own words")

        run_dream(store, Caller(NOW, Actor.USER, "s", meanwhile))
    assert ask("get", fact_id=150)["facts"][0]["summary"] == "my own words"


def test_a_list_may_be_of_facts_with_a_text_in_them_or_of_pinned_ones(
    ask: Ask, settings: Settings
) -> None:
    ask("add", contents=["Prefers pytest", "100% of 用户数据", "another"])
    assert [f["fact_id"] for f in ask("list", q="PYTEST")["facts"]] == [1]
    assert [f["fact_id"] for f in ask("list", q="100%")["facts"]] == [2]
    assert ask("list", q="%")["total"] == 1
    with closing(sqlite3.connect(settings.database)) as other:
        other.execute("UPDATE facts SET pinned = 1 WHERE fact_id = 3")
        other.commit()
    assert [f["fact_id"] for f in ask("list", pinned=True)["facts"]] == [3]


def test_a_program_that_asks_by_itself_gets_no_answer_to_a_mere_command(ask: Ask) -> None:
    ask("add", content="git status is run before every commit")
    assert ask("search", query="git status", auto=True)["count"] == 0
    assert ask("search", query="git status")["count"] == 1
    assert ask("search", query="what runs before a commit", auto=True)["count"] == 1


def test_an_exact_twin_is_stored_where_the_caller_insists(ask: Ask) -> None:
    ask("add", content="a fact")
    assert ask("add", content="a fact", dedup=False)["status"] == "added"
    assert ask("add", content="a fact")["status"] == "exists"
    assert ask("list")["total"] == 2


def test_a_fact_says_which_facts_a_dream_merged_into_it(ask: Ask) -> None:
    ask("add", contents=["Prefers pytest for unit tests",
                         "Prefers pytest for unit tests in every project"])  # fmt: skip
    ask("dream")
    [survivor, retired] = ask("get", fact_ids=[2, 1])["facts"]
    assert survivor["absorbed"] == [1]
    assert retired["merged_into"] == 2
    assert "absorbed" not in ask("list")["facts"][0]
