"""A backup is a copy that was looked at; few of them are kept, and the right ones."""

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemo.errors import StoreUnavailable
from mnemo.store import Store
from mnemo.store.backup import backups_in, facts_in, newest_sound, superfluous
from tests.store import ancestors


def named(*stamps: str) -> list[Path]:
    return [Path(f"/backup/dream-{stamp}.db") for stamp in stamps]


def test_a_backup_holds_what_is_still_in_the_log(
    store: Store, add: Callable[..., int], path: Path, now: datetime
) -> None:
    add("written a moment ago")
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as plain:
        # The file alone, without its log, does not even know the tables yet.
        assert plain.execute("SELECT * FROM sqlite_master").fetchall() == []
    backup = store.backup(kind="dream", now=now)
    assert [row["content"] for row in ancestors.rows(backup, "facts")] == ["written a moment ago"]


def test_a_backup_stands_alone_beside_the_database(
    store: Store, add: Callable[..., int], path: Path, now: datetime
) -> None:
    add("a fact")
    backup = store.backup(kind="dream", now=now)
    assert backup == path.parent / "backup" / "dream-20260514T120000Z.db"
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert stat.S_IMODE(backup.parent.stat().st_mode) == 0o700
    assert [file.name for file in backup.parent.iterdir()] == [backup.name]
    with closing(Store(backup, now=now)) as opened:
        assert [fact.content for fact in opened.facts.get([1])] == ["a fact"]


def test_backups_of_one_second_get_names_of_their_own(store: Store, now: datetime) -> None:
    names = [store.backup(kind="dream", now=now).name for _ in range(3)]
    assert names == [
        "dream-20260514T120000Z.db",
        "dream-20260514T120000Z-2.db",
        "dream-20260514T120000Z-3.db",
    ]


def test_a_fresh_backup_is_kept_however_many_its_second_has(store: Store, now: datetime) -> None:
    for _ in range(12):
        backup = store.backup(kind="dream", now=now)
        assert backup.exists()
    assert len(list(backup.parent.iterdir())) == 7


def test_many_starts_in_a_minute_leave_the_backup_of_yesterday(store: Store, now: datetime) -> None:
    yesterday = store.backup(kind="dream", now=now - timedelta(days=1))
    for second in range(10):
        latest = store.backup(kind="dream", now=now + timedelta(seconds=second))
    kept = set(latest.parent.iterdir())
    assert len(kept) == 8
    assert {yesterday, latest} <= kept


def test_the_newest_seven_are_kept_and_one_a_day_for_a_week(now: datetime) -> None:
    days = [f"202605{day:02}T{hour:02}0000Z" for day in range(1, 15) for hour in (3, 9)]
    gone = {path.name for path in superfluous(named(*days), now=now)}
    kept = sorted(path.name for path in named(*days) if path.name not in gone)
    assert kept == sorted(
        path.name
        for path in named(
            *(f"202605{day:02}T090000Z" for day in range(8, 15)),
            *(f"202605{day:02}T030000Z" for day in (12, 13, 14)),
        )
    )


def test_seven_are_kept_however_old_they_are(now: datetime) -> None:
    old = named(*(f"20250{month}01T000000Z" for month in range(1, 9)))
    assert superfluous(old, now=now) == old[:1]


def test_files_with_other_names_are_left_alone(now: datetime) -> None:
    others = [Path(name) for name in ("facts.db", "dream-yesterday.db", "before-upgrade.db")]
    assert superfluous(others * 9, now=now) == []


def test_no_kind_of_backup_pushes_another_kind_out(now: datetime) -> None:
    manual = [Path("manual-20240101T000000Z.db"), Path("replaced-20240101T000000Z.db")]
    dreams = [Path(f"dream-20250101T0000{second:02}Z.db") for second in range(9)]
    assert sorted(superfluous([*dreams, *manual], now=now)) == dreams[:2]


