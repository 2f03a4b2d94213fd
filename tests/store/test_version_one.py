"""A database of the first schema opens, is backed up before, and its operations can be undone."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from mnemo.memory import Memory
from mnemo.settings import Settings
from mnemo.store import Store
from mnemo.store.migrations import SCHEMA_VERSION

SCHEMA = Path(__file__).with_name("version_1.sql")

# What adding a fact and removing it left in the journal then: of a new fact, the columns named.
ROWS = """
INSERT INTO meta VALUES ('schema_version', '1'), ('first_start', '2026-05-01 00:00:00');
INSERT INTO facts(content, status, created_at, updated_at) VALUES
  ('uses pytest', 'active', '2026-05-01 00:00:00', '2026-05-01 00:00:00'),
  ('uses nose', 'removed', '2026-05-01 00:00:00', '2026-05-02 00:00:00');
INSERT INTO operations(kind, actor, session, started_at) VALUES
  ('add', 'user', 's', '2026-05-01 00:00:00'), ('remove', 'user', 's', '2026-05-02 00:00:00');
INSERT INTO changes VALUES
  (1, 1, NULL, '{"created_at":"2026-05-01 00:00:00","updated_at":"2026-05-01 00:00:00",
                 "content":"uses pytest","category":"general"}', ''),
  (1, 2, NULL, '{"created_at":"2026-05-01 00:00:00","updated_at":"2026-05-01 00:00:00",
                 "content":"uses nose","category":"general"}', ''),
  (2, 2, '{"fact_id":2,"content":"uses nose","status":"active","merged_into":null,
           "updated_at":"2026-05-01 00:00:00"}',
   '{"updated_at":"2026-05-02 00:00:00","status":"removed","merged_into":null}', '');
INSERT INTO audit_log(t, actor, action, entry_id, op_id) VALUES
  ('2026-05-01 00:00:00', 'user', 'WRITE', '1', 1),
  ('2026-05-02 00:00:00', 'user', 'REMOVE', '2', 2);
"""


@pytest.fixture
def old(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMA.read_text("utf-8") + ROWS)
    return path


@pytest.fixture
def memory(old: Path) -> Iterator[Memory]:
    with closing(Memory(Settings(home=old.parent, database=old))) as opened:
        yield opened


def shape(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """The columns of each table and index, and the triggers."""
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT type, name FROM sqlite_master").fetchall()
        return {
            f"{kind} {name}": sorted(
                row[1:4] if kind == "table" else row[2:]
                for row in connection.execute(f'PRAGMA {kind}_info("{name}")')
            )
            for kind, name in names
            if kind in ("table", "index", "trigger")
        }


def test_an_old_database_comes_to_the_shape_of_a_new_one(
    old: Path, tmp_path: Path, now: datetime
) -> None:
    fresh = tmp_path / "fresh.db"
    for path in (old, fresh):
        with closing(Store(path, now=now)) as store:
            assert store.schema_version() == SCHEMA_VERSION
    assert shape(old) == shape(fresh)


def test_an_old_database_is_backed_up_before(old: Path, now: datetime) -> None:
    with closing(Store(old, now=now)):
        [backup] = (old.parent / "backup").glob("migrate-*.db")
    with closing(sqlite3.connect(backup)) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(operations)")]
        assert columns == ["op_id", "kind", "actor", "session", "started_at"]
        assert connection.execute("SELECT count(*) FROM facts").fetchone() == (2,)
    with closing(sqlite3.connect(old)) as connection:
        newest = connection.execute("SELECT action FROM audit_log ORDER BY id DESC").fetchone()
        assert newest == ("MIGRATE",)


def test_what_was_done_before_can_be_undone(memory: Memory) -> None:
    assert [hit.fact_id for hit in memory.search("pytest").results] == [1]
    assert memory.undo().undone == "op-2"
    assert [fact.content for fact in memory.list().facts] == ["uses pytest", "uses nose"]
    assert memory.undo().facts == (1, 2)
    assert memory.list().count == 0
    assert [memory.redo().redone, memory.redo().redone] == ["op-1", "op-2"]
    assert [fact.content for fact in memory.list().facts] == ["uses pytest"]
