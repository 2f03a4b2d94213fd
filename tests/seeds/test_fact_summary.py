"""Fact summary: an optional short form, its warning, and databases from before it existed."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.doors import Door

pytestmark = pytest.mark.process

LENGTH_WARNING = "content 超过 500 字，建议提供 summary 或拆分为多条 fact"

ANCESTOR = """
CREATE TABLE facts (
  fact_id INTEGER PRIMARY KEY AUTOINCREMENT,
  content TEXT NOT NULL UNIQUE,
  category TEXT DEFAULT 'general',
  tags TEXT DEFAULT '',
  trust_score REAL DEFAULT 0.5,
  retrieval_count INTEGER DEFAULT 0,
  helpful_count INTEGER DEFAULT 0,
  created_at TEXT DEFAULT (datetime('now', 'localtime')),
  updated_at TEXT DEFAULT (datetime('now', 'localtime'))
);
CREATE VIRTUAL TABLE facts_fts
  USING fts5(content, tags, content=facts, content_rowid=fact_id);
CREATE TRIGGER facts_ai AFTER INSERT ON facts BEGIN
  INSERT INTO facts_fts(rowid, content, tags) VALUES (new.fact_id, new.content, new.tags);
END;
CREATE TRIGGER facts_ad AFTER DELETE ON facts BEGIN
  INSERT INTO facts_fts(facts_fts, rowid, content, tags)
  VALUES ('delete', old.fact_id, old.content, old.tags);
END;
CREATE TRIGGER facts_au AFTER UPDATE ON facts BEGIN
  INSERT INTO facts_fts(facts_fts, rowid, content, tags)
  VALUES ('delete', old.fact_id, old.content, old.tags);
  INSERT INTO facts_fts(rowid, content, tags) VALUES (new.fact_id, new.content, new.tags);
END;
INSERT INTO facts VALUES
  (3, '用户喜欢深色主题，终端字号 14', 'tool_pref', '主题', 0.62, 21, 7,
   '2026-02-11 09:20:00', '2026-04-02 18:01:11'),
  (7, 'Never force push to main; open a merge request instead.', 'workflow', 'git,review', 0.71,
   30, 12, '2026-02-20 07:45:10', '2026-05-01 11:11:11'),
  (8, '', 'general', '', 0.5, 0, 0, '2026-02-20 07:45:10', '2026-02-20 07:45:10'),
  (21, '  Zwölf Boxkämpfer 🥊 jagen Viktor  ', 'general', '', 0.05, 3, 0,
   '2026-03-01 12:00:00', '2026-03-01 12:00:00');
"""

ANCESTOR_COLUMNS = """
SELECT fact_id, CAST(content AS BLOB), category, tags, trust_score, retrieval_count, helpful_count,
       created_at, updated_at
