"""The journal lets go of what is old, whole operations at a time, and of no fact."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemo.memory import Memory
from mnemo.store import Store
from mnemo.store import forgetting as forgetting_room
from mnemo.writing.add import NewFact
from tests.store.scratch import NOW, Clock, Sql

Add = Callable[..., int]


@pytest.fixture
def forget(memory: Memory, tmp_path: Path) -> Iterator[Callable[..., int]]:
    """Forget, a portion at a time; comes back with how many portions it took."""
    memory.status()
    with closing(Store(tmp_path / "facts.db", now=NOW)) as store:

        def run(**kept: Any) -> int:
            portions = 0
            while store.forgetting.forget_next(now=NOW + timedelta(days=1), **kept):
                portions += 1
                assert portions < 100
            return portions

        yield run


def operations(sql: Sql) -> list[int]:
    return [op_id for (op_id,) in sql("SELECT op_id FROM operations ORDER BY op_id")]


def age(sql: Sql, *op_ids: int, days: int = 500) -> None:
    moment = (NOW - timedelta(days=days)).strftime("%Y-%m-%d %H:%M:%S")
    for op_id in op_ids:
        sql("UPDATE operations SET started_at = ? WHERE op_id = ?", moment, op_id)
        sql("UPDATE audit_log SET t = ? WHERE op_id = ?", moment, op_id)


def test_old_operations_go_with_their_changes_and_events(
    memory: Memory, add: Add, sql: Sql, forget: Callable[..., int]
) -> None:
    for number in range(4):
        add(f"fact {number}")
    facts = sql("SELECT * FROM facts")
    age(sql, 1, 2)
    age(sql, 3, days=399)
    forget()
    assert operations(sql) == [3, 4]
    assert sql("SELECT DISTINCT op_id FROM changes") == [(3,), (4,)]
    assert sql("SELECT DISTINCT op_id FROM audit_log") == [(3,), (4,)]
    assert sql("SELECT * FROM facts") == facts
    assert forget() == 0


def test_only_so_many_events_are_kept(
    memory: Memory, add: Add, sql: Sql, forget: Callable[..., int]
) -> None:
    for number in range(6):
        add(f"fact {number}")
    forget(events=4)
    assert operations(sql) == [3, 4, 5, 6]
    assert sql("SELECT count(*) FROM audit_log") == [(4,)]


def test_an_operation_of_which_one_event_is_kept_stays_whole(
    memory: Memory, add: Add, sql: Sql, forget: Callable[..., int]
) -> None:
    memory.add(*(NewFact(f"fact {number}") for number in range(5)))
    add("another")
    forget(events=2)
    assert operations(sql) == [1, 2]
    assert sql("SELECT count(*) FROM audit_log") == [(6,)]


def test_what_is_undone_and_its_undo_go_together(
    memory: Memory, add: Add, sql: Sql, forget: Callable[..., int]
) -> None:
    add("first")
    memory.remove(1)
    memory.undo()
    memory.redo()
    age(sql, 1, 2, 3)
    forget()
    assert operations(sql) == [2, 3, 4]
    age(sql, 4)
    forget()
    assert operations(sql) == []


def test_events_of_no_operation_and_operations_of_no_event_go_by_their_own_age(
    memory: Memory, add: Add, sql: Sql, forget: Callable[..., int]
) -> None:
    add("first")
    sql("INSERT INTO audit_log(t, actor, action) VALUES ('2020-01-01 00:00:00', 'system', 'X')")
    sql("INSERT INTO audit_log(t, actor, action) VALUES ('2026-05-01 00:00:00', 'system', 'Y')")
    for moment in ("2020-01-01 00:00:00", "2026-05-01 00:00:00"):
        sql(
            "INSERT INTO operations(kind, actor, session, started_at) VALUES ('add', 'u', 's', ?)",
            moment,
        )
    forget()
    assert operations(sql) == [1, 3]
    assert sql("SELECT action FROM audit_log") == [("WRITE",), ("Y",)]


def test_a_large_operation_goes_in_portions_and_cannot_be_undone_meanwhile(
    memory: Memory,
    sql: Sql,
    tmp_path: Path,
    clock: Clock,
    forget: Callable[..., int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(forgetting_room, "_CHANGES_AT_ONCE", 10)
    memory.add(*(NewFact(f"fact {number}") for number in range(25)))
    age(sql, 1)
    with closing(Store(tmp_path / "facts.db", now=NOW)) as store:
        assert store.forgetting.forget_next(now=NOW)
        assert sql("SELECT count(*) FROM changes") == [(15,)]
        assert store.history.newest_to_undo() is None
        assert store.history.operation(1) is None
        assert store.history.chapters(25) == []
    assert forget() == 2
    assert operations(sql) == []
    assert memory.list().total == 25


def test_the_memory_forgets_by_itself(memory: Memory, add: Add, sql: Sql) -> None:
    add("first")
    age(sql, 1)
    memory.forget_old_operations()
    assert operations(sql) == []
    assert memory.history(1).notes
