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
from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from mnemo import times
from mnemo.enums import Actor, Op, Status
from mnemo.store.connection import transaction
from mnemo.store.images import as_json, json_value, quoted, row_as_json
from mnemo.store.index import INDEXED, Index
from mnemo.text.secrets import redacted


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
        undoes: int | None = None,
    ) -> None:
        self._connection = connection
        self._kind = kind
        self._actor = actor
        self.session = session
        self.now = now
        self._moment = times.stamp(now)
        self._index = Index(connection)
        self._op_id = op_id
        self._undoes = undoes
        self._touched: set[int] = set()
        self._row_as_json = row_as_json(connection)

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

    def settle(self) -> None:
        """Bring the index in step with what was changed so far, so that a long batch knows what it
        has cost.
        """
        self._index.refresh(self._touched)
        self._touched.clear()

    @property
    def op_id(self) -> int:
        """The operation's id; its row is written at the first need."""
        if self._op_id is None:
            cursor = self._connection.execute(
                "INSERT INTO operations(kind, actor, session, started_at, undoes) "
                "VALUES (?, ?, ?, ?, ?)",
                (self._kind, self._actor, self.session, self._moment, self._undoes),
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
        # The row as it came to be, with the columns that nobody named.
        self._connection.execute(
            "INSERT INTO changes(op_id, fact_id, before, after) "
            f"SELECT ?, fact_id, NULL, {self._row_as_json} FROM facts WHERE fact_id = ?",
            (self.op_id, fact_id),
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

    def update_from(
        self, table: str, values: Mapping[str, str], *, reason: str, joined: str = ""
    ) -> None:
        """Set columns of many facts in two statements: of those in ``table``, whose key is the
        fact_id.

        ``values`` and ``reason`` are SQL expressions over the fact ``f``, its row ``t`` of the
        table, and what a ``joined`` clause adds to that. For facts that this operation has not
        changed yet, and for columns that the index is not made of.
        """
        source = f"{table} AS t {joined}"
        for odd_values in (False, True):
            row = row_as_json(self._connection, of="f.", odd_values=odd_values)
            told = json_value if odd_values else str
            pairs = ", ".join(f"'{name}', {told(value)}" for name, value in values.items())
            try:
                self._connection.execute(
                    "INSERT INTO changes(op_id, fact_id, before, after, reason) "
                    f"SELECT ?, f.fact_id, {row}, json_object({pairs}), {reason} "
                    f"FROM {source} CROSS JOIN facts AS f USING (fact_id)",
                    (self.op_id,),
                )
                break
            except sqlite3.OperationalError as error:
                # To ask for the type of every value takes half as long again.
                if odd_values or "JSON" not in str(error):
                    raise
        self._connection.execute(
            f"UPDATE facts AS f SET ({', '.join(values)}) = (SELECT {', '.join(values.values())} "
            f"FROM {source} WHERE t.fact_id = f.fact_id) "
            f"WHERE f.fact_id IN (SELECT fact_id FROM {table})"
        )

    def put_back(self, columns: Mapping[int, Mapping[str, Any]], *, reason: str) -> None:
        """Set columns of many facts, by fact id, that this operation has not changed yet.

        Also for a fact that needs none there is a change: it says that the fact was seen to.
        """
        self._keep_all_before(
            [(as_json(dict(values)), reason, fact_id) for fact_id, values in columns.items()]
        )
        alike: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for fact_id, values in columns.items():
            alike[tuple(values)].append(fact_id)
        for names, fact_ids in alike.items():
            if not INDEXED.isdisjoint(names):
                self._touched.update(fact_ids)
                for fact_id in fact_ids:
                    self._touched.update(self._survivor_of(fact_id))
            if names:
                assignments = ", ".join(f"{quoted(name)} = ?" for name in names)
                self._connection.executemany(
                    f"UPDATE facts SET {assignments} WHERE fact_id = ?",
                    [(*columns[fact_id].values(), fact_id) for fact_id in fact_ids],
                )

    def _keep_all_before(self, changes: Sequence[tuple[str, str, int]]) -> None:
        op_id = self.op_id  # written before the savepoint, not to fall with it
        for odd_values in (False, True):
            row = row_as_json(self._connection, odd_values=odd_values)
            self._connection.execute("SAVEPOINT kept")
            try:
                self._connection.executemany(
                    "INSERT INTO changes(op_id, fact_id, before, after, reason) "
                    f"SELECT {op_id}, fact_id, {row}, ?, ? FROM facts WHERE fact_id = ?",
                    changes,
                )
                return
            except sqlite3.OperationalError as error:
                self._connection.execute("ROLLBACK TO kept")
                if odd_values or "JSON" not in str(error):
                    raise
            finally:
                self._connection.execute("RELEASE kept")

    def complete_undo(self) -> None:
        """Let what this operation takes back count as undone; what that had taken back itself
        holds again, and so on down the line.
        """
        undone, by = self._undoes, self.op_id
        while undone is not None:
            self._set_undone(undone, by)
            holds_again = self._undoes_of(undone)
            if holds_again is None:
                return
            self._set_undone(holds_again, self._other_undo_of(holds_again))
            undone, by = self._undoes_of(holds_again), holds_again

    def _set_undone(self, op_id: int, by: int | None) -> None:
        self._connection.execute("UPDATE operations SET undone_by = ? WHERE op_id = ?", (by, op_id))

    def _other_undo_of(self, op_id: int) -> int | None:
        """One that took another part of it back."""
        return self._connection.execute(
            "SELECT max(op_id) FROM operations WHERE undoes = ? AND undone_by IS NULL", (op_id,)
        ).fetchone()[0]

    def _undoes_of(self, op_id: int) -> int | None:
        row = self._connection.execute(
            "SELECT undoes FROM operations WHERE op_id = ?", (op_id,)
        ).fetchone()
        return None if row is None else row["undoes"]

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
                (self.op_id, as_json(columns), reason, fact_id),
            )
            return
        # A second change of the same fact: the row before stays, the columns set add up.
        self._connection.execute(
            "UPDATE changes SET after = ?, reason = ? WHERE op_id = ? AND fact_id = ?",
            (
                as_json(json.loads(kept["after"]) | columns),
                "; ".join(r for r in (kept["reason"], reason) if r),
                self.op_id,
                fact_id,
            ),
        )

    def event(self, action: str, entry_id: int | None = None, **detail: Any) -> None:
        """Say in the audit log what happened, to which fact, with which particulars.

        Secrets in them are shortened; a text that is cut must be redacted before, since half a
        secret is not known as one.
        """
        self._connection.execute(
            "INSERT INTO audit_log(t, actor, action, entry_id, detail, op_id) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (
                self._moment,
                self._actor,
                action,
                None if entry_id is None else str(entry_id),
                as_json(redacted(detail)),
                self.op_id,
            ),
        )

    def sum_up(self, action: str, **detail: Any) -> None:
        """Say in one event what a long operation has done so far; said again with each batch, so
        that no change is ever without it.
        """
        self._connection.execute(
            "DELETE FROM audit_log WHERE op_id = ? AND action = ? AND entry_id IS NULL",
            (self.op_id, action),
        )
        self.event(action, **detail)


