"""The one file: how it is opened, who may read it, and how a transaction is held.

A connection is in autocommit mode and every write happens inside `transaction`, which takes the
write lock at once (BEGIN IMMEDIATE), so that no reader turns into a writer half-way and two
processes never deadlock. Facts are written with a sync at each commit; the retrieval log, which
may lose its last lines to a power cut but never to a crash of the process, without.
"""

import contextlib
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Generator
from operator import methodcaller
from pathlib import Path
from typing import Any

from mnemo.errors import Damaged, StoreUnavailable
from mnemo.store.backup import folder_beside, newest_sound
from mnemo.store.turns import PATIENCE_SECONDS, Turns, is_busy

OLDEST_SQLITE = (3, 35, 0)

# While one thread makes the file, no other may have it open: see `_create`.
_creating = threading.Lock()


class _Connection(sqlite3.Connection):
    """A connection that takes turns with others; several threads may not use it at once."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.turns = Turns()


def connect(path: Path) -> sqlite3.Connection:
    """A connection to the database file, made where there is none (folder 0700, file 0600).

    Nothing is written into a file that is there.

    Raises StoreUnavailable where the file or its folder cannot be used.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreUnavailable(
            f"SQLite {sqlite3.sqlite_version} is too old",
            hint=f"mnemo needs SQLite {'.'.join(map(str, OLDEST_SQLITE))} or newer with FTS5",
        )
    with _creating, sqlite_errors_named(path):
        _make_private_file(path)
        connection = _opened(path)
        try:
            connection.row_factory = sqlite3.Row
            # Another program may have written what is no UTF-8; the other facts are still served.
            connection.text_factory = _TEXT
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("PRAGMA foreign_keys=ON")
        except BaseException:
            connection.close()
            raise
    return connection


def _opened(path: Path) -> sqlite3.Connection:
    connection = _opened_as(path)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError as error:
        connection.close()
        if not error.sqlite_errorname.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY")):
            raise
        # In a folder that can only be read, the index of the write-ahead log cannot be made: the
        # file is read as it lies.
        return _opened_as(f"{path.as_uri()}?immutable=1")
    except BaseException:
        connection.close()
        raise
    return connection


def _opened_as(target: Path | str) -> sqlite3.Connection:
    return sqlite3.connect(
        target,
        timeout=PATIENCE_SECONDS,
        factory=_Connection,
        isolation_level=None,
        check_same_thread=False,
        uri=isinstance(target, str),
    )


# Called for every text that is read; in Python itself it would take thrice as long.
_TEXT = methodcaller("decode", "utf-8", "replace")


def _make_private_file(path: Path) -> None:
    try:
        if path.is_dir():
            raise StoreUnavailable(
                f"{path} is a folder, not a database file",
                hint="set MNEMO_DB_PATH to a file, or MNEMO_HOME to a folder",
            )
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            _create(path.resolve())
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
    except OSError as error:
        if _can_still_be_read(path):
            return
        raise StoreUnavailable(
            f"the database {path} cannot be opened: {error.strerror or error}",
            hint="check the owner and the permissions of the file and of its folder",
        ) from error


def _create(path: Path) -> None:
    # By us rather than by SQLite, so that others can never read it, not even for a moment; SQLite
    # gives the -wal and -shm files the same mode. A file that is there is opened by SQLite alone:
    # to close it here would drop the locks of this process's other connections.
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def _can_still_be_read(path: Path) -> bool:
    # Also where the folder may not be looked into, which Path.is_file would raise for.
    return os.path.isfile(path) and os.access(path, os.R_OK)  # noqa: PTH113


def use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch to WAL, where the file is in another mode.

    SQLite's busy timeout does not cover this switch, so we wait ourselves.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")):
                return  # a store that can only be read is read in the mode that it has
            if not is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


@contextlib.contextmanager
def transaction(
    connection: sqlite3.Connection, *, durable: bool = True, patience: float = PATIENCE_SECONDS
) -> Generator[None]:
    """Everything inside is written together or not at all; ``durable``: synced before it ends.

    Another connection's transaction is waited for, for ``patience`` seconds.
    """
    turns = connection.turns if isinstance(connection, _Connection) else Turns()
    if durable:
        connection.execute("PRAGMA synchronous=FULL")
    try:
        with turns.turn(connection, patience=patience):
            try:
                yield
                connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise
    finally:
        if durable:
            connection.execute("PRAGMA synchronous=NORMAL")


@contextlib.contextmanager
def sqlite_errors_named(path: Path) -> Generator[None]:
    """Turn SQLite's errors into sentences about the file at ``path``."""
    try:
        yield
    except sqlite3.Error as error:
        name: str = getattr(error, "sqlite_errorname", "") or ""
        message, hint = _in_words(name, error)
        if name.startswith(_DAMAGE):
            raise Damaged(f"{message}: {path}", hint=_what_can_replace(path)) from error
        raise StoreUnavailable(f"{message}: {path}", hint=hint) from error


def _what_can_replace(path: Path) -> str:
    found = newest_sound(folder_beside(path))
    if found is None:
        return (
            "it was left as it is; set MNEMO_DB_PATH to another file, or let "
            "mnemo restore-backup FILE put a sound copy in its place"
        )
    backup, count = found
    return (
        f"it was left as it is; mnemo restore-backup {backup.path.name} puts the {count} facts of "
        f"{backup.moment:%Y-%m-%d %H:%M} UTC in its place and keeps what was damaged"
    )


def _in_words(name: str, error: sqlite3.Error) -> tuple[str, str]:
    for prefix, message, hint in _WORDS:
        if name.startswith(prefix):
            return message, hint
    if "no such table" in str(error):
        return (
            f"a part of the database is missing ({error})",
            "try again: what can be made from the facts is made anew when it is next opened",
        )
    if "no such module: fts5" in str(error):
        return (
            "this Python's SQLite has no FTS5",
            f"use a Python with a complete SQLite; this one is {sys.executable}",
        )
    return f"the database failed ({error})", "nothing was half-written; try again"


_DAMAGE = ("SQLITE_NOTADB", "SQLITE_CORRUPT")
_WORDS = (
    ("SQLITE_BUSY", "another process is writing and did not finish in time", "try again"),
    ("SQLITE_LOCKED", "another process is writing and did not finish in time", "try again"),
    ("SQLITE_FULL", "the disk is full; nothing was written", "free some space and try again"),
    ("SQLITE_READONLY", "the database can only be read", "check the permissions of the file"),
    ("SQLITE_CANTOPEN", "the database cannot be opened", "check the path and its permissions"),
    ("SQLITE_NOTADB", "the file is not a database", ""),
    ("SQLITE_CORRUPT", "the database is damaged", ""),
    ("SQLITE_IOERR", "the disk did not answer", "check the disk and try again"),
)
