"""The one way to write: an operation, with everything it changes and the words for it.

An operation is what one call did. While it runs, each fact that it is about to change leaves its
whole row behind in `changes` (before), with the columns that were set (after) and the reason;
`audit_log` holds the event for people. Rows, journal and index are written in the same
transaction. A call that changes nothing leaves no operation. A long operation spans several
transactions under one id (`batch`).
"""

import contextlib
import json
import sqlite3
from collections.abc import Generator
from datetime import datetime, timedelta
from typing import Any

from mnemo import times
from mnemo.enums import Actor, Op
from mnemo.store.connection import transaction
from mnemo.store.index import Index


class Operation:
    """One call's changes. Made by `Journal.operation`; every method belongs inside a batch."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        kind: Op,
        *,
        actor: Actor,
        session: str,
        now: datetime,
        op_id: int | None = None,
    ) -> None:
        self._connection = connection
        self._kind = kind
        self._actor = actor
        self.session = session
        self.now = now
        self._moment = times.stamp(now)
        self._index = Index(connection)
        self._op_id = op_id
        self._touched: set[int] = set()
        self._row_as_json = _row_as_json(connection)

    @contextlib.contextmanager
    def batch(self) -> Generator[None]:
        """One transaction of this operation; the index is brought in step before it commits."""
        started_with = self._op_id
        self._touched.clear()
        try:
            with transaction(self._connection):
                yield
                self._index.refresh(self._touched)
        except BaseException:
            # The row of the operation was rolled back with the rest.
            self._op_id = started_with
            raise

    @property
    def op_id(self) -> int:
        """The operation's id; its row is written at the first need."""
        if self._op_id is None:
            cursor = self._connection.execute(
                "INSERT INTO operations(kind, actor, session, started_at) VALUES (?, ?, ?, ?)",
                (self._kind, self._actor, self.session, self._moment),
            )
            assert cursor.lastrowid is not None
            self._op_id = cursor.lastrowid
        return self._op_id

    def insert(self, **columns: Any) -> int:
        """Write a new fact and come back with its id."""
        columns = {"created_at": self._moment, "updated_at": self._moment} | columns
        names = ", ".join(columns)
        marks = ", ".join("?" * len(columns))
        cursor = self._connection.execute(
            f"INSERT INTO facts({names}) VALUES ({marks})", list(columns.values())
        )
        fact_id = cursor.lastrowid
        assert fact_id is not None
        self._touched.add(fact_id)
        self._connection.execute(
            "INSERT INTO changes(op_id, fact_id, before, after) VALUES (?, ?, NULL, ?)",
            (self.op_id, fact_id, _json(columns)),
        )
        return fact_id

    def update(self, fact_id: int, *, reason: str = "", touch: bool = True, **columns: Any) -> None:
        """Set columns of a fact, its row before kept; ``touch`` also sets ``updated_at``."""
        if touch:
            columns = {"updated_at": self._moment} | columns
        self._keep_before(fact_id, columns, reason)
        self._touched.add(fact_id)
        if not columns.keys().isdisjoint(("status", "merged_into")):
            self._touched.update(self._survivor_of(fact_id))
        assignments = ", ".join(f"{name} = ?" for name in columns)
        self._connection.execute(
            f"UPDATE facts SET {assignments} WHERE fact_id = ?", [*columns.values(), fact_id]
        )

    def _survivor_of(self, fact_id: int) -> list[int]:
        rows = self._connection.execute(
            "SELECT merged_into FROM facts WHERE fact_id = ? AND merged_into IS NOT NULL",
            (fact_id,),
        )
        return [row["merged_into"] for row in rows]

    def _keep_before(self, fact_id: int, columns: dict[str, Any], reason: str) -> None:
        kept = self._connection.execute(
            "SELECT after, reason FROM changes WHERE op_id = ? AND fact_id = ?",
            (self.op_id, fact_id),
        ).fetchone()
        if kept is None:
            self._connection.execute(
                "INSERT INTO changes(op_id, fact_id, before, after, reason) "
                f"SELECT ?, fact_id, {self._row_as_json}, ?, ? "
                "FROM facts WHERE fact_id = ?",
                (self.op_id, _json(columns), reason, fact_id),
            )
            return
        # A second change of the same fact: the row before stays, the columns set add up.
        self._connection.execute(
            "UPDATE changes SET after = ?, reason = ? WHERE op_id = ? AND fact_id = ?",
            (
                _json(json.loads(kept["after"]) | columns),
                "; ".join(r for r in (kept["reason"], reason) if r),
                self.op_id,
                fact_id,
            ),
        )

    def event(self, action: str, entry_id: int | None = None, **detail: Any) -> None:
        """Say in the audit log what happened, to which fact, with which particulars."""
        self._connection.execute(
            "INSERT INTO audit_log(t, actor, action, entry_id, detail, op_id) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (
                self._moment,
                self._actor,
                action,
                None if entry_id is None else str(entry_id),
                _json(detail),
                self.op_id,
            ),
        )


class Journal:
    """Starting operations, and asking what earlier ones did."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def operation(
        self,
        kind: Op,
        *,
        actor: Actor,
        session: str,
        now: datetime,
        resumes: int | None = None,
    ) -> Operation:
        """A new operation, or the one ``resumes`` that was cut short; nothing is written until it
        changes something.
        """
        return Operation(
            self._connection, kind, actor=actor, session=session, now=now, op_id=resumes
        )

    def reasons_since(self, op_id: int, kind: Op, *, actor: Actor) -> list[tuple[int, str]]:
        """(fact id, reason) of each change that operations of that kind and actor made after the
        operation ``op_id`` to a fact that is still active, oldest first.
        """
        rows = self._connection.execute(
            "SELECT c.fact_id, c.reason FROM changes AS c JOIN operations AS o USING (op_id) "
            "JOIN facts AS f ON f.fact_id = c.fact_id AND f.status = 'active' "
            "WHERE o.op_id > ? AND o.kind = ? AND o.actor = ? ORDER BY o.op_id, c.fact_id",
            (op_id, kind, actor),
        )
        return [(row["fact_id"], row["reason"]) for row in rows]

    def newest_operation(self) -> int:
        """The id of the newest operation; 0 where there is none."""
        row = self._connection.execute("SELECT coalesce(max(op_id), 0) FROM operations").fetchone()
        return row[0]

    def changed_lately(
        self, fact_id: int, kind: Op, *, reason: str, session: str, now: datetime, within: timedelta
    ) -> bool:
        """Whether an operation of that kind and session changed the fact for that reason lately."""
        row = self._connection.execute(
            "SELECT 1 FROM changes AS c JOIN operations AS o USING (op_id) "
            "WHERE c.fact_id = ? AND o.kind = ? AND c.reason = ? AND o.session = ? "
            "AND o.started_at > ?",
            (fact_id, kind, reason, session, times.stamp(now - within)),
        ).fetchone()
        return row is not None


def _row_as_json(connection: sqlite3.Connection) -> str:
    """An SQL expression for a whole row of `facts`, also with columns that a program added."""
    names = [row["name"] for row in connection.execute("PRAGMA table_info(facts)")]
    pairs = ", ".join(f"{_literal(name)}, {_value(name)}" for name in names)
    return f"json_object({pairs})"


def _literal(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


def _value(name: str) -> str:
    quoted = '"' + name.replace('"', '""') + '"'
    # JSON cannot hold bytes, which another program may have put in the place of a text.
    return f"iif(typeof({quoted}) = 'blob', CAST({quoted} AS TEXT), {quoted})"


def _json(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))