@dataclass(frozen=True, slots=True)
class UndoneChange:
    """A change that is taken back at present: the columns that it had set, and why."""

    fact_id: int
    after: dict[str, Any]
    reason: str


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
        undoes: int | None = None,
    ) -> Operation:
        """A new operation, or the one ``resumes`` that was cut short, unless that was undone since;
        nothing is written until it changes something. ``undoes`` is the operation that it takes
        back.
        """
        if resumes is not None and self._is_undone(resumes):
            resumes = None
        return Operation(
            self._connection, kind, actor=actor, session=session, now=now, op_id=resumes,
            undoes=undoes,
        )  # fmt: skip

    def _is_undone(self, op_id: int) -> bool:
        row = self._connection.execute(
            "SELECT 1 FROM operations WHERE undoes = ? AND undone_by IS NULL", (op_id,)
        ).fetchone()
        return row is not None

    def reasons_since(self, op_id: int, kind: Op, *, actor: Actor) -> list[tuple[int, str]]:
        """(fact id, reason) of each change that operations of that kind and actor made after the
        operation ``op_id`` to a fact that is still active, and nobody undid, oldest first.
        """
        rows = self._connection.execute(
            "SELECT c.fact_id, c.reason "
            "FROM operations AS o CROSS JOIN changes AS c USING (op_id) "
            "CROSS JOIN facts AS f ON f.fact_id = c.fact_id AND f.status = 'active' "
            "WHERE o.op_id > ? AND o.kind = ? AND o.actor = ? AND NOT EXISTS ("
            "SELECT 1 FROM operations AS u CROSS JOIN changes AS back "
            "ON back.op_id = u.op_id AND back.fact_id = c.fact_id "
            "WHERE u.undoes = c.op_id AND u.undone_by IS NULL) ORDER BY o.op_id, c.fact_id",
            (op_id, kind, actor),
        )
        return [(row["fact_id"], row["reason"]) for row in rows]

    def reasons_of(self, op_id: int) -> list[tuple[int, str]]:
        """(fact id, reason) of each change that this operation made."""
        rows = self._connection.execute(
            "SELECT fact_id, reason FROM changes WHERE op_id = ?", (op_id,)
        )
        return [(row["fact_id"], row["reason"]) for row in rows]

    def undone(self, kind: Op) -> list[UndoneChange]:
        """What operations of that kind had changed and an undo, whole or partial, took back; oldest
        first. What was redone is not in it.
        """
        rows = self._connection.execute(
            "SELECT c.fact_id, c.after, c.reason "
            "FROM operations AS u JOIN operations AS o ON o.op_id = u.undoes AND o.kind = ? "
            "JOIN changes AS back ON back.op_id = u.op_id "
            "JOIN changes AS c ON c.op_id = o.op_id AND c.fact_id = back.fact_id "
            "WHERE u.undoes IS NOT NULL AND u.undone_by IS NULL ORDER BY c.op_id, c.fact_id",
            (kind,),
        )
        return [
            UndoneChange(row["fact_id"], json.loads(row["after"]), row["reason"]) for row in rows
        ]

    def told(self, op_id: int) -> list[tuple[str, int, dict[str, Any]]]:
        """(action, fact id, particulars) of each event about a fact that an operation wrote, oldest
        first; none where it is undone or there is no such operation.
        """
        if self._is_undone(op_id):
            return []
        rows = self._connection.execute(
            "SELECT action, CAST(entry_id AS INTEGER) AS fact_id, detail FROM audit_log "
            "WHERE op_id = ? AND entry_id IS NOT NULL ORDER BY id",
            (op_id,),
        )
        return [(row["action"], row["fact_id"], json.loads(row["detail"])) for row in rows]

    def unmerged(self) -> list[tuple[int, int]]:
        """(fact id, id of its survivor) of each merged fact that was restored by hand."""
        rows = self._connection.execute(
            "SELECT c.fact_id, json_extract(c.before, '$.merged_into') AS survivor "
            "FROM operations AS o JOIN changes AS c USING (op_id) WHERE o.kind = ? "
            "AND json_valid(c.before) AND json_extract(c.before, '$.status') = ? "
            "AND survivor IS NOT NULL ORDER BY c.op_id, c.fact_id",
            (Op.RESTORE, Status.MERGED),
        )
        return [(row["fact_id"], row["survivor"]) for row in rows]

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
