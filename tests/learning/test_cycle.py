"""A run of learning over a store: what it writes, what it tells, and that it ends there."""

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemo.enums import Actor, Status
from mnemo.errors import Stopped
from mnemo.learning import cycle
from mnemo.learning.cycle import run_learning
from mnemo.models import LearnReply
from mnemo.store import Recalled, Store
from tests.store.scratch import NOW, Sql, fill, sql_on, table

Remember = Callable[..., list[int]]
Learn = Callable[..., LearnReply]

DAY = timedelta(days=1)
LONG_AGO = "2026-03-01 12:00:00"
LATELY = "2026-05-10 12:00:00"

LOVED = {"content": "loved", "retrieval_count": 50, "helpful_count": 20}
IGNORED = {"content": "ignored", "retrieval_count": 100, "helpful_count": 2}
FORGOTTEN = {"content": "forgotten", "last_retrieved_at": LONG_AGO, "retrieval_count": 3}
FRESH = {"content": "fresh", "last_retrieved_at": LATELY, "retrieval_count": 3}


def trust(sql: Sql) -> list[float]:
    return [row[0] for row in sql("SELECT round(trust_score, 6) FROM facts ORDER BY fact_id")]


def counts(reply: LearnReply) -> tuple[int, int, int, int]:
    return (reply.promoted, reply.demoted, reply.aged, reply.unchanged)


# -- the first run ------------------------------------------------------------------------


