"""A backup that somebody wants back, put in the database's place while others have it open.

The file is never renamed or written past SQLite: servers keep it open, and what they hold would go
to a file that no longer has a name. Everything that the new content needs (the present schema, the
event in the journal) is done beforehand on a private copy. Then SQLite's online backup copies that
into the live database in one transaction: other connections see the old content or the new one,
and so does whoever opens the file after a power cut. While the write lock is held, and before the
first byte is replaced, what the database holds is backed up; so no write falls between the two.
"""

import contextlib
import json
import secrets
import shutil
import sqlite3
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from mnemo import times
from mnemo.enums import Actor
from mnemo.errors import Damaged, NotFound, Refused, StoreUnavailable
from mnemo.store.backup import facts_in, fill, folder_beside, reserve, superfluous
from mnemo.store.connection import (
    connect,
    sqlite_errors_named,
    transaction,
    use_write_ahead_log,
)
from mnemo.store.locks import DREAM, Locks
from mnemo.store.migrations import SCHEMA_VERSION, migrate, refuse_foreign, schema_version
from mnemo.store.recovery import alone_at, corrupt_name, put_in_place
from mnemo.store.turns import PATIENCE_SECONDS

KIND = "replaced"  # of the backup of what a restore replaced
_SCRATCH = ".restoring-"
_ABANDONED_AFTER_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class Difference:
    """What a restore would do to the facts; counts of facts of any status."""

    facts: int  # in the backup
    facts_now: int
    newer: int  # only in the database now
    changed: int  # in both, and not the same


class Restorable:
    """A sound copy of a backup in a folder of its own, ready to take the database's place."""

    def __init__(self, backup: Path, database: Path, copy: Path) -> None:
        self.backup = backup
        self._database = database
        self._copy = copy

    def difference(self) -> Difference:
        """How the backup and the database differ. Nothing is changed."""
        kept, now = _read_facts(self._copy), _read_facts(self._database)
        return Difference(
            facts=len(kept),
            facts_now=len(now),
            newer=len(now.keys() - kept.keys()),
            changed=sum(1 for i, fact in kept.items() if i in now and now[i] != fact),
        )

    def put_in_place(self, *, actor: Actor, now: datetime) -> Path | None:
        """Let the database hold what the backup holds.

        Comes back with where the content that was replaced is kept; None where there was none.
        No dream may run meanwhile. Raises StoreUnavailable or Refused where it cannot be done; the
        database is as it was then.
        """
        if not self._database.exists() or not self._database.stat().st_size:
            self._note(None, actor=actor, now=now)
            with alone_at(self._database), sqlite_errors_named(self._database):
                _overwrite(self._database, self._copy, first=lambda: None)
            return None
        try:
            with sqlite_errors_named(self._database), _alone(self._database, now=now):
                return self._replace_content(actor=actor, now=now)
        except Damaged:
            # It cannot be opened, or not locked: whoever has it open can do nothing with it either.
            kept = corrupt_name(self._database, now=now)
            self._note(kept, actor=actor, now=now)
            with alone_at(self._database):
                return put_in_place(self._copy, self._database, now=now)

    def _replace_content(self, *, actor: Actor, now: datetime) -> Path:
        with contextlib.closing(connect(self._database)) as reader:
            refuse_foreign(reader, self._database)
            use_write_ahead_log(reader)
            self._agree_with(reader)
            sound = facts_in(self._database) is not None
            kept = (
                reserve(folder_beside(self._database), kind=KIND, now=now)
                if sound
                else corrupt_name(self._database, now=now)
            )
            keep = partial(fill if sound else _copy_pages, reader, kept)
            try:
                self._note(kept, actor=actor, now=now)
                if reader.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
                    _overwrite(self._database, self._copy, first=keep)
                else:  # a file system without it: there, who writes keeps readers out
                    keep()
                    _overwrite(self._database, self._copy, first=lambda: None)
            except BaseException:
                # What is complete stays: who interrupts the very last step has restored already.
                if kept.exists() and not kept.stat().st_size:
                    kept.unlink()
                raise
        for outdated in superfluous(kept.parent.glob("*.db"), now=now) if sound else ():
            outdated.unlink(missing_ok=True)
        return kept

    def _agree_with(self, live: sqlite3.Connection) -> None:
        """Give the copy the page size that the database has, and let no id be used twice."""
        size = live.execute("PRAGMA page_size").fetchone()[0]
        try:
            used = live.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
        except sqlite3.DatabaseError:
            used = []
        with contextlib.closing(connect(self._copy)) as copy:
            with transaction(copy):
                for name, number in used:
                    copy.execute(
                        "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?",
                        (number, name),
                    )
                    copy.execute(
                        "INSERT INTO sqlite_sequence SELECT ?, ? WHERE NOT EXISTS "
                        "(SELECT 1 FROM sqlite_sequence WHERE name = ?) "
                        "AND EXISTS (SELECT 1 FROM sqlite_master WHERE name = ?)",
                        (name, number, name, name),
                    )
            if copy.execute("PRAGMA page_size").fetchone()[0] != size:
                copy.execute(f"PRAGMA page_size={int(size)}")
                copy.execute("VACUUM")

    def _note(self, kept: Path | None, *, actor: Actor, now: datetime) -> None:
        detail = {"backup": str(self.backup), "replaced": None if kept is None else str(kept)}
        with contextlib.closing(connect(self._copy)) as copy, transaction(copy):
            # Locks that were held while the backup was made are nobody's.
            copy.execute("DELETE FROM meta WHERE k LIKE 'lock:%'")
            copy.execute(
                "INSERT INTO audit_log(t, actor, action, detail) "
                "VALUES (?, ?, 'RESTORE-BACKUP', ?)",
                (times.stamp(now), actor, json.dumps(detail, ensure_ascii=False)),
            )