FROM facts ORDER BY fact_id
"""


def test_a_fact_may_be_added_without_a_summary(door: Door) -> None:
    """WHEN a fact is added without a summary, THEN it has none, it was never retrieved, and a
    search finds it by its content.
    """
    added = door.call("add", content="The kettle is in the kitchen")

    (fact,) = door.call("get", fact_id=added["fact_id"])["facts"]
    assert fact["summary"] is None
    assert fact["last_retrieved_at"] is None
    assert door.call("search", query="kettle")["results"][0]["factId"] == added["fact_id"]


def test_a_fact_may_be_added_with_a_summary(door: Door) -> None:
    """WHEN a fact is added with a summary, THEN the summary is stored beside the untouched content
    and used when the fact is matched.
    """
    content = "Hot drinks: the kettle is in the kitchen, cups are on the shelf above it."

    added = door.call("add", content=content, summary="Where to make tea")

    (fact,) = door.call("get", fact_id=added["fact_id"])["facts"]
    assert (fact["content"], fact["summary"]) == (content, "Where to make tea")
    (hit,) = door.call("search", query="tea", explain=True)["results"]
    assert hit["match_on"] == "summary"


def test_a_long_fact_without_a_summary_is_stored_with_a_warning(door: Door) -> None:
    """WHEN a fact of 600 characters is added without a summary, THEN it is stored and the reply
    warns once that a summary or several shorter facts would serve better.
    """
    reply = door.call("add", content=minutes(600))

    assert reply["status"] == "added"
    assert reply["warnings"] == [LENGTH_WARNING]
    assert door.call("list")["total"] == 1


def test_a_long_fact_with_a_summary_brings_no_warning(door: Door) -> None:
    """WHEN a fact of 600 characters is added with a summary, THEN nothing warns of its length."""
    reply = door.call("add", content=minutes(600), summary="会议纪要")

    assert reply["status"] == "added"
    assert LENGTH_WARNING not in reply.get("warnings", [])


def test_a_fact_of_medium_length_brings_no_warning(door: Door) -> None:
    """WHEN facts of 400 and of exactly 500 characters are added without a summary, THEN nothing
    warns.
    """
    for length in (400, 500):
        reply = door.call("add", content=minutes(length))
        assert reply["status"] == "added"
        assert not reply.get("warnings")


def test_a_change_that_makes_a_fact_long_brings_the_warning(door: Door) -> None:
    """WHEN the content of a fact is changed to 600 characters and the fact has no summary, THEN the
    reply warns as it does for a new fact.
    """
    door.call("add", content=minutes(100))

    reply = door.call("update", fact_id=1, content=minutes(600))

    assert reply["updated"] is True
    assert reply["warnings"] == [LENGTH_WARNING]


def test_a_fact_is_found_by_its_summary_alone(door: Door) -> None:
    """WHEN the words of a question stand in the summary of a fact and nowhere in its 2000
    characters of content, THEN the search finds the fact.
    """
    door.call("add", content=minutes(2000), summary="用户偏好 VS Code")

    reply = door.call("search", query="VS Code")

    assert [hit["factId"] for hit in reply["results"]] == [1]


def test_a_fact_without_a_summary_is_found_by_its_content(door: Door) -> None:
    """WHEN a fact has no summary and its content holds the words of a question, THEN the search
    finds the fact.
    """
    door.call("add", content="用户偏好 VS Code")

    reply = door.call("search", query="VS Code")

    assert [hit["factId"] for hit in reply["results"]] == [1]


def test_a_database_from_before_summaries_opens_and_keeps_every_row(door: Door) -> None:
    """WHEN the program starts on a database that knows neither summaries nor retrieval times, THEN
    the columns and the log are added, every old value is what it was to the byte, a verified copy
    of the old file lies in the backup folder, and words of two characters are found; opening it
    again changes nothing more.
    """
    door.close()
    before = leave_by_ancestor(door.database)

    assert door.call("list", limit=10)["total"] == 4

    assert door.sql(ANCESTOR_COLUMNS) == before
    columns = {name for (name,) in door.sql("SELECT name FROM pragma_table_info('facts')")}
    assert {"summary", "last_retrieved_at"} <= columns
    assert door.sql("SELECT count(*) FROM facts WHERE summary IS NULL") == [(4,)]
    assert door.sql("SELECT count(*) FROM facts WHERE last_retrieved_at IS NULL") == [(4,)]
    assert door.sql("SELECT count(*) FROM retrieval_log") == [(0,)]
    (copy,) = (door.home / "backup").glob("*.db")
    with closing(sqlite3.connect(copy)) as backup:
        assert backup.execute(ANCESTOR_COLUMNS).fetchall() == before

    assert [hit["factId"] for hit in door.call("search", query="深色")["results"]] == [3]
    assert list((door.home / "backup").glob("*.db")) == [copy]
    assert door.call("add", content="A new fact")["fact_id"] == 22


def leave_by_ancestor(database: Path) -> list[tuple[object, ...]]:
    """The rows of a database that is written here as the first releases of the ancestor did."""
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(ANCESTOR)
        return connection.execute(ANCESTOR_COLUMNS).fetchall()


def minutes(length: int) -> str:
    return ("午餐通常在十二点半，食堂在一楼，周五供应面条。" * 100)[:length]
