"""A backup that is wanted back takes the database's place in one step, under open connections."""

import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemo.enums import Actor, Op
from mnemo.errors import NotFound, Refused, StoreUnavailable
from mnemo.store import Store
from mnemo.store.backup import facts_in
from mnemo.store.migrations import SCHEMA_VERSION
from mnemo.store.restoring import Difference, restorable
from tests.store import ancestors
from tests.store.scratch import NOW, fill, sql_on

LATER = NOW + timedelta(hours=1)


@pytest.fixture
def backup(store: Store) -> Path:
    """A backup of two facts; the database has changed one of them and has a third."""
    fill(store, ["深色主题", "light theme"])
    backup = store.backup(kind="manual", now=NOW)
    op = store.journal.operation(Op.UPDATE, actor=Actor.USER, session="s", now=NOW)
    with op.batch():
        op.update(2, content="a lighter theme")
        op.insert(content="third")
    return backup


def restore(backup: Path, path: Path, *, now: datetime = LATER) -> Path | None:
    with restorable(backup, path, now=now) as copy:
        return copy.put_in_place(actor=Actor.USER, now=now)


def contents(path: Path) -> list[object]:
    return [row["content"] for row in ancestors.rows(path, "facts")]


def is_sound(path: Path) -> bool:
    return sql_on(path)("PRAGMA integrity_check") == [("ok",)]


def test_connections_that_were_open_see_the_backup_and_write_on(
    path: Path, store: Store, backup: Path
) -> None:
    with closing(Store(path, now=NOW)) as other:
        assert len(other.facts.get([1, 2, 3])) == 3
        restore(backup, path)
        assert [fact.content for fact in other.facts.get([1, 2, 3])] == ["深色主题", "light theme"]
        [added] = fill(other, ["after"])
        assert [fact.content for fact in store.facts.get([added])] == ["after"]
        other.index.catch_up(seconds=60)
        assert other.index.twins("light theme") == [2]
        assert other.index.twins("third") == []
    assert is_sound(path)


def test_what_was_replaced_is_a_backup_that_can_be_restored(path: Path, backup: Path) -> None:
    replaced = restore(backup, path)
    assert replaced is not None
    assert replaced.name == "replaced-20260514T130000Z.db"
    assert replaced.stat().st_mode & 0o777 == 0o600
    restore(replaced, path)
    assert contents(path) == ["深色主题", "a lighter theme", "third"]


def test_the_event_names_both_and_comes_with_the_content(path: Path, backup: Path) -> None:
    replaced = restore(backup, path)
    event = ancestors.rows(path, "audit_log")[-1]
    assert event["action"] == "RESTORE-BACKUP"
    assert str(backup) in str(event["detail"])
    assert str(replaced) in str(event["detail"])


def test_an_id_that_was_used_is_not_given_to_another_fact(
    path: Path, store: Store, backup: Path
) -> None:
    restore(backup, path)
    assert fill(store, ["another"]) == [4]


def test_what_would_be_left_behind_is_counted(path: Path, backup: Path) -> None:
    before = path.read_bytes()
    with restorable(backup, path, now=LATER) as copy:
        assert copy.difference() == Difference(facts=2, facts_now=3, newer=1, changed=1)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.glob(".restoring-*")] == []


def test_a_backup_of_an_older_program_is_migrated_on_the_way(path: Path, store: Store) -> None:
    fill(store, ["of today"])
    old = path.with_name("old.db")
    ancestors.make(old, ancestors.LAST)
    before, told = old.read_bytes(), contents(old)
    restore(old, path)
    assert contents(path) == told
    assert store.schema_version() == SCHEMA_VERSION
    assert old.read_bytes() == before
    assert [file.name for file in path.parent.glob("backup/migrate-*")] == []


