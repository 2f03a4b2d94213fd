"""What a person took back: a run after startup leaves it alone until there is new evidence."""

import json
from collections.abc import Callable
from datetime import timedelta

from mnemo.enums import Actor
from mnemo.models import LearnReply
from tests.store.scratch import NOW, Sql

Remember = Callable[..., list[int]]
Learn = Callable[..., LearnReply]

DAY = timedelta(days=1)
LOVED = {"content": "loved", "retrieval_count": 50, "helpful_count": 20}
IGNORED = {"content": "ignored", "retrieval_count": 100, "helpful_count": 2}
FORGOTTEN = {"content": "forgotten", "last_retrieved_at": "2026-03-01 12:00:00"}
LEARNED = ("trust_score", "learn_retrievals", "learn_helpful", "learn_at", "aged_at")


def undo(sql: Sql, *, only: int | None = None) -> None:
    """Put back the rows before the newest run, or one of them, as an undo does."""
    [(op_id,)] = sql("SELECT max(op_id) FROM operations WHERE kind = 'learn'")
    sql(
        "INSERT INTO operations(kind, actor, session, started_at, undoes) "
        "VALUES ('undo', 'user', 's', '2026-05-14 12:00:00', ?)",
        op_id,
    )
    for number, before in sql("SELECT fact_id, before FROM changes WHERE op_id = ?", op_id):
        if only in (None, number):
            row = json.loads(before)
            back = {name: row[name] for name in LEARNED}
            sql(
                f"UPDATE facts SET {', '.join(f'{name} = ?' for name in back)} WHERE fact_id = ?",
                *(*back.values(), number),
            )
            sql(
                "INSERT INTO changes(op_id, fact_id, before, after) "
                "SELECT max(op_id), ?, '{}', ? FROM operations",
                *(number, json.dumps(back)),
            )
    if only is None:
        sql(
            "UPDATE operations SET undone_by = (SELECT max(op_id) FROM operations) WHERE op_id = ?",
            op_id,
        )


def trust(sql: Sql) -> list[float]:
    return [row[0] for row in sql("SELECT round(trust_score, 6) FROM facts ORDER BY fact_id")]


def test_a_run_after_startup_does_not_repeat_what_was_taken_back(
    remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(LOVED, IGNORED, FORGOTTEN)
    learn(actor=Actor.SYSTEM)
    undo(sql)
    reply = learn(actor=Actor.SYSTEM)
    assert (reply.promoted, reply.demoted, reply.aged, reply.unchanged) == (0, 0, 0, 3)
    assert trust(sql) == [0.5, 0.5, 0.5]


def test_what_an_explicit_run_did_and_was_taken_back_is_not_repeated_either(
    remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(LOVED, IGNORED, FORGOTTEN)
    learn()
    undo(sql)
    learn(actor=Actor.SYSTEM)
    assert trust(sql) == [0.5, 0.5, 0.5]


def test_a_part_that_was_taken_back_is_not_repeated_and_not_told(
    remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(LOVED, IGNORED)
    learn(actor=Actor.SYSTEM)
    undo(sql, only=2)
    learn(actor=Actor.SYSTEM)
    assert trust(sql) == [0.55, 0.5]
    sql("UPDATE facts SET pinned = 1 WHERE fact_id = 2")
    reply = learn()
    assert (reply.promoted, reply.demoted, reply.unchanged) == (1, 0, 1)


def test_an_explicit_run_may_repeat_it(remember: Remember, learn: Learn, sql: Sql) -> None:
    remember(LOVED, IGNORED, FORGOTTEN)
    learn()
    undo(sql)
    learn()
    assert trust(sql) == [0.55, 0.45, 0.475]


def test_new_evidence_is_judged_by_itself(remember: Remember, learn: Learn, sql: Sql) -> None:
    remember(LOVED, IGNORED)
    learn(actor=Actor.SYSTEM)
    undo(sql)
    sql("UPDATE facts SET retrieval_count = retrieval_count + 30")
    learn(actor=Actor.SYSTEM)
    assert trust(sql) == [0.5, 0.5]
    sql("UPDATE facts SET retrieval_count = retrieval_count + 1")
    learn(actor=Actor.SYSTEM)
    # Of the 31 new recalls none was helpful, also where the 50 before were.
    assert trust(sql) == [0.45, 0.45]


def test_a_step_of_ageing_that_was_taken_back_is_due_again_after_sixty_days(
    remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(FORGOTTEN)
    learn(actor=Actor.SYSTEM)
    undo(sql)
    aged = [learn(actor=Actor.SYSTEM, now=NOW + days * DAY).aged for days in (1, 60, 61, 62)]
    assert aged == [0, 0, 1, 0]


def test_a_change_that_was_taken_back_twice_counts_from_the_later_one(
    remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(IGNORED)
    learn(actor=Actor.SYSTEM)
    undo(sql)
    sql("UPDATE facts SET retrieval_count = 140")
    learn(actor=Actor.SYSTEM)
    undo(sql)
    sql("UPDATE facts SET retrieval_count = 170")
    learn(actor=Actor.SYSTEM)
    assert trust(sql) == [0.5]
    sql("UPDATE facts SET retrieval_count = 171")
    learn(actor=Actor.SYSTEM)
    assert trust(sql) == [0.45]


def test_what_was_taken_back_is_not_told_as_done(
    remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(LOVED, IGNORED)
    learn(actor=Actor.SYSTEM)
    undo(sql)
    sql("UPDATE facts SET pinned = 1 WHERE fact_id = 2")
    reply = learn()
    assert (reply.promoted, reply.demoted, reply.aged, reply.unchanged) == (1, 0, 0, 1)
