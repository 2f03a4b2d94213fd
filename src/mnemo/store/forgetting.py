"""What the journal lets go of: old operations, a few at a time, and a fact that is erased for good.

Old: older than a year and a month, or beyond the newest fifty thousand events. An operation goes
whole, with its changes and events, and together with what it takes back or what took it back; it
stays while any event of theirs is kept. It is marked first, so that nobody can take back half of
what is half forgotten. Forgetting never touches a fact.
"""

import contextlib
import json
import sqlite3
from collections.abc import Generator, Sequence
from datetime import datetime, timedelta

from mnemo import times
from mnemo.store.connection import transaction
from mnemo.store.history import ERASED, FORGOTTEN
from mnemo.store.index import Index

KEPT_EVENTS = 50_000
KEPT = timedelta(days=400)
_OPERATIONS_AT_ONCE = 200
_CHANGES_AT_ONCE = 5_000
_INDEX_PAGES_AT_ONCE = 500


_Old = dict[str, int | str]  # beyond which event and before which moment


class Forgetting:
    """Deleting from the journal."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def forget_next(
        self, *, now: datetime, events: int = KEPT_EVENTS, age: timedelta = KEPT
    ) -> bool:
        """Let go of some of what is old, in one short transaction; False where nothing is left."""
        last = self._last_superfluous_event(events)
        old: _Old = {"last": last, "oldest": times.stamp(now - age)}
        if not self._is_left(old):
            return False
        with transaction(self._connection):
            self._mark(old)
            done = self._delete_changes()
            if done:
                self._connection.execute("DELETE FROM operations WHERE kind = ?", (FORGOTTEN,))
        return True

    def _last_superfluous_event(self, kept: int) -> int:
        row = self._connection.execute(
            "SELECT id FROM audit_log ORDER BY id DESC LIMIT 1 OFFSET ?", (kept,)
        ).fetchone()
        return 0 if row is None else row["id"]

    def _is_left(self, old: _Old) -> bool:
        may_be, stray, marked = self._connection.execute(_ANYTHING, old).fetchone()
        return bool(stray or marked or (may_be and self._old_operations(old, limit=1)))

    def _old_operations(self, old: _Old, *, limit: int) -> list[int]:
        rows = self._connection.execute(_OLD_OPERATIONS, old | {"limit": limit})
        return [row["op_id"] for row in rows]

    def _mark(self, old: _Old) -> None:
        """Take the events of old operations, and let nobody take these back any more."""
        asked = json.dumps(self._old_operations(old, limit=_OPERATIONS_AT_ONCE))
        self._connection.execute(
            "DELETE FROM audit_log WHERE op_id IN (SELECT value FROM json_each(?))", (asked,)
        )
        self._connection.execute(
            f"UPDATE operations SET kind = '{FORGOTTEN}', undoes = NULL, undone_by = op_id "
            "WHERE op_id IN (SELECT value FROM json_each(?))",
            (asked,),
        )
        self._connection.execute(
            f"DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log WHERE {_STRAY} LIMIT "
            f"{_CHANGES_AT_ONCE})",
            old,
        )

    def _delete_changes(self) -> bool:
        """Whether no change of a marked operation is left after a portion was deleted."""
        deleted = self._connection.execute(
            "DELETE FROM changes WHERE rowid IN (SELECT c.rowid FROM operations AS o "
            "CROSS JOIN changes AS c USING (op_id) WHERE o.kind = ? LIMIT ?)",
            (FORGOTTEN, _CHANGES_AT_ONCE),
        ).rowcount
        return deleted < _CHANGES_AT_ONCE


# An event that belongs to no operation goes by itself.
_STRAY = "op_id IS NULL AND (id <= :last OR t < :oldest)"

# One that has no event goes by its own age.
_OLD = """
NOT EXISTS (SELECT 1 FROM audit_log AS e WHERE e.op_id = o.op_id
            AND e.id > :last AND e.t >= :oldest)
AND (o.started_at < :oldest OR EXISTS (SELECT 1 FROM audit_log AS e WHERE e.op_id = o.op_id))
"""

_ANYTHING = f"""
SELECT EXISTS (SELECT 1 FROM audit_log WHERE id <= :last)
       OR EXISTS (SELECT 1 FROM audit_log WHERE t < :oldest)
       OR EXISTS (SELECT 1 FROM operations WHERE started_at < :oldest),
       EXISTS (SELECT 1 FROM audit_log WHERE {_STRAY}),
       EXISTS (SELECT 1 FROM operations WHERE kind = '{FORGOTTEN}')
"""

# With everything that it takes back or that took it back, over any number of steps.
_OLD_OPERATIONS = f"""
SELECT o.op_id FROM operations AS o
WHERE o.kind <> '{FORGOTTEN}' AND {_OLD} AND NOT EXISTS (
  WITH RECURSIVE tied(op_id) AS (
    SELECT o.op_id
    UNION
    SELECT other.op_id FROM tied JOIN operations AS own ON own.op_id = tied.op_id
    JOIN operations AS other ON other.undoes = own.op_id OR other.op_id = own.undoes
  )
  SELECT 1 FROM tied JOIN operations AS o USING (op_id) WHERE NOT ({_OLD})
)
ORDER BY o.op_id LIMIT :limit
"""


def erase(connection: sqlite3.Connection, fact_ids: Sequence[int]) -> None:
    """Delete these facts with everything that the store knows of them, inside the caller's
    transaction.

    Their changes stay as bare marks, so that what else those operations did can still be taken
    back; their ids stay in the results of logged searches.
    """
    asked = json.dumps(list(fact_ids))
    ids = "(SELECT value FROM json_each(?))"
    named = "(SELECT CAST(value AS TEXT) FROM json_each(?))"
    survivors = [
        row["merged_into"]
        for row in connection.execute(
            f"SELECT merged_into FROM facts WHERE fact_id IN {ids} AND merged_into IS NOT NULL",
            (asked,),
        )
    ]
    connection.execute(f"DELETE FROM facts WHERE fact_id IN {ids}", (asked,))
    connection.execute(
        f"UPDATE changes SET before = NULL, after = '{{}}', reason = '{ERASED}' "
        f"WHERE fact_id IN {ids}",
        (asked,),
    )
    connection.execute(f"UPDATE audit_log SET detail = '{{}}' WHERE entry_id IN {named}", (asked,))
    Index(connection).refresh([*fact_ids, *survivors])


def scrub(connection: sqlite3.Connection) -> None:
    """Let the file itself hold nothing any more of what was erased just now."""
    # The full-text index writes its pages anew, a portion at a time, without what was deleted.
    pages = -_INDEX_PAGES_AT_ONCE
    while True:
        before = connection.total_changes
        with transaction(connection):
            connection.execute(
                "INSERT INTO fact_index(fact_index, rank) VALUES ('merge', ?)", (pages,)
            )
        if connection.total_changes - before < 2:  # so SQLite says that nothing was left to do
            break
        pages = abs(pages)
    with contextlib.suppress(sqlite3.OperationalError):
        # Where others read, their pages stay in the log until they are done.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


@contextlib.contextmanager
def deleting_securely(connection: sqlite3.Connection) -> Generator[None]:
    """Meanwhile, what is deleted is written over with zeros."""
    connection.execute("PRAGMA secure_delete=ON").fetchall()
    try:
        yield
    finally:
        connection.execute("PRAGMA secure_delete=OFF").fetchall()