def test_a_backup_of_another_page_size_is_restored(path: Path, store: Store, backup: Path) -> None:
    with closing(sqlite3.connect(backup)) as copy:
        copy.execute("PRAGMA page_size=8192")
        copy.execute("VACUUM")
    restore(backup, path)
    assert contents(path) == ["深色主题", "light theme"]
    assert is_sound(path)


def test_a_file_with_an_unusual_name_is_restored(path: Path, backup: Path, tmp_path: Path) -> None:
    for name in ("旧的 记忆?.db", "-- %41#.db", "no suffix"):
        named = tmp_path / name
        named.write_bytes(backup.read_bytes())
        restore(named, path)
        assert contents(path) == ["深色主题", "light theme"]


def test_a_missing_or_emptied_database_is_filled(path: Path, store: Store, backup: Path) -> None:
    store.close()
    path.unlink()
    assert restore(backup, path) is None
    assert contents(path) == ["深色主题", "light theme"]
    path.write_bytes(b"")
    path.with_name("facts.db-wal").unlink(missing_ok=True)
    assert restore(backup, path) is None
    assert contents(path) == ["深色主题", "light theme"]


def test_a_database_with_a_damaged_page_is_replaced_and_kept(
    path: Path, store: Store, backup: Path
) -> None:
    store.close()
    [(page,)] = sql_on(path)("SELECT rootpage FROM sqlite_master WHERE name = 'facts'")
    damaged = bytearray(path.read_bytes())
    damaged[(page - 1) * 4096 : page * 4096] = bytes(4096)
    path.write_bytes(damaged)
    kept = restore(backup, path)
    assert kept is not None
    assert kept == path.with_name("facts.corrupt-20260514T130000Z.db")
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.read_bytes()[(page - 1) * 4096 : page * 4096] == bytes(4096)
    assert contents(path) == ["深色主题", "light theme"]
    assert is_sound(path)


def test_a_file_that_is_no_database_any_more_is_replaced_and_kept(
    path: Path, store: Store, backup: Path
) -> None:
    store.close()
    path.write_bytes(b"\0" * 8192)
    kept = restore(backup, path)
    assert kept is not None
    assert kept.read_bytes() == b"\0" * 8192
    assert contents(path) == ["深色主题", "light theme"]


@pytest.mark.parametrize("name", ["missing", "text", "cut", "songs", "newer", "empty", "itself"])
def test_what_cannot_be_restored_changes_nothing(
    path: Path, store: Store, backup: Path, tmp_path: Path, name: str
) -> None:
    file = path if name == "itself" else tmp_path / f"{name}.db"
    if name == "text":
        file.write_text("no database")
    elif name == "cut":
        file.write_bytes(backup.read_bytes()[:-8192])
    elif name == "songs":
        sql_on(file)("CREATE TABLE songs(title)")
    elif name in ("newer", "empty"):
        file.write_bytes(backup.read_bytes())
        sql_on(file)(
            "UPDATE meta SET v = '99' WHERE k = 'schema_version'"
            if name == "newer"
            else "DELETE FROM facts"
        )
    there = sorted(tmp_path.rglob("*"))
    with pytest.raises((NotFound, Refused)):
        restore(file, path)
    assert contents(path) == ["深色主题", "a lighter theme", "third"]
    assert sorted(tmp_path.rglob("*")) == there


def test_a_disk_that_fills_meanwhile_changes_nothing(
    path: Path, store: Store, backup: Path, start_process: Callable[..., Any]
) -> None:
    fill(store, [f"fact {number} " + "x" * 900 for number in range(300)])
    before = contents(path)
    for amount in (16_384, path.stat().st_size):
        process = start_process(RESTORE, backup, path, "room", amount)
        _, complaint = process.communicate()
        assert process.returncode == 1, complaint
        assert "StoreUnavailable" in complaint
        assert contents(path) == before
        assert is_sound(path)
    assert all(facts_in(file) for file in backup.parent.iterdir()), "no half a backup is left"


