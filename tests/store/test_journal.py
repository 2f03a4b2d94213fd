"""Every change leaves behind what was before it, and what was done in words."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from mnemo.enums import Actor, Op
from mnemo.store import Operation, Store, StoreError
from tests.store.scratch import Sql

Add = Callable[..., int]
Start = Callable[..., Operation]


class Broken(Exception):
    pass


def row(sql: Sql, fact_id: int) -> dict[str, Any]:
    names = [column[1] for column in sql("PRAGMA table_info(facts)")]
    [values] = sql("SELECT * FROM facts WHERE fact_id = ?", fact_id)
    return dict(zip(names, values, strict=True))


def test_a_batch_that_fails_leaves_nothing(
    store: Store, operation: Start, add: Add, sql: Sql
) -> None:
    kept = add("there before")
    before = {table: sql(f"SELECT * FROM {table}") for table in _TABLES}
    op = operation(Op.UPDATE)

    def write_half() -> None:
        with op.batch():
            op.insert(content="half")
            op.update(kept, content="changed")
            op.event("UPDATE", kept)
            raise Broken

    with pytest.raises(Broken):
        write_half()
    assert {table: sql(f"SELECT * FROM {table}") for table in _TABLES} == before
    with op.batch():
        op.update(kept, content="changed in the end")
    assert sql("SELECT kind FROM operations") == [("add",), ("update",)]


_TABLES = ("facts", "changes", "operations", "audit_log", "fact_tokens", "twin_keys", "dirty")


def test_a_batch_that_sqlite_refuses_leaves_nothing(operation: Start, sql: Sql) -> None:
    op = operation()

    def write_half() -> None:
        with op.batch():
            op.insert(content="first")
            op.insert(content=None)

    with pytest.raises(StoreError):
        write_half()
    assert sql("SELECT count(*) FROM facts") == [(0,)]
    assert sql("SELECT count(*) FROM operations") == [(0,)]


def test_the_whole_row_is_kept_before_a_change(operation: Start, add: Add, sql: Sql) -> None:
    fact_id = add("深色 'theme' \"quoted\"", tags="a,b", pinned=1, trust_score=0.123456789)
    before = row(sql, fact_id)
    op = operation(Op.UPDATE)
    with op.batch():
        op.update(fact_id, reason="better", content="light theme")
    [(kept, after, reason)] = sql(
        "SELECT before, after, reason FROM changes WHERE before IS NOT NULL"
    )
    assert json.loads(kept) == before
    assert json.loads(after) == {"updated_at": "2026-05-14 12:00:00", "content": "light theme"}
    assert reason == "better"


def test_a_new_fact_has_no_row_before(add: Add, sql: Sql) -> None:
    fact_id = add("a fact", category="workflow")
    [(op_id, changed, before, after)] = sql("SELECT op_id, fact_id, before, after FROM changes")
    assert (op_id, changed, before) == (1, fact_id, None)
    assert json.loads(after)["category"] == "workflow"


def test_two_changes_of_a_fact_in_one_operation_add_up(
    operation: Start, add: Add, sql: Sql
) -> None:
    fact_id = add("first")
    op = operation(Op.UPDATE)
    with op.batch():
        op.update(fact_id, reason="one", content="second", tags="a")
    with op.batch():
        op.update(fact_id, reason="two", content="third", touch=False)
    [(before, after, reason)] = sql("SELECT before, after, reason FROM changes WHERE op_id = 2")
    assert json.loads(before)["content"] == "first"
    assert json.loads(after) == {
        "updated_at": "2026-05-14 12:00:00",
        "content": "third",
        "tags": "a",
    }
    assert reason == "one; two"


def test_what_is_added_and_changed_in_one_operation_was_not_there_before(
    operation: Start, sql: Sql
) -> None:
    op = operation()
    with op.batch():
        fact_id = op.insert(content="first")
        op.update(fact_id, content="second")
    [(before, after)] = sql("SELECT before, after FROM changes")
    assert before is None
    assert json.loads(after)["content"] == "second"


def test_a_call_that_changes_nothing_leaves_no_operation(operation: Start, sql: Sql) -> None:
    with operation(Op.LEARN).batch():
        pass
    for table in ("operations", "changes", "audit_log"):
        assert sql(f"SELECT count(*) FROM {table}") == [(0,)]


def test_an_operation_may_span_several_transactions(operation: Start, sql: Sql) -> None:
    op = operation(Op.DREAM)
    for number in range(3):
        with op.batch():
            op.insert(content=f"fact {number}")
        assert sql("SELECT count(*) FROM facts") == [(number + 1,)]

    def write_half() -> None:
        with op.batch():
            op.insert(content="lost")
            raise Broken

    with pytest.raises(Broken):
        write_half()
    with op.batch():
        op.insert(content="the last")
    assert sql("SELECT op_id, kind, actor, session FROM operations") == [(1, "dream", "user", "s1")]
    assert sql("SELECT count(*) FROM changes WHERE op_id = 1") == [(4,)]


def test_an_event_says_who_did_what_to_which_fact(operation: Start, sql: Sql) -> None:
    op = operation(Op.FEEDBACK)
    with op.batch():
        op.event("FEEDBACK", 7, verdict="helpful", trust=0.55)
        op.event("LEARN", 深色=1)
    assert sql("SELECT t, actor, action, entry_id, detail, op_id FROM audit_log") == [
        ("2026-05-14 12:00:00", "user", "FEEDBACK", "7", '{"verdict":"helpful","trust":0.55}', 1),
        ("2026-05-14 12:00:00", "user", "LEARN", None, '{"深色":1}', 1),
    ]


def test_events_outlive_their_fact(operation: Start, add: Add, sql: Sql) -> None:
    fact_id = add("a fact")
    op = operation(Op.REMOVE)
    with op.batch():
        op.event("REMOVE", fact_id)
    sql("DELETE FROM facts")
    assert sql("SELECT action FROM audit_log") == [("REMOVE",)]
    assert sql("SELECT count(*) FROM changes") == [(1,)]


def test_only_a_change_that_says_so_is_a_fresh_edit(
    operation: Start, add: Add, sql: Sql, now: datetime
) -> None:
    fact_id = add("a fact")
    op = operation(Op.LEARN, now=now + timedelta(days=1))
    with op.batch():
        op.update(fact_id, touch=False, trust_score=0.4)
    assert row(sql, fact_id)["updated_at"] == "2026-05-14 12:00:00"
    op = operation(Op.UPDATE, now=now + timedelta(days=1))
    with op.batch():
        op.update(fact_id, tags="x")
    assert row(sql, fact_id)["updated_at"] == "2026-05-15 12:00:00"
    assert row(sql, fact_id)["created_at"] == "2026-05-14 12:00:00"


def test_earlier_changes_are_told_by_kind_and_actor(store: Store, add: Add, now: datetime) -> None:
    first, second = add("one"), add("two")

    def learn(actor: Actor, fact_id: int, reason: str) -> int:
        op = store.journal.operation(Op.LEARN, actor=actor, session="s", now=now)
        with op.batch():
            op.update(fact_id, reason=reason, touch=False, trust_score=0.4)
        return op.op_id

    told = learn(Actor.SYSTEM, first, "aged")
    learn(Actor.SYSTEM, second, "promoted")
    learn(Actor.USER, second, "demoted")
    learn(Actor.SYSTEM, first, "promoted")
    assert store.history.reasons_since(told, Op.LEARN, actor=Actor.SYSTEM) == [
        (second, "promoted"),
        (first, "promoted"),
    ]
    assert store.history.reasons_since(told, Op.DREAM, actor=Actor.SYSTEM) == []
    assert store.history.newest_operation() == 6


def test_a_change_is_recent_for_its_reason_its_session_and_its_time(
    store: Store, operation: Start, add: Add, now: datetime
) -> None:
    fact_id = add("a fact")
    op = operation(Op.FEEDBACK)
    with op.batch():
        op.update(fact_id, reason="helpful", trust_score=0.55)

    def lately(**given: Any) -> bool:
        asked = {"reason": "helpful", "session": "s1", "now": now} | given
        return store.history.changed_lately(
            fact_id, Op.FEEDBACK, within=timedelta(minutes=10), **asked
        )

    assert lately()
    assert lately(now=now + timedelta(minutes=9))
    assert not lately(now=now + timedelta(minutes=10))
    assert not lately(reason="unhelpful")
    assert not lately(session="another")
