"""A damaged database gives way to its newest backup that is sound; it is never thrown away.

The damaged file stays beside the database under a name of its own, so that whatever can be saved
from it can be saved. Where there is no sound backup, nothing is touched. A file that was emptied
counts as damaged where a backup holds facts: to SQLite it would be a new database. A file that is
missing does not, since somebody may have taken it away on purpose; a new one is made then, with a
word about the backups.
"""

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Generator
from datetime import datetime
from pathlib import Path

from mnemo.errors import Damaged
from mnemo.store.backup import folder_beside, newest_sound
from mnemo.store.connection import sqlite_errors_named
from mnemo.store.turns import PATIENCE_SECONDS


def refuse_emptied(path: Path) -> None:
    """Raise Damaged where the file has lost all its bytes and a backup holds facts."""
    with contextlib.suppress(OSError):
        if path.stat().st_size == 0 and newest_sound(folder_beside(path)):
            raise Damaged(f"the file is empty: {path}")


def loss(path: Path) -> str:
    """A sentence for a memory without facts beside a backup that has some; else empty."""
    found = newest_sound(folder_beside(path))
    if found is None:
        return ""
    backup, count = found
    return (
        f"{path} holds no facts, but the backup {backup.path.name} holds {count}: "
        f"mnemo restore-backup {backup.path.name} brings them back"
    )


@contextlib.contextmanager
def alone_at(path: Path) -> Generator[None]:
    """Keep every other process from making or replacing the database file meanwhile."""
    guard = path.with_name(f".{path.name}.guard")
    with sqlite_errors_named(guard):
        # SQLite's lock works on every system, and a process that dies gives it back. The empty
        # file stays: were it removed, two processes could hold a lock of that name.
        connection = sqlite3.connect(guard, timeout=PATIENCE_SECONDS, isolation_level=None)
        try:
            connection.execute("BEGIN EXCLUSIVE")
            yield
        finally:
            connection.close()


def put_in_place(backup: Path, path: Path, *, now: datetime) -> Path:
    """Give the database's name to a copy of the backup; comes back with where the damaged file
    is now.
    """
    kept = corrupt_name(path, now=now)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    shutil.copyfile(backup, fresh)
    fresh.chmod(0o600)
    # A second name for the damaged file first, so that the database's own name is never free and
    # no other process makes an empty database there.
    try:
        kept.hardlink_to(path)
    except OSError:
        shutil.copyfile(path, kept)
    log = path.with_name(f"{path.name}-wal")
    if log.exists():
        log.replace(kept.with_name(f"{kept.name}-wal"))
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    fresh.replace(path)
    return kept


def corrupt_name(path: Path, *, now: datetime) -> Path:
    """A name beside the database that no file has, for a damaged one."""
    number = 1
    while True:
        suffix = "" if number == 1 else f"-{number}"
        kept = path.with_name(f"{path.stem}.corrupt-{now:%Y%m%dT%H%M%SZ}{suffix}{path.suffix}")
        if not kept.exists():
            return kept
        number += 1
