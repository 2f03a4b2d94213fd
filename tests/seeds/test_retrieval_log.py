"""Retrieval log: every search leaves one row, and its facts know when they were found."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from tests.doors import Door

pytestmark = pytest.mark.process

STAMP = "%Y-%m-%d %H:%M:%S"


def test_a_search_is_logged_with_its_question_and_its_hits(door: Door) -> None:
    """WHEN a search finds three facts, THEN the log has one new row with the question as it was
    typed and the ids and scores of the hits, in the order and with the scores of the reply.
    """
    for content in ("用户偏好深色主题", "用户偏好 VS Code 作为编辑器", "用户偏好简短的回答"):
        door.call("add", content=content)

    hits = door.call("search", query="请问一下，用户偏好？")["results"]

    ((query, results),) = door.sql("SELECT query, results FROM retrieval_log")
    assert query == "请问一下，用户偏好？"
    logged = [{"id": hit["factId"], "score": hit["score"]} for hit in hits]
    assert len(logged) == 3
    assert results == json.dumps(logged, separators=(",", ":"))


def test_a_search_without_hits_is_logged_too(door: Door) -> None:
    """WHEN a search finds nothing, THEN the log has one new row with an empty list of results."""
    door.call("add", content="The kettle is in the kitchen")

    assert door.call("search", query="zeppelin")["results"] == []

    assert door.sql("SELECT query, results FROM retrieval_log") == [("zeppelin", "[]")]


def test_every_search_is_logged_also_the_same_one_again(door: Door) -> None:
    """WHEN the same search is made three times, THEN the log has three rows."""
    door.call("add", content="The kettle is in the kitchen")

    for _ in range(3):
        door.call("search", query="kettle")

    assert door.sql("SELECT query FROM retrieval_log") == [("kettle",)] * 3


def test_the_log_keeps_the_newest_five_thousand_searches(door: Door) -> None:
    """WHEN the log has 5000 rows and one more search is made, THEN it has 5000 rows: the new one is
    there and the oldest is gone.
    """
    door.call("add", content="The kettle is in the kitchen")
    door.sql(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
        " INSERT INTO retrieval_log(id, query, results) SELECT i, 'earlier ' || i, '[]' FROM n"
    )

    door.call("search", query="kettle")

    ((rows, oldest, newest),) = door.sql("SELECT count(*), min(id), max(id) FROM retrieval_log")
    assert (rows, oldest, newest) == (5000, 2, 5001)
    assert door.sql("SELECT query FROM retrieval_log WHERE id = 5001") == [("kettle",)]


def test_the_log_is_a_table_that_other_programs_can_read(door: Door) -> None:
    """WHEN the program has started on an empty home, THEN the table retrieval_log exists with the
    columns id, query, results and timestamp, question and results may not be missing, and the time
    of a new row is now in UTC unless it is given.
    """
    door.call("list")

    columns = door.sql("SELECT name, type, \"notnull\", pk FROM pragma_table_info('retrieval_log')")
    assert columns == [
        ("id", "INTEGER", 0, 1),
        ("query", "TEXT", 1, 0),
        ("results", "TEXT", 1, 0),
        ("timestamp", "TEXT", 0, 0),
    ]
    ((stamp, now),) = door.sql(
        "INSERT INTO retrieval_log(query, results) VALUES ('by hand', '[]')"
        " RETURNING timestamp, datetime('now')"
    )
    assert stamp == now


def test_only_the_facts_that_were_found_are_marked_as_retrieved_now(door: Door) -> None:
    """WHEN a search returns two facts of three, THEN the last retrieval of those two is now, in
    UTC, and that of the third stays what it was.
    """
    door.call("add", content="用户偏好深色主题")
    door.call("add", content="用户偏好简短的回答")
    door.call("add", content="The kettle is in the kitchen")
    door.sql("UPDATE facts SET last_retrieved_at = '2026-01-02 03:04:05' WHERE fact_id = 3")
    before = datetime.now(UTC).replace(microsecond=0)

    assert door.call("search", query="用户偏好")["count"] == 2

    stamps = dict(door.sql("SELECT fact_id, last_retrieved_at FROM facts"))
    assert stamps.pop(3) == "2026-01-02 03:04:05"
    for stamp in stamps.values():
        retrieved = datetime.strptime(stamp, STAMP).replace(tzinfo=UTC)
        assert before <= retrieved <= before + timedelta(minutes=2)