@contextlib.contextmanager
def restorable(backup: Path, database: Path, *, now: datetime) -> Generator[Restorable]:
    """The backup, made ready; the database is not touched, and the backup neither.

    Raises NotFound where there is no such file, Refused where it cannot be restored.
    """
    if not backup.is_file():
        raise NotFound(f"there is no backup {backup}", hint="mnemo backups lists what there is")
    if database.exists() and backup.samefile(database):
        raise Refused(f"{backup} is the database itself", hint="mnemo backups lists the backups")
    with _private_folder(database) as folder:
        copy = folder / database.name
        _copy_checked(backup, copy)
        with sqlite_errors_named(backup), contextlib.closing(connect(copy)) as connection:
            migrate(connection, copy, now=now)
        yield Restorable(backup, database, copy)


@contextlib.contextmanager
def _private_folder(database: Path) -> Generator[Path]:
    try:
        database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for left in database.parent.glob(f"{_SCRATCH}*"):
            if time.time() - left.stat().st_mtime > _ABANDONED_AFTER_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
        folder = database.parent / f"{_SCRATCH}{secrets.token_hex(4)}"
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise StoreUnavailable(
            f"the backup cannot be copied into {database.parent}: {error.strerror or error}",
            hint="check the free space and the permissions of that folder",
        ) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _copy_checked(backup: Path, copy: Path) -> None:
    count = facts_in(backup)
    if count is None:
        raise Refused(
            f"{backup} is no sound backup of a memory; nothing was changed",
            hint="mnemo backups says which are sound",
        )
    if count == 0:
        raise Refused(
            f"{backup} holds no facts; nothing was changed",
            hint="mnemo backups says what each holds",
        )
    try:
        with (
            contextlib.closing(
                sqlite3.connect(f"{backup.absolute().as_uri()}?mode=ro", uri=True)
            ) as source,
            contextlib.closing(sqlite3.connect(copy)) as target,
        ):
            source.row_factory = sqlite3.Row
            version = schema_version(source)
            if version > SCHEMA_VERSION:
                raise Refused(
                    f"{backup} was written by a newer mnemo (schema {version}, this one knows "
                    f"{SCHEMA_VERSION}); nothing was changed",
                    hint="update mnemo, then restore it",
                )
            columns = {row["name"] for row in source.execute("PRAGMA table_info(facts)")}
            if not {"fact_id", "content"} <= columns:
                raise Refused(
                    f"{backup} is a database, but not a fact memory; nothing was changed",
                    hint="mnemo backups lists what there is",
                )
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
    except (OSError, sqlite3.Error) as error:
        raise StoreUnavailable(
            f"{backup} could not be copied: {error}; nothing was changed",
            hint="check the free space of the disk",
        ) from error


@contextlib.contextmanager
def _alone(database: Path, *, now: datetime) -> Generator[None]:
    """No dream runs meanwhile in the database as it is, unless that is too old for locks."""
    with contextlib.closing(connect(database)) as connection:
        if schema_version(connection) == 0:
            yield
            return
        # After a restore the new content knows this lock not, and nothing has to be given back.
        with Locks(connection).held(DREAM, now=now, refusal="a dream is running"):
            yield


def _overwrite(database: Path, copy: Path, *, first: Callable[[], None]) -> None:
    """Copy ``copy`` over the database in one transaction; ``first`` is called once nobody else can
    write any more, and what it raises leaves the database as it was.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    is_locked = False

    def go_on(status: int, _remaining: int, _total: int) -> None:
        nonlocal is_locked
        if status == sqlite3.SQLITE_OK and not is_locked:
            is_locked = True
            first()
        elif not is_locked and time.monotonic() > deadline:
            raise StoreUnavailable(
                "another process is writing and did not finish in time: nothing was changed",
                hint="try again",
            )

    with (
        contextlib.closing(connect(copy)) as source,
        contextlib.closing(connect(database)) as target,
    ):
        target.execute("PRAGMA synchronous=FULL")
        # One page a step: the first step takes the write lock, and no database is complete after
        # one page.
        source.backup(target, pages=1, progress=go_on, sleep=0.02)


def _copy_pages(connection: sqlite3.Connection, path: Path) -> None:
    """Keep a damaged database as it is; SQLite copies its pages without understanding them."""
    path.touch(mode=0o600)
    with contextlib.closing(sqlite3.connect(path)) as copy:
        connection.backup(copy)


def _read_facts(database: Path) -> dict[int, tuple[object, ...]]:
    """Each fact with what a person sees of it; none where the file cannot be read."""
    try:
        with contextlib.closing(
            sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)
        ) as connection:
            there = {row[1] for row in connection.execute("PRAGMA table_info(facts)")}
            columns = [name if name in there else default for name, default in _SEEN.items()]
            rows = connection.execute(f"SELECT fact_id, {', '.join(columns)} FROM facts")
            return {fact_id: tuple(values) for fact_id, *values in rows}
    except sqlite3.Error:
        return {}


_SEEN = {
    "content": "''",
    "category": "''",
    "tags": "''",
    "summary": "NULL",
    "status": "'active'",
}