def test_the_database_of_something_else_is_not_replaced(path: Path, backup: Path) -> None:
    songs = path.with_name("songs.db")
    sql_on(songs)("CREATE TABLE songs(title)")
    with pytest.raises(StoreUnavailable, match="not a fact memory"):
        restore(backup, songs)
    assert sql_on(songs)("SELECT name FROM sqlite_master") == [("songs",)]


def test_nothing_is_restored_while_a_dream_runs(path: Path, store: Store, backup: Path) -> None:
    assert store.locks.acquire("dream", now=LATER)
    with pytest.raises(Refused, match="dream is running"):
        restore(backup, path)
    store.locks.release("dream")
    restore(backup, path)
    assert store.locks.acquire("dream", now=LATER)


def test_a_lock_that_the_backup_remembers_is_nobodys(
    path: Path, store: Store, backup: Path
) -> None:
    assert store.locks.acquire("dream", now=LATER)
    held = store.backup(kind="dream", now=LATER)
    store.locks.release("dream")
    restore(held, path)
    with closing(Store(path, now=NOW)) as other:
        assert other.locks.acquire("dream", now=LATER)


def test_what_others_write_until_the_last_moment_is_in_the_backup_of_what_was_replaced(
    path: Path, store: Store, backup: Path, start_process: Callable[..., Any]
) -> None:
    writer = start_process(WRITE_ON, path)
    assert writer.stdout.readline() == "writing\n"
    replaced = restore(backup, path)
    written, complaint = writer.communicate()
    assert writer.returncode == 0, complaint
    told = written.split()
    assert replaced is not None
    kept = contents(path) + contents(replaced)
    assert told
    assert [text for text in told if text not in kept] == []
    assert is_sound(path)


WRITE_ON = """if True:
    import sqlite3, sys, threading
    connection = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
    done = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), done.set())).start()
    print("writing", flush=True)
    number = 0
    while not done.is_set() or number < 10:
        number += 1
        connection.execute("INSERT INTO facts(content) VALUES (?)", (f"w{number}",))
        print(f"w{number}")
"""

RESTORE = """if True:
    import resource, signal, sys
    from datetime import timedelta
    from pathlib import Path
    from mnemo import times
    from mnemo.enums import Actor
    from mnemo.store.restoring import restorable
    backup, path, how, amount = sys.argv[1:]
    now = times.utc_now()
    with restorable(Path(backup), Path(path), now=now) as copy:
        if how == "room":
            resource.setrlimit(resource.RLIMIT_FSIZE, (int(amount), int(amount)))
        elif how == "bytes":
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (int(amount), int(amount)))
        else:
            signal.setitimer(signal.ITIMER_REAL, float(amount))
        copy.put_in_place(actor=Actor.USER, now=now)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are POSIX")
@pytest.mark.process
def test_a_restore_that_is_killed_leaves_the_old_content_or_the_new(
    path: Path, store: Store, start_process: Callable[..., Any]
) -> None:
    old = [f"old {number} " + "x" * 900 for number in range(2000)]
    new = [f"new {number} " + "y" * 900 for number in range(2000)]
    fill(store, old)
    backup = store.backup(kind="manual", now=NOW)
    sql_on(path)("DELETE FROM facts")
    fill(store, new)
    store.close()
    sql_on(path)("PRAGMA wal_checkpoint(TRUNCATE)")
    size = path.stat().st_size
    killed = 0
    # A file that grows to that many bytes, or a clock that runs out, ends the process at once.
    amounts = [("bytes", size * part // 8) for part in (1, 7)]
    amounts += [("bytes", size + extra) for extra in (8_192, 60_000)]
    amounts += [("seconds", hundredths / 100) for hundredths in range(4, 20, 4)]
    for how, amount in amounts:
        process = start_process(RESTORE, backup, path, how, amount)
        process.communicate()
        killed += process.returncode < 0
        assert contents(path) in (old, new), (how, amount)
        assert is_sound(path), (how, amount)
    assert killed > 2
