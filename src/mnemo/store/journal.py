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
from collections.abc import Callable, Generator, Mapping, Sequence
from datetime import datetime
from typing import Any

from mnemo import times
from mnemo.enums import Actor, Op
from mnemo.store.connection import transaction
from mnemo.store.history import History
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

        def kept(row: str, told: Callable[[str], str]) -> str:
            pairs = ", ".join(f"'{name}', {told(value)}" for name, value in values.items())
            return (
                f"SELECT ?, f.fact_id, {row}, json_object({pairs}), {reason} "
                f"FROM {source} CROSS JOIN facts AS f USING (fact_id)"
            )

        self._keep(kept, [(self.op_id,)])
        self._connection.execute(
            f"UPDATE facts AS f SET ({', '.join(values)}) = (SELECT {', '.join(values.values())} "
            f"FROM {source} WHERE t.fact_id = f.fact_id) "
            f"WHERE f.fact_id IN (SELECT fact_id FROM {table})"
        )

    def put_back(self, columns: Mapping[int, Mapping[str, Any]], *, reason: str) -> None:
        """Set columns of many facts, by fact id, that this operation has not changed yet.

        Also for a fact that needs none there is a change: it says that the fact was seen to.
        """
        self._keep(
            lambda row, _: f"SELECT ?, fact_id, {row}, ?, ? FROM facts AS f WHERE fact_id = ?",
            [
                (self.op_id, as_json(dict(values)), reason, fact_id)
                for fact_id, values in columns.items()
            ],
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

    def _keep(
        self,
        selected: Callable[[str, Callable[[str], str]], str],
        parameters: Sequence[tuple[object, ...]],
    ) -> None:
        """Write the changes that a query selects: operation, fact, row before, columns set, reason.

        The query is made from the expression for a row of ``f``, and from what brings any value
        into a form that JSON can hold.
        """
        # To ask for the type of every value takes half as long again.
        for odd_values in (False, True):
            row = row_as_json(self._connection, of="f.", odd_values=odd_values)
            self._connection.execute("SAVEPOINT kept")
            try:
                self._connection.executemany(
                    "INSERT INTO changes(op_id, fact_id, before, after, reason) "
                    + selected(row, json_value if odd_values else str),
                    parameters,
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


class Journal:
    """Starting operations."""

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
        if resumes is not None and History(self._connection).undo_of(resumes):
            resumes = None
        return Operation(
            self._connection, kind, actor=actor, session=session, now=now, op_id=resumes,
            undoes=undoes,
        )  # fmt: skip
