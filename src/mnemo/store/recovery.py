"""A damaged database gives way to its newest backup that is sound; it is never thrown away.

The damaged file stays beside the database under a name of its own, so that whatever can be saved
from it can be saved. Where there is no sound backup, nothing is touched.
"""

import contextlib
import os
import shutil
import sqlite3
from datetime import datetime
from pathlib import Path


def recover(path: Path, *, now: datetime) -> tuple[Path, Path] | None:
    """Put the newest sound backup in the database's place.

    Comes back with the backup used and where the damaged file is now; None where there is no
    sound backup, and nothing was changed then.
    """
    for backup in _newest_first(path.parent / "backup"):
        if _is_sound(backup):
            return backup, _put_in_place(backup, path, now=now)
    return None


def _newest_first(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.db"), key=lambda file: file.stat().st_mtime, reverse=True)


def _is_sound(file: Path) -> bool:
    try:
        with contextlib.closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as copy:
            copy.execute("SELECT count(*) FROM facts").fetchone()
            return copy.execute("PRAGMA quick_check").fetchone()[0] == "ok"
    except sqlite3.Error:
        return False


def _put_in_place(backup: Path, path: Path, *, now: datetime) -> Path:
    kept = path.with_name(f"{path.stem}.corrupt-{now:%Y%m%dT%H%M%SZ}{path.suffix}")
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
