"""A damaged database gives way to its newest sound backup, and is kept."""

import logging
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from mnemo.enums import Actor, Op
from mnemo.errors import Damaged
from mnemo.store import Store
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
