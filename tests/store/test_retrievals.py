"""The retrieval log holds every search, and facts remember that they were found."""

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import pytest

from mnemo.store import Operation, Recalled, Store
from tests.store.scratch import Sql

MINUTE = timedelta(minutes=1)


@pytest.fixture
def facts(operation: Callable[..., Operation]) -> list[int]:
    op = operation()
    with op.batch():
        return [op.insert(content=f"fact {number}") for number in range(1, 7)]


def hits(scores: Sequence[float]) -> list[Recalled]:
    return [Recalled(fact_id, score) for fact_id, score in enumerate(scores, start=1)]


def counts(sql: Sql) -> list[tuple[int, int]]:
    return sql("SELECT retrieval_count, discounted FROM facts ORDER BY fact_id")


def test_a_search_is_kept_as_it_was_typed_with_what_it_returned(
    store: Store, facts: list[int], sql: Sql, now: datetime
) -> None:
    query = " 请问 用户偏好？\n'quoted\" 100% "
    store.retrievals.log(query, [Recalled(2, 0.5), Recalled(1, 0.25)], now=now)
    assert sql("SELECT query, results, timestamp FROM retrieval_log") == [
        (query, '[{"id":2,"score":0.5},{"id":1,"score":0.25}]', "2026-05-14 12:00:00")
    ]


def test_a_search_without_hits_is_kept_too(store: Store, sql: Sql, now: datetime) -> None:
    store.retrievals.log("nothing", [], now=now)
    store.retrievals.log("nothing", [], now=now)
    assert sql("SELECT query, results FROM retrieval_log") == [("nothing", "[]")] * 2
    assert store.retrievals.count() == 2


def test_the_newest_five_thousand_searches_are_kept(store: Store, sql: Sql, now: datetime) -> None:
    sql(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5003) "
        "INSERT INTO retrieval_log(query, results) SELECT 'q' || i, '[]' FROM n"
    )
    store.retrievals.log("the newest", [], now=now)
    assert store.retrievals.count() == 5000
    assert sql("SELECT min(id), max(id) FROM retrieval_log") == [(5, 5004)]


def test_a_very_long_question_is_kept_in_part(store: Store, sql: Sql, now: datetime) -> None:
    store.retrievals.log("深" * 10_000, [], now=now)
    [(kept,)] = sql("SELECT query FROM retrieval_log")
    assert kept == "深" * 2000


def test_a_question_with_half_a_character_is_kept(store: Store, sql: Sql, now: datetime) -> None:
    store.retrievals.log("half \ud83d of it", [], now=now)
    assert sql("SELECT query FROM retrieval_log") == [("half \ufffd of it",)]


def test_every_returned_fact_is_counted_and_stamped(
    store: Store, facts: list[int], sql: Sql, now: datetime
) -> None:
    store.retrievals.log("q", hits([0.9, 0.8]), now=now)
    store.retrievals.log("r", hits([0.9]), now=now + MINUTE)
    assert sql("SELECT fact_id, retrieval_count, last_retrieved_at FROM facts LIMIT 3") == [
        (1, 2, "2026-05-14 12:01:00"),
        (2, 1, "2026-05-14 12:00:00"),
        (3, 0, None),
    ]


def test_a_count_that_another_program_left_empty_begins_at_nothing(
    store: Store, facts: list[int], sql: Sql, now: datetime
) -> None:
    sql("UPDATE facts SET retrieval_count = NULL")
    store.retrievals.log("q", hits([0.9]), now=now)
    assert counts(sql)[0] == (1, 0)


@pytest.mark.parametrize(
    ("scores", "discounted"),
    [
        ([1.0, 0.9, 0.1, 0.1], [0, 0, 0, 1]),  # third: still trusted; fourth: far below
        ([1.0, 0.9, 0.8, 0.5], [0, 0, 0, 0]),  # half the best is enough
        ([1.0, 0.1, 0.1, 0.4999, 0.6], [0, 0, 0, 1, 0]),
        ([0.0, 0.0, 0.0, 0.0], [0, 0, 0, 0]),
    ],
)
def test_a_hit_far_below_the_best_says_nothing_about_its_use(
    store: Store,
    facts: list[int],
    sql: Sql,
    now: datetime,
    scores: list[float],
    discounted: list[int],
) -> None:
    store.retrievals.log("q", hits(scores), now=now)
    assert counts(sql)[: len(scores)] == [(1, one) for one in discounted]


@pytest.mark.parametrize(
    ("first", "again", "same"),
    [
        ("深色主题 Theme", "深色主题 Theme", True),
        ("深色主题 Theme", "深色主题 ＴＨＥＭＥ", True),
        ("café", "CAFE\u0301", True),
        ("深色主题", "深色", False),
    ],
)
def test_the_same_question_within_ten_minutes_says_nothing_new(
    store: Store, facts: list[int], sql: Sql, now: datetime, first: str, again: str, same: bool
) -> None:
    store.retrievals.log(first, hits([0.9]), now=now)
    store.retrievals.log(again, hits([0.9, 0.8]), now=now + 9 * MINUTE)
    # What is found for the first time is news.
    assert counts(sql)[:2] == [(2, int(same)), (1, 0)]


def test_the_same_question_after_ten_minutes_is_a_new_one(
    store: Store, facts: list[int], sql: Sql, now: datetime
) -> None:
    store.retrievals.log("q", hits([0.9]), now=now)
    store.retrievals.log("q", hits([0.9]), now=now + 10 * MINUTE)
    assert counts(sql)[0] == (2, 0)


@pytest.mark.parametrize("results", ["", "no JSON", "null", "{}", '[{"score":1}]', "[1]"])
def test_what_another_program_logged_is_no_reason_to_fail(
    store: Store, facts: list[int], sql: Sql, now: datetime, results: str
) -> None:
    sql(
        "INSERT INTO retrieval_log(query, results, timestamp) VALUES ('q', ?, ?)",
        results,
        "2026-05-14 12:00:00",
    )
    store.retrievals.log("q", hits([0.9]), now=now)
    assert counts(sql)[0] == (1, 0)


def test_logging_leaves_the_index_and_the_journal_alone(
    store: Store, facts: list[int], sql: Sql, now: datetime
) -> None:
    before = [sql(f"SELECT count(*) FROM {t}") for t in ("operations", "changes", "audit_log")]
    store.retrievals.log("q", hits([0.9]), now=now)
    assert not sql("SELECT * FROM dirty")
    after = [sql(f"SELECT count(*) FROM {t}") for t in ("operations", "changes", "audit_log")]
    assert after == before
    assert json.loads(sql("SELECT results FROM retrieval_log")[0][0])
