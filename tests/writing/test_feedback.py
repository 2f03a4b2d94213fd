"""Ratings move trust, within its bounds, and praise in one sitting counts once."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemo.enums import Verdict
from mnemo.errors import NotFound
from mnemo.memory import Memory
from mnemo.models import AddReply, Fact, FeedbackReply
from mnemo.settings import Settings
from tests.store.scratch import Clock, Sql

Add = Callable[..., AddReply]
Get = Callable[[int], Fact]
HELPFUL, UNHELPFUL = Verdict.HELPFUL, Verdict.UNHELPFUL


def rate(memory: Memory, verdict: Verdict) -> FeedbackReply:
    [reply] = memory.feedback(verdict, 1)
    assert isinstance(reply, FeedbackReply)
    return reply


def test_praise_lifts_and_blame_lowers_trust(memory: Memory, add: Add, get: Get, sql: Sql) -> None:
    add("a fact")
    assert rate(memory, HELPFUL).as_json() == {
        "fact_id": 1,
        "oldTrust": 0.5,
        "newTrust": 0.55,
        "helpfulCount": 1,
    }
    assert rate(memory, UNHELPFUL).as_json() == {
        "fact_id": 1,
        "oldTrust": 0.55,
        "newTrust": 0.45,
        "helpfulCount": 1,
    }
    fact = get(1)
    assert (fact.helpful_count, fact.unhelpful_count) == (1, 1)
    assert sql("SELECT action, entry_id FROM audit_log WHERE action = 'FEEDBACK'") == [
        ("FEEDBACK", "1"),
        ("FEEDBACK", "1"),
    ]


@pytest.mark.parametrize(
    ("verdict", "before", "after"),
    [
        (HELPFUL, 0.98, 1.0),
        (HELPFUL, 1.0, 1.0),
        (UNHELPFUL, 0.05, 0.0),
        (UNHELPFUL, 0.0, 0.0),
        (UNHELPFUL, 0.2, 0.1),  # the floors are those of learning alone
        (HELPFUL, None, 0.55),
    ],
)
def test_trust_stays_within_its_bounds(
    memory: Memory, add: Add, sql: Sql, verdict: Verdict, before: float | None, after: float
) -> None:
    add("a fact")
    sql("UPDATE facts SET trust_score = ?", before)
    assert rate(memory, verdict).new_trust == pytest.approx(after)
    assert sql("SELECT trust_score FROM facts") == [(pytest.approx(after),)]


def test_the_same_praise_counts_once_in_ten_minutes(
    memory: Memory, add: Add, get: Get, clock: Clock
) -> None:
    add("a fact")
    rate(memory, HELPFUL)
    clock.pass_by(minutes=9)
    again = rate(memory, HELPFUL)
    assert (again.old_trust, again.new_trust, again.helpful_count) == (0.55, 0.55, 1)
    assert again.note
    clock.pass_by(minutes=1)
    assert rate(memory, HELPFUL).new_trust == 0.6
    assert get(1).helpful_count == 2


def test_another_session_may_praise_the_same_fact(
    memory: Memory, add: Add, clock: Clock, tmp_path: Path
) -> None:
    add("a fact")
    rate(memory, HELPFUL)
    other = Memory(Settings(home=tmp_path, database=tmp_path / "facts.db"), clock=clock)
    assert rate(other, HELPFUL).new_trust == 0.6
    other.close()


def test_blame_counts_every_time(memory: Memory, add: Add) -> None:
    add("a fact")
    assert [rate(memory, UNHELPFUL).new_trust for _ in range(3)] == [0.4, 0.3, 0.2]


def test_praise_after_blame_counts(memory: Memory, add: Add) -> None:
    add("a fact")
    rate(memory, UNHELPFUL)
    assert rate(memory, HELPFUL).new_trust == 0.45


def test_a_rating_is_no_edit_and_no_recall(
    memory: Memory, add: Add, get: Get, clock: Clock
) -> None:
    add("a fact")
    before = get(1)
    clock.pass_by(days=1)
    rate(memory, HELPFUL)
    after = get(1)
    assert after.updated_at == before.updated_at
    assert (after.retrieval_count, after.last_retrieved_at) == (0, None)


def test_several_facts_are_rated_each_for_itself(memory: Memory, add: Add) -> None:
    add("one")
    add("two")
    replies = memory.feedback(HELPFUL, 1, 404, 2)
    assert [isinstance(reply, NotFound) for reply in replies] == [False, True, False]


def events(sql: Sql) -> list[dict[str, object]]:
    return [
        json.loads(detail)
        for (detail,) in sql("SELECT detail FROM audit_log WHERE action = 'FEEDBACK' ORDER BY id")
    ]


def test_a_rating_names_the_newest_search_that_returned_the_fact(
    memory: Memory, add: Add, sql: Sql, clock: Clock
) -> None:
    add("The staging database is at 10.0.42.7")
    for query in ("staging database", "Staging  DATABASE", "weather", "database"):
        memory.search(query)
        clock.pass_by(minutes=1)
    [reply] = memory.feedback(UNHELPFUL, 1, query="staging database")
    assert isinstance(reply, FeedbackReply)
    assert (reply.new_trust, reply.note) == (0.4, "")
    memory.feedback(HELPFUL, 1)
    assert events(sql) == [
        {"verdict": "unhelpful", "trust": 0.4, "search": 1},
        {"verdict": "helpful", "trust": 0.45},
    ]


def test_a_rating_for_a_search_that_never_returned_the_fact_counts_with_a_note(
    memory: Memory, add: Add, sql: Sql
) -> None:
    add("The staging database is at 10.0.42.7")
    memory.search("weather")
    [reply] = memory.feedback(HELPFUL, 1, query="weather")
    assert isinstance(reply, FeedbackReply)
    assert reply.new_trust == 0.55
    assert "no search" in reply.note
    assert events(sql) == [{"verdict": "helpful", "trust": 0.55}]
    memory.search("staging")
    sql("UPDATE retrieval_log SET results = 'what another program wrote'")
    [reply] = memory.feedback(UNHELPFUL, 1, query="staging")
    assert isinstance(reply, FeedbackReply)
    assert (reply.new_trust, bool(reply.note)) == (0.45, True)


def test_trust_keeps_no_tail_of_binary_fractions(memory: Memory, add: Add, sql: Sql) -> None:
    add("a fact")
    sql("UPDATE facts SET trust_score = 0.55")
    rate(memory, HELPFUL)
    assert sql("SELECT trust_score FROM facts") == [(0.6,)]


def test_a_fact_that_is_named_twice_in_one_call_is_rated_once(memory: Memory, add: Add) -> None:
    add("a fact")
    [reply] = memory.feedback(UNHELPFUL, 1, 1, 1)
    assert isinstance(reply, FeedbackReply)
    assert reply.new_trust == 0.4


def test_a_rating_of_a_retired_fact_says_where_it_stands(memory: Memory, add: Add) -> None:
    add("a fact")
    memory.remove(1)
    assert rate(memory, HELPFUL).note == "it is removed"
