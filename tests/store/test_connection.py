"""How the file is opened, who may read it, and what is refused without touching it."""

import sqlite3
import stat
import subprocess
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from mnemo.enums import Actor, Op
from mnemo.errors import StoreUnavailable
from mnemo.store import Store, StoreError
from mnemo.store.connection import connect, transaction


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def open_and_close(path: Path, now: datetime) -> None:
    Store(path, now=now).close()


@pytest.mark.parametrize("name", ["home/facts.db", "a b/#?%20 事实.db"])
def test_a_new_file_and_its_folder_are_for_their_owner_alone(
    tmp_path: Path, now: datetime, name: str
) -> None:
    path = tmp_path / name
    with closing(Store(path, now=now)) as store:
        op = store.journal.operation(Op.ADD, actor=Actor.USER, session="s", now=now)
        with op.batch():
            op.insert(content="a fact")
        assert mode(path.parent) == 0o700
        assert {mode(file) for file in path.parent.iterdir() if file.is_file()} == {0o600}


def test_a_file_that_others_could_read_is_closed_to_them(path: Path, now: datetime) -> None:
    open_and_close(path, now)
    path.chmod(0o644)
    open_and_close(path, now)
    assert mode(path) == 0o600


@pytest.mark.parametrize("text", ["hi", "# Notes\n" * 2000], ids=["short", "long"])
def test_a_text_file_is_refused_and_left_as_it_was(path: Path, now: datetime, text: str) -> None:
    path.write_text(text)
    with pytest.raises(StoreUnavailable) as refused:
        Store(path, now=now)
    assert "not a database" in refused.value.message
    assert str(path) in refused.value.message
    assert path.read_text() == text
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_folder_is_refused_in_words_that_say_so(tmp_path: Path, now: datetime) -> None:
    with pytest.raises(StoreUnavailable, match="is a folder") as refused:
        Store(tmp_path, now=now)
    assert refused.value.hint


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path, now: datetime) -> None:
    (tmp_path / "home").write_text("not a folder")
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        Store(tmp_path / "home" / "facts.db", now=now)


def test_a_database_that_holds_no_facts_is_refused_and_left_as_it_was(
    path: Path, now: datetime
) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs(title TEXT)")
        connection.execute("INSERT INTO songs VALUES ('Yesterday')")
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(StoreUnavailable, match="not a fact memory"):
        Store(path, now=now)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_newer_database_is_refused_and_left_as_it_was(path: Path, now: datetime) -> None:
    open_and_close(path, now)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE meta SET v = '999' WHERE k = 'schema_version'")
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = path.read_bytes()
    with pytest.raises(StoreUnavailable, match="newer mnemo") as refused:
        Store(path, now=now)
    assert "update mnemo" in refused.value.hint
    assert path.read_bytes() == before


def test_a_damaged_database_is_named_as_such(path: Path, now: datetime) -> None:
    open_and_close(path, now)
    damaged = b"\0" * 16 + path.read_bytes()[16:]
    path.write_bytes(damaged)
    with pytest.raises(StoreUnavailable, match="not a database"):
        Store(path, now=now)
    assert path.read_bytes() == damaged


def test_opening_a_file_twice_in_one_process_leaves_the_locks_of_the_first(
    path: Path, now: datetime, start_process: Callable[..., subprocess.Popen[str]]
) -> None:
    """A plain open and close of the file would drop them, and another process that then takes
    itself for the last one would delete the log that the first still writes to.
    """
    first = Store(path, now=now)
    with closing(Store(path, now=now)):
        pass
    other = start_process(
        "import sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1])\n"
        "connection.execute('SELECT count(*) FROM facts').fetchone()\n"
        "connection.close()\n",
        path,
    )
    assert other.wait() == 0
    log = path.with_name(f"{path.name}-wal")
    assert log.exists()
    first.close()
    assert not log.exists()


def test_a_transaction_is_written_whole_or_not_at_all(path: Path, now: datetime) -> None:
    open_and_close(path, now)
    with closing(connect(path)) as connection:

        def write_half() -> None:
            with transaction(connection):
                connection.execute("INSERT INTO facts(content) VALUES ('first')")
                raise KeyError

        with pytest.raises(KeyError):
            write_half()
        with transaction(connection):
            connection.execute("INSERT INTO facts(content) VALUES ('second')")
        rows = connection.execute("SELECT content FROM facts").fetchall()
    assert [row["content"] for row in rows] == ["second"]


def test_a_failed_transaction_leaves_the_file_free_for_others(path: Path, now: datetime) -> None:
    with closing(Store(path, now=now)) as store, closing(Store(path, now=now)) as other:
        op = store.journal.operation(Op.ADD, actor=Actor.USER, session="s", now=now)
        with pytest.raises(StoreError), op.batch():
            op.insert(no_such_column=1)
        second = other.journal.operation(Op.ADD, actor=Actor.USER, session="t", now=now)
        with second.batch():
            assert second.insert(content="a fact") == 1


def test_only_the_log_is_written_without_waiting_for_the_disk(path: Path, now: datetime) -> None:
    open_and_close(path, now)

    def synchronous() -> int:
        return connection.execute("PRAGMA synchronous").fetchone()[0]

    with closing(connect(path)) as connection:
        with transaction(connection):
            assert synchronous() == 2
        with transaction(connection, durable=False):
            assert synchronous() == 1