def test_a_backup_that_fails_leaves_no_file_and_no_change(
    store: Store, add: Callable[..., int], sql: Callable[..., object], now: datetime
) -> None:
    add("a fact")
    folder = store.backup(kind="dream", now=now).parent
    # What another program made of the file: it can no longer be said how many facts there are.
    sql("ALTER TABLE facts RENAME TO elsewhere")
    with pytest.raises(StoreUnavailable, match="no backup could be written"):
        store.backup(kind="dream", now=now + timedelta(hours=1))
    assert [file.name for file in folder.iterdir()] == ["dream-20260514T120000Z.db"]
    assert sql("SELECT content FROM elsewhere") == [("a fact",)]


def test_a_store_can_be_written_after_a_backup_that_failed(
    store: Store, add: Callable[..., int], path: Path, now: datetime
) -> None:
    (path.parent / "backup").write_text("a file where the folder belongs")
    with pytest.raises(StoreUnavailable, match="nothing was changed"):
        store.backup(kind="dream", now=now)
    assert add("a fact") == 1


# -- looking at what there is ----------------------------------------------------------------


def test_backups_are_listed_newest_first_by_the_moment_in_their_names(
    store: Store, now: datetime
) -> None:
    later = store.backup(kind="manual", now=now + timedelta(hours=1))
    first, second = (store.backup(kind="dream", now=now) for _ in range(2))
    backups = backups_in(first.parent)
    assert [backup.path for backup in backups] == [later, second, first]
    assert [(b.kind, b.moment) for b in backups[:2]] == [
        ("manual", now + timedelta(hours=1)),
        ("dream", now),
    ]


def test_a_file_with_a_name_of_its_own_is_listed_by_its_date(store: Store, now: datetime) -> None:
    backup = store.backup(kind="dream", now=now)
    for name in ("旧的 记忆.db", "dream-99999999T999999Z.db"):
        shutil.copy(backup, backup.with_name(name))
        os.utime(backup.with_name(name), (1_600_000_000, 1_600_000_000))
    listed = backups_in(backup.parent)
    assert [b.kind for b in listed] == ["dream", "other", "other"]
    assert listed[1].moment == datetime.fromtimestamp(1_600_000_000, UTC)


def test_a_folder_that_is_not_there_holds_no_backups(tmp_path: Path) -> None:
    assert backups_in(tmp_path / "backup") == []
    assert newest_sound(tmp_path / "backup") is None


def test_only_a_sound_database_of_facts_has_a_number_of_facts(
    store: Store, add: Callable[..., int], now: datetime, tmp_path: Path
) -> None:
    add("a fact")
    backup = store.backup(kind="dream", now=now)
    assert facts_in(backup) == 1
    (tmp_path / "text.db").write_text("no database")
    (tmp_path / "cut.db").write_bytes(backup.read_bytes()[:-8192])
    with closing(sqlite3.connect(tmp_path / "songs.db")) as songs:
        songs.execute("CREATE TABLE songs(title)")
    for name in ("text.db", "cut.db", "songs.db", "missing.db"):
        assert facts_in(tmp_path / name) is None
    assert not (tmp_path / "missing.db").exists()


def test_an_empty_backup_is_passed_over_for_one_that_holds_facts(
    store: Store, add: Callable[..., int], sql: Callable[..., object], now: datetime
) -> None:
    add("a fact")
    full = store.backup(kind="dream", now=now)
    sql("DELETE FROM facts")
    store.backup(kind="dream", now=now + timedelta(hours=1))
    found = newest_sound(full.parent)
    assert found is not None
    assert (found[0].path, found[1]) == (full, 1)


def test_a_full_disk_leaves_no_half_a_backup(
    path: Path, store: Store, add: Callable[..., int], start_process: Callable[..., Any]
) -> None:
    for number in range(50):
        add(f"fact {number} " + "long " * 200)
    process = start_process(
        """if True:
        import resource, sys
        from pathlib import Path
        from mnemo import times
        from mnemo.errors import StoreUnavailable
        from mnemo.store import Store
        store = Store(Path(sys.argv[1]), now=times.utc_now())
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
        try:
            store.backup(kind="manual", now=times.utc_now())
        except StoreUnavailable as error:
            print(error)
        """,
        path,
    )
    told, _ = process.communicate()
    assert "no backup could be written into" in told
    assert list((path.parent / "backup").iterdir()) == []
