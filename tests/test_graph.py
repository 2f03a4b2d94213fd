"""Asking by name, through `Memory`: what is told, what is counted, what is refused."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from mnemo.enums import Detail
from mnemo.errors import InvalidInput, MnemoError
from mnemo.memory import Memory
from mnemo.models import NamedReply
from mnemo.writing.add import NewFact
from tests.store.scratch import Sql

COMPACT = {"factId", "display", "category", "trustScore", "score"}


@pytest.fixture(autouse=True)
def _known(memory: Memory) -> None:
    facts = (
        NewFact("Alice prefers PostgreSQL", category="tool_pref"),
        NewFact("Alice met Bob in Paris", category="general", project_id="trip"),
        NewFact("The backup of PostgreSQL runs at night", category="workflow"),
    )
    assert not [reply for reply in memory.add(*facts) if isinstance(reply, MnemoError)]


@pytest.mark.parametrize(
    ("ask", "query", "found"),
    [
        (lambda memory: memory.probe("alice"), "probe:alice", [1, 2]),
        (lambda memory: memory.related("Bob"), "related:Bob", [1]),
        (lambda memory: memory.reason(["Alice", "Bob"]), "reason:Alice, Bob", [2]),
        (lambda memory: memory.probe("Zoe"), "probe:Zoe", []),
    ],
)
def test_asking_by_name_is_a_recall_with_a_row_in_the_log(
    ask: Callable[[Memory], NamedReply], query: str, found: list[int], memory: Memory, sql: Sql
) -> None:
    reply = ask(memory)
    assert [hit.fact_id for hit in reply.results] == found
    [(logged, results)] = sql("SELECT query, results FROM retrieval_log")
    assert logged == query
    assert json.loads(results) == [{"id": hit.fact_id, "score": hit.score} for hit in reply.results]
    counted = sql("SELECT fact_id, last_retrieved_at FROM facts WHERE retrieval_count = 1")
    assert [fact_id for fact_id, _ in counted] == found
    assert all(moment for _, moment in counted)


def test_the_same_question_within_ten_minutes_is_discounted(memory: Memory, sql: Sql) -> None:
    memory.probe("Alice")
    memory.probe("ALICE")
    assert sql("SELECT DISTINCT retrieval_count, discounted FROM facts WHERE fact_id < 3") == [
        (2, 1)
    ]


@pytest.mark.parametrize(
    ("narrowing", "found"),
    [
        ({"category": "tool_pref"}, [1]),
        ({"project_id": "trip"}, [2]),
        ({"min_trust": 0.9}, []),
        ({"limit": 1}, [1]),
        ({"memory_class": "user_decision"}, []),
    ],
)
def test_it_is_narrowed_as_a_search_is(
    narrowing: dict[str, Any], found: list[int], memory: Memory
) -> None:
    assert [hit.fact_id for hit in memory.probe("Alice", **narrowing).results] == found


def test_archived_facts_come_only_where_they_are_asked_for(memory: Memory, sql: Sql) -> None:
    sql("UPDATE facts SET status = 'archived' WHERE fact_id = 1")
    assert [hit.fact_id for hit in memory.probe("Alice").results] == [2]
    both = memory.probe("Alice", include_archived=True)
    assert {hit.fact_id for hit in both.results} == {1, 2}
    assert both.notes == ("archived: 1",)


def test_a_hit_has_the_five_keys_and_how_the_name_led_to_it(memory: Memory) -> None:
    [first, _] = memory.probe("Alice").as_json()["results"]
    assert set(first) == COMPACT | {"via"}
    assert first["score"] == first["trustScore"] == 0.5
    [beside] = memory.related("Bob").as_json()["results"]
    assert beside["via"] == ["Alice"]
    [every] = memory.reason(["Alice", "Bob"]).as_json()["results"]
    assert set(every) == COMPACT
    partly = memory.reason(["Bob", "PostgreSQL"], detail=Detail.FULL).as_json()
    assert {hit["factId"]: hit["covered"] for hit in partly["results"]} == {
        1: ["PostgreSQL"],
        2: ["Bob"],
        3: ["PostgreSQL"],
    }
    assert {"content", "tags", "status"} <= set(partly["results"][0])
    assert "covered" in partly["notes"][0]


def test_a_fact_that_is_shown_names_its_entities(memory: Memory) -> None:
    assert memory.get(2).facts[0].entities == ("Alice", "Bob", "Paris")
    assert memory.list().facts[0].entities == ()


@pytest.mark.parametrize(
    "ask",
    [
        lambda memory: memory.probe(" "),
        lambda memory: memory.related(""),
        lambda memory: memory.reason([]),
        lambda memory: memory.reason(["Alice", " "]),
        lambda memory: memory.probe("Alice", limit=0),
        lambda memory: memory.probe("Alice", min_trust=2.0),
    ],
)
def test_what_cannot_be_asked_is_refused_and_leaves_nothing(
    ask: Callable[[Memory], NamedReply], memory: Memory, sql: Sql
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        ask(memory)
    assert refusal.value.hint
    assert sql("SELECT * FROM retrieval_log") == []


def test_starting_reads_no_names() -> None:
    code = "import sys, mnemo.memory, mnemo.actions; print('mnemo.text.entities' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.strip() == "False"
