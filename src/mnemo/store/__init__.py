"""The only SQL in the house.

`Store` is one connection to one database file and the rooms that work on it. It opens lazily
made files, migrates older ones, and notices a newer schema; what the facts mean is for the
floors above.
"""

import json
import logging
import sqlite3
from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path

from mnemo import times
from mnemo.errors import Damaged
from mnemo.store.backup import backup_database, folder_beside, newest_sound
from mnemo.store.connection import (
    connect,
    sqlite_errors_named,
    transaction,
    use_write_ahead_log,
)
from mnemo.store.entities import Entities
from mnemo.store.events import Asked, Events, Grouping, StoredEvent
from mnemo.store.evidence import Evidence
from mnemo.store.facts import Facts, Filter
from mnemo.store.forgetting import Forgetting, deleting_securely, erase, scrub
from mnemo.store.history import Change, Chapter, History, PastOperation, operation_name
from mnemo.store.index import INDEXED, Index
from mnemo.store.journal import Journal, Operation
from mnemo.store.locks import DREAM, Locks
from mnemo.store.meta import Meta
from mnemo.store.migrations import migrate, recreate_index, refuse_foreign, schema_version
from mnemo.store.recovery import alone_at, loss, put_in_place, refuse_emptied
from mnemo.store.retrievals import Recalled, Retrievals
from mnemo.store.trust import Judging, Look, Rule, judging

__all__ = [
    "DREAM",
    "INDEXED",
    "Asked",
    "Change",
    "Chapter",
    "Filter",
    "Grouping",
    "Look",
    "Operation",
    "PastOperation",
    "Recalled",
    "Store",
    "StoreError",
    "StoredEvent",
    "operation_name",
    "sqlite_errors_named",
]

# What SQLite raises, for the few places above that go on without a write.
StoreError = sqlite3.Error


_log = logging.getLogger("mnemo")


def _opened(path: Path, *, now: datetime) -> sqlite3.Connection:
    if path.exists() or not (lost := loss(path)):
        return _opened_as_it_is(path, now=now)
    with alone_at(path):
        if not path.exists():
            _log.warning("%s", lost)
        return _opened_as_it_is(path, now=now)


def _opened_as_it_is(path: Path, *, now: datetime) -> sqlite3.Connection:
    refuse_emptied(path)
    connection = connect(path)
    try:
        with sqlite_errors_named(path):
            refuse_foreign(connection, path)
            use_write_ahead_log(connection)
            migrate(connection, path, now=now)
    except BaseException:
        connection.close()
        raise
    return connection


def _recovered(path: Path, damage: Damaged, *, now: datetime) -> sqlite3.Connection:
    """A connection to the newest sound backup, put in the damaged database's place."""
    found = newest_sound(folder_beside(path))
    if found is None:
        raise damage
    with alone_at(path):
        try:
            return _opened_as_it_is(path, now=now)  # another process was a moment quicker
        except Damaged:
            backup = found[0].path
            kept = put_in_place(backup, path, now=now)
        connection = _opened_as_it_is(path, now=now)
    _log.warning("%s; the backup %s took its place, the damaged file is %s", damage, backup, kept)
    with transaction(connection):
        connection.execute(
            "INSERT INTO audit_log(t, actor, action, detail) VALUES (?, 'system', 'ROLLBACK', ?)",
            (times.stamp(now), json.dumps({"backup": str(backup), "damaged": str(kept)})),
        )
    return connection


class Store:
    """One connection to the database. Not for use by two threads at the same time."""

    def __init__(self, path: Path, *, now: datetime) -> None:
        """Open the file, made or migrated where needed.

        Raises StoreUnavailable where it cannot be used.
        """
        self.path = path
        try:
            self._connection = _opened(path, now=now)
        except Damaged as damage:
            self._connection = _recovered(path, damage, now=now)
        self.facts = Facts(self._connection)
        self.index = Index(self._connection)
        self.entities = Entities(self._connection)
        self.journal = Journal(self._connection)
        self.history = History(self._connection)
        self.events = Events(self._connection)
        self.forgetting = Forgetting(self._connection)
        self.retrievals = Retrievals(self._connection)
        self.locks = Locks(self._connection)
        self.meta = Meta(self._connection)
        self.evidence = Evidence(self._connection)

    @contextmanager
    def transaction(self) -> Generator[None]:
        """A transaction for what is no change of facts: keys of `meta`."""
        with transaction(self._connection):
            yield

    def judging(self, rule: Rule, *, looks: Iterable[Look] = ()) -> AbstractContextManager[Judging]:
        """A pass of this rule over the active facts; ``looks`` moves where the present window of
        evidence of those facts begins.
        """
        return judging(self._connection, rule, looks=looks)

    def backup(self, *, kind: str, now: datetime) -> Path:
        """The path of a fresh, verified backup in ``backup/`` beside the database."""
        return backup_database(self._connection, folder_beside(self.path), kind=kind, now=now)

    def erase(self, operation: Operation, fact_ids: Sequence[int]) -> None:
        """Delete facts for good, with what the journal and the index hold of them; the operation
        says so in an event without a word of theirs.
        """
        with deleting_securely(self._connection):
            with operation.batch():
                erase(self._connection, fact_ids)
                for fact_id in fact_ids:
                    operation.event("PURGE", fact_id)
            scrub(self._connection)

    def recreate_index(self) -> None:
        """Empty the index and mark every fact for it."""
        with transaction(self._connection):
            recreate_index(self._connection)

    def schema_version(self) -> int:
        """The version of the schema in the file."""
        return schema_version(self._connection)

    def close(self) -> None:
        """Close the connection; what was committed is on disk."""
        self._connection.close()
