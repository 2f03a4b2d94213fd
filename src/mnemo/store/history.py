"""What earlier operations did: read here, judged above, written nowhere.

A change of an operation is taken back where an undo of that operation, which holds itself, has a
change of the same fact. `undone_by` stands at an operation once its undo is complete: where it is
missing beside such an undo, the undo was cut short.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from mnemo import times
from mnemo.enums import Actor, Op, Status

# What erasing leaves of a change: that there was one.
ERASED = "purged"
# The kind of an operation that is on its way out of the journal, in portions.
FORGOTTEN = "forgotten"


def operation_name(op_id: int) -> str:
    """The name of an operation, such as op-7."""
    return f"op-{op_id}"


@dataclass(frozen=True, slots=True)
class PastOperation:
    """An operation in the journal. ``started_at`` as stored."""

    op_id: int
    kind: str
    actor: str
    started_at: str
    undoes: int | None
    undone_by: int | None
    facts: int  # that it changed


@dataclass(frozen=True, slots=True)
class Change:
    """What an operation did to one fact, and the fact's row now.

    Rows are mappings of columns. ``before`` is None where the operation made the fact, ``now``
    where there is no such row any more.
    """

    fact_id: int
    before: dict[str, Any] | None
    after: dict[str, Any]  # the columns that were set
    now: dict[str, Any] | None
    is_erased: bool


@dataclass(frozen=True, slots=True)
class UndoneChange:
    """A change that is taken back at present: the columns that it had set, and why."""

    fact_id: int
    after: dict[str, Any]
    reason: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """One operation in the life of one fact; moments as stored."""

    op_id: int
    kind: str
    actor: str
    started_at: str
    undoes: int | None
    undone_by: int | None  # also by an undo of which this fact is but a part
    before: dict[str, Any] | None
    after: dict[str, Any]
    reason: str


# A change `c` that no undo, whole or in part, takes back.
_HOLDS = (
    "NOT EXISTS (SELECT 1 FROM operations AS u "
    "JOIN changes AS back ON back.op_id = u.op_id AND back.fact_id = c.fact_id "
    "WHERE u.undoes = c.op_id AND u.undone_by IS NULL)"
)


class History:
    """Questions about operations and their changes."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def version(self) -> int:
        """A number that is another one once another connection has written."""
        return self._connection.execute("PRAGMA data_version").fetchone()[0]

    def operation(self, op_id: int) -> PastOperation | None:
        """The operation of that id."""
        return self._first("op_id = ?", op_id)

    def newest_to_undo(self, *, before: int | None = None) -> PastOperation | None:
        """The newest operation that changed facts, takes back no other and is not undone; of those
        before the operation of that id.
        """
        older = "" if before is None else f"op_id < {before} AND "
        return self._first(
            f"{older}kind NOT IN ('{Op.UNDO}', '{Op.REDO}') AND undone_by IS NULL AND EXISTS "
            "(SELECT 1 FROM changes AS c WHERE c.op_id = o.op_id AND c.reason <> ?)",
            ERASED,
        )

    def newest_to_redo(self) -> PastOperation | None:
        """The newest undo that is not undone."""
        return self._first("kind = ? AND undone_by IS NULL", Op.UNDO)

    def undo_of(self, op_id: int) -> PastOperation | None:
        """The operation that takes this one back at present, be it complete or not."""
        return self._first("undoes = ? AND undone_by IS NULL", op_id)

    def _first(self, condition: str, *parameters: object) -> PastOperation | None:
        row = self._connection.execute(
            "SELECT op_id, kind, actor, started_at, undoes, undone_by, "
            "(SELECT count(*) FROM changes AS c WHERE c.op_id = o.op_id) "
            f"FROM operations AS o WHERE kind <> '{FORGOTTEN}' AND {condition} "
            "ORDER BY op_id DESC LIMIT 1",
            parameters,
        ).fetchone()
        return None if row is None else PastOperation(*row)

    def changes(self, op_id: int, fact_ids: Iterable[int] | None = None) -> Iterator[Change]:
        """The changes of this operation that are not taken back, or those of these facts, by fact
        id, as they are at one moment; one at a time, since there may be a hundred thousand.
        """
        among = "" if fact_ids is None else "AND c.fact_id IN (SELECT value FROM json_each(:facts))"
        rows = self._connection.execute(
            "SELECT c.fact_id AS changed, c.before, c.after, c.reason, f.* "
            "FROM changes AS c LEFT JOIN facts AS f ON f.fact_id = c.fact_id "
            f"WHERE c.op_id = :op AND {_HOLDS} {among} ORDER BY c.fact_id",
            {"op": op_id, "facts": json.dumps(list(fact_ids or ()))},
        )
        names = [column[0] for column in rows.description][_OF_CHANGE:]
        for row in rows:
            yield Change(
                row["changed"],
                _row(row["before"]),
                json.loads(row["after"]),
                None if row["fact_id"] is None else _now(names, row[_OF_CHANGE:]),
                row["reason"] == ERASED,
            )

    def changed_later(self, op_id: int, fact_ids: Sequence[int]) -> dict[int, PastOperation]:
        """For each of these facts, the newest operation after this one that changed it and still
        holds. What was undone is none, and neither is its undo.
        """
        rows = self._connection.execute(
            "SELECT c.fact_id, max(c.op_id) FROM changes AS c JOIN operations AS o USING (op_id) "
            "WHERE c.op_id > :op AND c.fact_id IN (SELECT value FROM json_each(:facts)) "
            f"AND {_HOLDS} AND coalesce(o.undoes, 0) <= :op GROUP BY c.fact_id",
            {"op": op_id, "facts": json.dumps(list(fact_ids))},
        ).fetchall()
        known: dict[int, PastOperation] = {}
        for _, later in rows:
            if later not in known and (found := self.operation(later)):
                known[later] = found
        return {fact_id: known[later] for fact_id, later in rows}

    def chapters(self, fact_id: int) -> list[Chapter]:
        """What operations did to this fact, oldest first."""
        rows = self._connection.execute(
            "SELECT c.op_id, o.kind, o.actor, o.started_at, o.undoes, "
            "(SELECT u.op_id FROM operations AS u JOIN changes AS back "
            "ON back.op_id = u.op_id AND back.fact_id = c.fact_id "
            "WHERE u.undoes = c.op_id AND u.undone_by IS NULL) AS undone_by, "
            "c.before, c.after, c.reason FROM changes AS c JOIN operations AS o USING (op_id) "
            f"WHERE c.fact_id = ? AND o.kind <> '{FORGOTTEN}' ORDER BY c.op_id",
            (fact_id,),
        )
        return [
            Chapter(
                op_id=row["op_id"],
                kind=row["kind"],
                actor=row["actor"],
                started_at=row["started_at"],
                undoes=row["undoes"],
                undone_by=row["undone_by"],
                before=_row(row["before"]),
                after=json.loads(row["after"]),
                reason=row["reason"],
            )
            for row in rows
        ]

    def took_in(self, fact_id: int) -> dict[int, tuple[int, ...]]:
        """The facts that were merged into this one, by the operation that did it."""
        rows = self._connection.execute(
            "SELECT op_id, json_extract(detail, '$.removed') AS removed FROM audit_log "
            "WHERE entry_id = ? AND action = 'MERGE' AND op_id IS NOT NULL "
            "AND json_valid(detail) ORDER BY id",
            (str(fact_id),),
        )
        found: dict[int, tuple[int, ...]] = {}
        for op_id, removed in rows:
            if isinstance(removed, int):
                found[op_id] = (*found.get(op_id, ()), removed)
        return found

    def reasons_since(self, op_id: int, kind: Op, *, actor: Actor) -> list[tuple[int, str]]:
        """(fact id, reason) of each change that operations of that kind and actor made after the
        operation ``op_id`` to a fact that is still active, and nobody undid, oldest first.
        """
        rows = self._connection.execute(
            "SELECT c.fact_id, c.reason "
            "FROM operations AS o CROSS JOIN changes AS c USING (op_id) "
            "CROSS JOIN facts AS f ON f.fact_id = c.fact_id AND f.status = 'active' "
            "WHERE o.op_id > ? AND o.kind = ? AND o.actor = ? AND "
            f"{_HOLDS} ORDER BY o.op_id, c.fact_id",
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
        if self.undo_of(op_id):
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


# So many columns of a row come before those of the fact; another program may have added a column
# of the same name to facts.
_OF_CHANGE = 4


def _now(names: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
    if bytes in set(map(type, values)):  # in the place of a text, as the journal keeps it
        values = [v.decode("utf-8", "replace") if isinstance(v, bytes) else v for v in values]
    return dict(zip(names, values, strict=True))


def _row(stored: str | None) -> dict[str, Any] | None:
    return None if stored is None else json.loads(stored)
