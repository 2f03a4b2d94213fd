"""Copies of the whole database, made by SQLite's own online backup, verified, and thinned.

A copy of the file alone would miss what is still in the write-ahead log. A backup counts only
when the copy opens, passes SQLite's quick check and holds as many facts as the original.
"""

import contextlib
import re
import sqlite3
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from mnemo.errors import StoreUnavailable

KEPT_NEWEST = 7
KEPT_DAILY = 7  # one a day for so many days

_NAME = re.compile(r"^[a-z]+-(\d{8}T\d{6}Z)(?:-(\d+))?\.db$")


def backup_database(
    connection: sqlite3.Connection, folder: Path, *, kind: str, now: datetime
) -> Path:
    """The path of a fresh, verified backup ``<kind>-<stamp>.db`` in ``folder`` (file 0600).

    Raises StoreUnavailable where the copy cannot be written or does not verify; the database
    itself is untouched then.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = _fresh_file(folder, f"{kind}-{now:%Y%m%dT%H%M%SZ}")
        try:
            _copy(connection, path)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    except (OSError, sqlite3.Error) as error:
        raise StoreUnavailable(
            f"no backup could be written into {folder}: {error}; nothing was changed",
            hint="check the free space and the permissions of that folder",
        ) from error
    for outdated in superfluous(folder.glob("*.db"), now=now):
        outdated.unlink(missing_ok=True)
    return path


def _fresh_file(folder: Path, stem: str) -> Path:
    # Above every number in use: the highest is the newest, also after some were thinned out.
    in_use = [int(m.group(2) or 1) for p in folder.glob(f"{stem}*") if (m := _NAME.match(p.name))]
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


def superfluous(paths: Iterable[Path], *, now: datetime) -> list[Path]:
    """The backups among ``paths`` that need not be kept: all but the newest seven, and but the
    newest of each of the last seven days. Files with other names are left alone.
    """
    stamped = sorted(
        ((m.group(1), int(m.group(2) or 1), p) for p in paths if (m := _NAME.match(p.name))),
        key=lambda entry: (entry[0], entry[1], entry[2].name),
        reverse=True,
    )
    kept = {path for *_, path in stamped[:KEPT_NEWEST]}
    earliest = f"{now - timedelta(days=KEPT_DAILY):%Y%m%d}"
    days: set[str] = set()
    for moment, _, path in stamped:
        day = moment[:8]
        if day > earliest and day not in days:
            days.add(day)
            kept.add(path)
    return [path for *_, path in stamped if path not in kept]
