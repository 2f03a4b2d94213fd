"""Copies of the whole database, made by SQLite's own online backup, verified, and thinned.

A copy of the file alone would miss what is still in the write-ahead log. A backup counts only
when the copy opens, passes SQLite's quick check and holds as many facts as the original. A file
that somebody else put into the folder is listed with the rest and never removed.
"""

import contextlib
import re
import sqlite3
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mnemo.errors import StoreUnavailable

KEPT_NEWEST = 7  # of each kind
KEPT_DAILY = 7  # one a day for so many days, of each kind

_NAME = re.compile(r"^([a-z]+)-(\d{8}T\d{6}Z)(?:-(\d+))?\.db$")
_OF_SOMEBODY = "other"


@dataclass(frozen=True, slots=True)
class Backup:
    """A file in the backup folder; ``kind`` is ``other`` where it bears no name of ours."""

    path: Path
    kind: str
    moment: datetime  # as its name says, else when the file was last written
    number: int = 1  # of those of one second


def folder_beside(database: Path) -> Path:
    """Where the backups of that database lie."""
    return database.parent / "backup"


def backup_database(
    connection: sqlite3.Connection, folder: Path, *, kind: str, now: datetime
) -> Path:
    """The path of a fresh, verified backup ``<kind>-<stamp>.db`` in ``folder`` (file 0600).

    Raises StoreUnavailable where the copy cannot be written or does not verify; the database
    itself is untouched then.
    """
    path = reserve(folder, kind=kind, now=now)
    fill(connection, path)
    for outdated in superfluous(folder.glob("*.db"), now=now):
        outdated.unlink(missing_ok=True)
    return path


def reserve(folder: Path, *, kind: str, now: datetime) -> Path:
    """An empty file that is the next backup's, in a folder that is made where it is missing."""
    with _failure_named(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _fresh_file(folder, f"{kind}-{now:%Y%m%dT%H%M%SZ}")


def fill(connection: sqlite3.Connection, path: Path) -> None:
    """Copy the database into the reserved file and verify the copy; where that fails, the file is
    gone again.
    """
    with _failure_named(path.parent):
        try:
            _copy(connection, path)
        except BaseException:
            path.unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def _failure_named(folder: Path) -> Generator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise StoreUnavailable(
            f"no backup could be written into {folder}: {error}; nothing was changed",
            hint="check the free space and the permissions of that folder",
        ) from error


def _fresh_file(folder: Path, stem: str) -> Path:
    # Above every number in use: the highest is the newest, also after some were thinned out.
    in_use = [int(m.group(3) or 1) for p in folder.glob(f"{stem}*") if (m := _NAME.match(p.name))]
    number = max(in_use, default=0) + 1
    while True:
        path = folder / (f"{stem}.db" if number == 1 else f"{stem}-{number}.db")
        try:
            path.touch(mode=0o600, exist_ok=False)
        except FileExistsError:
            number += 1  # another process was a moment quicker
        else:
            return path


def _copy(connection: sqlite3.Connection, path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as copy:
        # One read transaction, so that the copy and the count are of the same moment.
        connection.execute("BEGIN")
        try:
            expected = _count_facts(connection)
            connection.backup(copy)
        finally:
            connection.execute("ROLLBACK")
        # One file that stands alone, whatever mode the original is in.
        copy.execute("PRAGMA journal_mode=DELETE")
        verdict = copy.execute("PRAGMA quick_check").fetchone()[0]
        copied = _count_facts(copy)
    if verdict != "ok" or copied != expected:
        raise StoreUnavailable(
            f"the backup {path} did not verify ({verdict}); nothing was changed",
            hint="check the disk, then try again",
        )


def _count_facts(connection: sqlite3.Connection) -> int:
    return connection.execute("SELECT count(*) FROM facts").fetchone()[0]


# -- looking at what there is ----------------------------------------------------------------


def backups_in(folder: Path) -> list[Backup]:
    """The database files of the folder, newest first; none where there is no such folder."""
    found = [backup_at(path) for path in folder.glob("*.db") if path.is_file()]
    return sorted(found, key=lambda b: (b.moment, b.number, b.path.name), reverse=True)


def backup_at(path: Path) -> Backup:
    """What the name of a backup says, or the file's own date where it says nothing."""
    if not (match := _NAME.match(path.name)):
        return Backup(path, _OF_SOMEBODY, datetime.fromtimestamp(path.stat().st_mtime, UTC))
    try:
        moment = datetime.strptime(match.group(2), "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:  # digits that are no moment
        return Backup(path, _OF_SOMEBODY, datetime.fromtimestamp(path.stat().st_mtime, UTC))
    return Backup(path, match.group(1), moment, int(match.group(3) or 1))


def facts_in(file: Path) -> int | None:
    """How many facts a copy holds, of any status; None where it is no sound database of facts.

    The whole file is read.
    """
    try:
        with contextlib.closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        ) as copy:
            count = _count_facts(copy)
            return count if copy.execute("PRAGMA quick_check").fetchone()[0] == "ok" else None
    except sqlite3.Error:
        return None


def newest_sound(folder: Path) -> tuple[Backup, int] | None:
    """The newest backup that is sound and holds facts, and how many; None where none does."""
    for backup in backups_in(folder):
        if count := facts_in(backup.path):
            return backup, count
    return None


# -- thinning out ----------------------------------------------------------------------------


def superfluous(paths: Iterable[Path], *, now: datetime) -> list[Path]:
    """The backups among ``paths`` that need not be kept: of each kind, all but the newest seven,
    and but the newest of each of the last seven days. Files with other names are left alone.
    """
    kinds: dict[str, list[tuple[str, int, Path]]] = {}
    for path in paths:
        if match := _NAME.match(path.name):
            entry = (match.group(2), int(match.group(3) or 1), path)
            kinds.setdefault(match.group(1), []).append(entry)
    return [path for stamped in kinds.values() for path in _superfluous_of_a_kind(stamped, now)]


def _superfluous_of_a_kind(stamped: list[tuple[str, int, Path]], now: datetime) -> list[Path]:
    stamped = sorted(stamped, key=lambda entry: entry[:2], reverse=True)
    kept = {path for *_, path in stamped[:KEPT_NEWEST]}
    earliest = f"{now - timedelta(days=KEPT_DAILY):%Y%m%d}"
    days: set[str] = set()
    for moment, _, path in stamped:
        day = moment[:8]
        if day > earliest and day not in days:
            days.add(day)
            kept.add(path)
    return [path for *_, path in stamped if path not in kept]
