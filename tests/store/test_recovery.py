"""A damaged database gives way to its newest sound backup, and is kept."""

import logging
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemo.enums import Actor, Op
from mnemo.errors import Damaged
from mnemo.store import Store, sqlite_errors_named
from tests.store import ancestors

HOUR = timedelta(hours=1)


@pytest.fixture
def backed_up(path: Path, now: datetime) -> list[Path]:
    """Two backups, of one and of two facts; the database itself is damaged."""
    with closing(Store(path, now=now)) as store:
        backups: list[Path] = []
        for number in (1, 2):
            op = store.journal.operation(Op.ADD, actor=Actor.USER, session="s", now=now)
            with op.batch():
                op.insert(content=f"fact {number}")
            backups.append(store.backup(kind="dream", now=now + number * HOUR))
    damage(path)
    return backups


def damage(path: Path) -> None:
    path.write_bytes(b"\0" * 16 + path.read_bytes()[16:])


def contents(path: Path) -> list[object]:
    return [row["content"] for row in ancestors.rows(path, "facts")]


def test_the_newest_backup_takes_the_place_of_a_damaged_database(
    path: Path, backed_up: list[Path], now: datetime, caplog: pytest.LogCaptureFixture
) -> None:
    damaged = path.read_bytes()
    with caplog.at_level(logging.WARNING), closing(Store(path, now=now)) as store:
        assert [fact.content for fact in store.facts.get([1, 2])] == ["fact 1", "fact 2"]
    assert str(backed_up[1]) in caplog.text
    kept = path.with_name("facts.corrupt-20260514T120000Z.db")
    assert kept.read_bytes() == damaged
    assert ancestors.rows(path, "audit_log")[-1]["action"] == "ROLLBACK"
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_backup_that_is_damaged_itself_is_passed_over(
    path: Path, backed_up: list[Path], now: datetime
) -> None:
    damage(backed_up[1])
    Store(path, now=now).close()
    assert contents(path) == ["fact 1"]


def test_without_a_sound_backup_nothing_is_touched(
    path: Path, backed_up: list[Path], now: datetime
) -> None:
    for backup in backed_up:
        damage(backup)
    before = path.read_bytes()
    with pytest.raises(Damaged, match="not a database"):
        Store(path, now=now)
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == ["backup", "facts.db"]


def test_a_database_that_was_cut_short_gives_way_to_its_backup(
    path: Path, backed_up: list[Path], now: datetime
) -> None:
    whole = backed_up[1].read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    Store(path, now=now).close()
    assert contents(path) == ["fact 1", "fact 2"]


def test_a_file_that_was_emptied_is_no_new_database_where_a_backup_holds_facts(
    path: Path, backed_up: list[Path], now: datetime
) -> None:
    path.write_bytes(b"")
    Store(path, now=now).close()
    assert contents(path) == ["fact 1", "fact 2"]
    assert ancestors.rows(path, "audit_log")[-1]["action"] == "ROLLBACK"


def test_an_empty_file_without_backups_is_a_new_database(path: Path, now: datetime) -> None:
    path.touch()
    Store(path, now=now).close()
    assert contents(path) == []


def test_a_database_that_is_missing_starts_anew_with_a_word_about_its_backups(
    path: Path, backed_up: list[Path], now: datetime, caplog: pytest.LogCaptureFixture
) -> None:
    path.unlink()
    with caplog.at_level(logging.WARNING):
        Store(path, now=now).close()
    assert contents(path) == []
    assert f"mnemo restore-backup {backed_up[1].name} brings them back" in caplog.text


def test_of_two_that_recover_at_once_the_second_keeps_what_the_first_wrote(
    path: Path, backed_up: list[Path], now: datetime, start_process: Callable[..., Any]
) -> None:
    others = [start_process(OPEN_AND_ADD, path) for _ in range(4)]
    for other in others:
        assert other.stdout.readline() == "ready\n"
    for other in others:
        other.stdin.write("go\n")
        other.stdin.flush()
    for other in others:
        told = other.communicate()
        assert other.returncode == 0, told
    assert contents(path) == ["fact 1", "fact 2", *["added"] * 4]
    assert len(list(path.parent.glob("facts.corrupt-*.db"))) == 1


OPEN_AND_ADD = """if True:
    import sys
    from pathlib import Path
    from mnemo import times
    from mnemo.enums import Actor, Op
    from mnemo.store import Store
    now = times.utc_now()
    print("ready", flush=True)
    sys.stdin.readline()
    store = Store(Path(sys.argv[1]), now=now)
    op = store.journal.operation(Op.ADD, actor=Actor.USER, session="s", now=now)
    with op.batch():
        op.insert(content="added")
    store.close()
"""


def test_damage_that_is_met_later_names_the_backup_and_the_command(
    path: Path, backed_up: list[Path], now: datetime, sql: Callable[..., object]
) -> None:
    path.write_bytes(backed_up[1].read_bytes())
    sql("PRAGMA journal_mode=DELETE")
    [(page,)] = sql("SELECT rootpage FROM sqlite_master WHERE name = 'facts'")  # type: ignore[misc]
    damaged = bytearray(path.read_bytes())
    damaged[(page - 1) * 4096 : page * 4096] = bytes(4096)
    path.write_bytes(damaged)
    with (
        closing(Store(path, now=now)) as store,
        pytest.raises(Damaged, match="damaged") as caught,
        sqlite_errors_named(path),
    ):
        store.facts.get([1, 2])
    assert f"mnemo restore-backup {backed_up[1].name} puts the 2 facts" in caught.value.hint


def test_a_store_that_was_recovered_works_on(
    path: Path, backed_up: list[Path], now: datetime
) -> None:
    Store(path, now=now).close()
    with closing(Store(path, now=now)) as store:
        op = store.journal.operation(Op.ADD, actor=Actor.USER, session="s", now=now)
        with op.batch():
            assert op.insert(content="fact 3") == 3
    assert contents(path) == ["fact 1", "fact 2", "fact 3"]


def test_an_index_that_lost_a_table_is_made_anew(
    path: Path, now: datetime, store: Store, add: Callable[..., int], sql: Callable[..., object]
) -> None:
    add("深色主题")
    store.close()
    sql("DROP TABLE fact_index")
    with closing(Store(path, now=now)) as opened:
        opened.index.catch_up(seconds=60)
        assert opened.index.terms_containing(["深色"]) == ["深色"]
        assert [fact.content for fact in opened.facts.get([1])] == ["深色主题"]


def test_an_index_can_be_emptied_and_filled_again(store: Store, add: Callable[..., int]) -> None:
    add("深色主题")
    store.recreate_index()
    assert store.index.pending() == 1
    assert store.index.terms_containing(["深色"]) == []
    store.index.catch_up(seconds=60)
    assert store.index.terms_containing(["深色"]) == ["深色"]