def test_the_first_run_looks_at_all_that_ever_happened(
    remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(LOVED, IGNORED, FORGOTTEN, FRESH, "never found")
    assert counts(learn()) == (1, 1, 1, 2)
    assert trust(sql) == [0.55, 0.45, 0.475, 0.5, 0.5]


def test_thirty_recalls_are_too_few(remember: Remember, learn: Learn, sql: Sql) -> None:
    remember(
        {"content": "thirty", "retrieval_count": 30, "helpful_count": 30},
        {"content": "thirty-one", "retrieval_count": 31, "helpful_count": 30},
    )
    assert counts(learn()) == (1, 0, 0, 1)
    assert trust(sql) == [0.5, 0.55]


def test_recalls_that_say_nothing_are_left_out(remember: Remember, learn: Learn, sql: Sql) -> None:
    remember({"content": "bystander", "retrieval_count": 100, "discounted": 70})
    assert counts(learn()) == (0, 0, 0, 1)
    sql("UPDATE facts SET discounted = 69")
    assert counts(learn()) == (0, 1, 0, 0)


def test_a_fact_that_nobody_rated_sinks_to_its_floor_and_no_lower(
    remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember({"content": "unrated"}, {"content": "disliked", "unhelpful_count": 1})
    for _ in range(12):
        sql("UPDATE facts SET retrieval_count = retrieval_count + 31")
        learn()
    assert trust(sql) == [0.4, 0.2]
    assert counts(learn()) == (0, 0, 0, 2)


def test_a_low_trust_is_not_lifted_to_a_floor(remember: Remember, learn: Learn, sql: Sql) -> None:
    remember(IGNORED | {"trust_score": 0.05}, FORGOTTEN | {"trust_score": 0.1})
    assert counts(learn()) == (0, 0, 0, 2)
    assert trust(sql) == [0.05, 0.1]


def test_only_active_facts_are_judged(remember: Remember, learn: Learn, sql: Sql) -> None:
    remember(*(IGNORED | {"status": status} for status in Status if status != Status.ACTIVE))
    assert counts(learn()) == (0, 0, 0, 0)
    assert set(trust(sql)) == {0.5}


def test_nothing_but_trust_and_its_bookkeeping_changes(
    remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(
        *(fact | {"tags": "a", "summary": "s"} for fact in (LOVED, IGNORED, FORGOTTEN)),
        IGNORED | {"pinned": 1},
    )
    before = table(sql, "facts")
    learn(now=NOW + DAY)
    moving = {"trust_score", "learn_retrievals", "learn_helpful", "learn_at", "aged_at"}
    for old, new in zip(before, table(sql, "facts"), strict=True):
        assert {k for k in old if old[k] != new[k]} <= moving
    assert trust(sql)[3] == 0.5


def test_a_run_is_journaled_with_its_reasons(remember: Remember, learn: Learn, sql: Sql) -> None:
    remember(LOVED, IGNORED | {"last_retrieved_at": LONG_AGO}, FRESH)
    learn()
    assert sql("SELECT kind, actor FROM operations WHERE kind = 'learn'") == [("learn", "user")]
    assert sql("SELECT fact_id, reason FROM changes WHERE op_id = 2 ORDER BY 1") == [
        (1, "promoted"),
        (2, "demoted, aged"),
    ]
    [(action, detail)] = sql("SELECT action, detail FROM audit_log WHERE op_id = 2")
    assert action == "LEARN"
    assert json.loads(detail) == {"promoted": 1, "demoted": 1}
    assert sql("SELECT v FROM meta WHERE k = 'last_learn_at'") == [("2026-05-14 12:00:00",)]


def test_a_run_without_news_leaves_no_operation(remember: Remember, learn: Learn, sql: Sql) -> None:
    remember(FRESH)
    learn()
    assert sql("SELECT count(*) FROM operations WHERE kind = 'learn'") == [(0,)]
    assert sql("SELECT count(*) FROM audit_log WHERE action LIKE '%LEARN'") == [(0,)]


def test_a_run_that_is_told_to_stop_keeps_what_it_wrote_and_the_next_one_tells_it(
    store: Store, remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(LOVED, IGNORED, FRESH)

    def stop() -> None:
        raise Stopped("told to stop", hint="")

    with pytest.raises(Stopped):
        run_learning(store, now=NOW, actor=Actor.SYSTEM, session="s", between=stop)
    assert trust(sql) == [0.55, 0.45, 0.5]
    [(detail,)] = sql("SELECT detail FROM audit_log WHERE action = 'AUTO-LEARN'")
    assert json.loads(detail) == {"promoted": 1, "demoted": 1}
    assert sql("SELECT count(*) FROM meta WHERE k = 'last_learn_at'") == [(0,)]
    assert counts(learn()) == (1, 1, 0, 1)


# -- again --------------------------------------------------------------------------------


def test_a_new_window_begins_where_the_last_one_ended(
    store: Store, remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(LOVED)
    learn()
    sql("UPDATE facts SET retrieval_count = retrieval_count + 30")
    assert counts(learn()) == (0, 0, 0, 1)
    store.retrievals.log("q", [Recalled(1, 1.0)], now=NOW)
    assert counts(learn()) == (0, 1, 0, 0)
    assert trust(sql) == [0.495]


def test_a_fact_ages_once_in_sixty_days(remember: Remember, learn: Learn, sql: Sql) -> None:
    remember(FORGOTTEN | {"trust_score": 0.8, "helpful_count": 1})
    aged = [learn(now=NOW + days * DAY).aged for days in (0, 1, 60, 61, 100, 121, 122)]
    assert aged == [1, 0, 0, 1, 0, 0, 1]
    assert trust(sql) == [pytest.approx(0.8 * 0.95**3, abs=1e-6)]


def test_a_recall_ends_the_ageing(store: Store, remember: Remember, learn: Learn, sql: Sql) -> None:
    remember(FORGOTTEN)
    store.retrievals.log("q", [Recalled(1, 1.0)], now=NOW)
    assert learn(now=NOW + 30 * DAY).aged == 0


_FACTS = st.lists(
    st.fixed_dictionaries(
        {
            "content": st.just("a fact"),
            "trust_score": st.floats(0.0, 1.0) | st.none(),
            "retrieval_count": st.integers(0, 700) | st.none(),
            "helpful_count": st.integers(0, 100) | st.none(),
            "unhelpful_count": st.integers(0, 3),
            "discounted": st.integers(0, 50),
            "pinned": st.sampled_from([0, 1]),
            "last_retrieved_at": st.sampled_from([None, "", LONG_AGO, LATELY, "2031-01-01"]),
            "status": st.sampled_from([Status.ACTIVE, Status.ACTIVE, Status.ARCHIVED]),
        }
    ),
    max_size=6,
)


@given(facts=_FACTS)
@settings(max_examples=10, deadline=None)
def test_learning_a_hundred_times_is_learning_once(facts: list[dict[str, Any]]) -> None:
    with TemporaryDirectory() as folder, closing(Store(Path(folder) / "f", now=NOW)) as store:
        fill(store, facts)
        sql = sql_on(store.path)
        first = run_learning(store, now=NOW, actor=Actor.USER, session="s")
        after_one = table(sql, "facts")
        active = sum(fact["status"] == Status.ACTIVE for fact in facts)
        assert sum(counts(first)) == active
        for _ in range(99):
            again = run_learning(store, now=NOW + DAY, actor=Actor.USER, session="s")
            assert counts(again) == (0, 0, 0, active)
        assert table(sql, "facts") == after_one


# -- the reply ----------------------------------------------------------------------------


def test_an_explicit_run_tells_what_the_run_after_startup_did(
    remember: Remember, learn: Learn
) -> None:
    remember(LOVED, IGNORED, FORGOTTEN, FRESH)
    assert counts(learn(actor=Actor.SYSTEM)) == (1, 1, 1, 1)
    assert counts(learn(actor=Actor.SYSTEM)) == (0, 0, 0, 4)
    assert counts(learn()) == (1, 1, 1, 1)
    assert counts(learn()) == (0, 0, 0, 4)


def test_a_fact_counts_once_under_the_first_rule_that_moved_it(
    remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(IGNORED | {"last_retrieved_at": LONG_AGO}, LOVED)
    learn(actor=Actor.SYSTEM)
    sql("UPDATE facts SET retrieval_count = retrieval_count + 100")
    sql("UPDATE facts SET helpful_count = helpful_count + 90 WHERE fact_id = 1")
    assert counts(learn()) == (1, 1, 0, 0)


def test_the_counts_sum_to_the_active_facts_also_where_some_went_since(
    remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(LOVED, IGNORED, FRESH)
    learn(actor=Actor.SYSTEM)
    sql("UPDATE facts SET status = 'removed' WHERE fact_id = 1")
    assert counts(learn()) == (0, 1, 0, 1)


def test_an_empty_store_has_nothing_to_learn(learn: Learn) -> None:
    reply = learn()
    assert counts(reply) == (0, 0, 0, 0)
    assert reply.long_facts == ()


def test_long_facts_are_told_the_longest_first(remember: Remember, learn: Learn) -> None:
    remember(
        "x" * 300,
        "深" * 301,
        {"content": "x" * 3921, "summary": " "},
        {"content": "x" * 900, "summary": "short"},
        {"content": "x", "summary": "s" * 400},
        {"content": "x" * 5000, "status": Status.REMOVED},
        "a\0" * 200,
    )
    told = [
        (fact.id, fact.content_length, fact.penalty, fact.has_summary)
        for fact in learn().long_facts
    ]
    assert told == [
        (3, 3921, 0.077, False),
        (5, 1, 0.75, True),
        (7, 400, 0.75, False),
        (2, 301, 0.997, False),
    ]


def test_a_dry_run_lists_the_changes_and_makes_none(
    remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(LOVED, IGNORED, FRESH)
    before = {name: table(sql, name) for name in ("facts", "operations", "audit_log", "meta")}
    reply = learn(dry_run=True)
    assert counts(reply) == (1, 1, 0, 1)
    assert reply.dry_run
    assert [(c.id, c.rule, c.old_trust, c.new_trust) for c in reply.changes] == [
        (1, "promoted", 0.5, 0.55),
        (2, "demoted", 0.5, 0.45),
    ]
    assert {name: table(sql, name) for name in before} == before
    assert counts(learn()) == (1, 1, 0, 1)


# -- other programs, other processes ------------------------------------------------------


@pytest.mark.parametrize(
    ("stamp", "ages"),
    [
        (None, False),
        ("", False),
        ("  ", False),
        ("never", False),
        ("²", False),
        ("-1", False),
        ("1e999", False),
        ("2999-12-31 23:59:59", False),
        ("9999-12-31T23:59:59-14:00", False),
        ("2026-05-13T10:00:00", False),
        ("2026-05-13T10:00:00.123456+09:00", False),
        ("2026-05-13T10:00:00Z", False),
        ("1778666400", False),  # 2026-05-13, in seconds
        ("1778666400000", False),  # in milliseconds, as JavaScript counts
        ("1778666400.5", False),
        ("2026-03-01", True),
        ("2026-03-01T10:00:00", True),
        ("2026-03-01T10:00:00+09:00", True),
        ("2026-03-01 10:00:00.5", True),
        ("1772359200", True),
        ("1772359200000", True),
    ],
)
def test_a_stamp_of_any_kind_is_read_or_is_no_stamp(
    remember: Remember, learn: Learn, sql: Sql, stamp: str | None, ages: bool
) -> None:
    remember(FRESH)
    sql("UPDATE facts SET last_retrieved_at = ?, created_at = ?, updated_at = ?", *[stamp] * 3)
    assert learn().aged == int(ages)
    sql("UPDATE facts SET last_retrieved_at = ?, aged_at = ?", LONG_AGO, stamp)
    learn()


def test_a_clock_that_jumps_back_lets_nothing_be_judged_twice(
    remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(LOVED, IGNORED, FORGOTTEN | {"trust_score": 0.8, "helpful_count": 1})
    ahead = NOW + 365 * DAY
    assert counts(learn(now=ahead)) == (1, 1, 1, 0)
    assert counts(learn()) == (0, 0, 0, 3)  # the clock is right again
    assert counts(learn(now=NOW + 60 * DAY)) == (0, 0, 0, 3)
    assert counts(learn(now=NOW + 61 * DAY)) == (0, 0, 1, 2)
    assert trust(sql) == [0.55, 0.45, 0.722]


def test_a_step_of_ageing_in_the_future_is_brought_to_now_and_journaled(
    remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(FORGOTTEN | {"aged_at": "2999-01-01 00:00:00"})
    assert learn(dry_run=True).changes == ()
    assert counts(learn()) == (0, 0, 0, 1)
    assert sql("SELECT aged_at, trust_score FROM facts") == [("2026-05-14 12:00:00", 0.5)]
    assert sql("SELECT reason FROM changes WHERE op_id > 1") == [("redated",)]
    learn()
    assert sql("SELECT count(*) FROM operations WHERE kind = 'learn'") == [(1,)]


@pytest.mark.parametrize("value", [b"\xff\x00", 20260301, 1e300])
def test_a_stamp_that_is_no_text_is_no_reason_to_fail(
    remember: Remember, learn: Learn, sql: Sql, value: object
) -> None:
    remember(FRESH)
    sql("UPDATE facts SET last_retrieved_at = ?, aged_at = ?", value, value)
    learn()
    learn(dry_run=True)


LEARNS = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from mnemo.learning import cycle
from mnemo.learning.cycle import run_learning
from mnemo.enums import Actor
from mnemo.store import Store
now = datetime(2026, 5, 14, 12, 0, tzinfo=UTC)
store = Store(Path(sys.argv[1]), now=now)
print("ready", flush=True)
sys.stdin.readline()
reply = run_learning(store, now=now, actor=Actor.SYSTEM, session="s")
print(reply.promoted + reply.demoted + reply.aged)
"""


@pytest.mark.process
def test_two_processes_that_learn_at_once_apply_the_evidence_once(
    store: Store, remember: Remember, sql: Sql
) -> None:
    remember(*[LOVED, IGNORED, FORGOTTEN] * 500)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", LEARNS, str(store.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        for _ in range(2)
    ]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    moved = [int(process.communicate()[0]) for process in processes]
    assert sum(moved) == 1500
    assert set(trust(sql)) == {0.55, 0.45, 0.475}
    assert trust(sql)[:3] == [0.55, 0.45, 0.475]
    assert sql("SELECT count(*) FROM changes WHERE op_id > 1") == [(1500,)]


def test_a_run_that_is_killed_between_two_batches_has_its_event(
    store: Store, remember: Remember, sql: Sql, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cycle, "_BATCH", 1)
    remember({"content": "one", "retrieval_count": 40}, {"content": "two", "retrieval_count": 40})

    class Killed(BaseException):
        pass

    def kill() -> None:
        raise Killed

    with pytest.raises(Killed):
        run_learning(store, now=NOW, actor=Actor.USER, session="s", between=kill)
    assert sql("SELECT action, detail FROM audit_log WHERE action = 'LEARN'") == [
        ("LEARN", '{"demoted":1}')
    ]


def test_a_number_that_cannot_be_read_costs_no_run(store: Store, learn: Learn) -> None:
    with store.transaction():
        store.meta.set("learn_reported_op", "zz")
    assert learn().unchanged == 0
