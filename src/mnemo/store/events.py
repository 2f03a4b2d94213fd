"""Events: what the audit log says, with recalls seen in the retrieval log beside it.

A recall is no operation and is written once, in the log of searches; here it is an event like any
other, one a search that found something. Which events are meant is one value, `Asked`, turned
into SQL in one place for both tables, so that a list and its counts can never disagree.
"""

import json
import sqlite3
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mnemo.store.retrievals import ids_in

RECALL = "RECALL"


class Grouping(StrEnum):
    """By what events are counted."""

    ACTION = "action"
    DAY = "day"
    ENTRY = "entry"


@dataclass(frozen=True, slots=True)
class Asked:
    """Which events are wanted. Nothing given: every event."""

    action: str = ""  # in any case of ASCII letters
    since: str = ""  # a stored stamp
    fact_id: int | None = None
    actor: str = ""

    @property
    def with_recalls(self) -> bool:
        """Whether recalls are among them; the log does not know who searched."""
        return self.action.upper() in ("", RECALL) and not self.actor

    def of_audit_log(self) -> tuple[str, dict[str, Any]]:
        """A condition over ``audit_log AS e`` and its parameters."""
        parts = ["1"]
        if self.action:
            parts.append(f"{_ACTION} = upper(:action)")
        if self.since:
            parts.append("e.t >= :since")
        if self.fact_id is not None:
            parts.append(_ABOUT_FACT)
        if self.actor:
            parts.append("e.actor = :actor")
        return " AND ".join(parts), self._values()

    def of_retrieval_log(self) -> tuple[str, dict[str, Any]]:
        """A condition over ``retrieval_log AS r`` and its parameters."""
        parts = ["r.results LIKE '[{%'"]
        if self.since:
            parts.append("r.timestamp >= :since")
        if self.fact_id is not None:
            parts.append(f"r.results LIKE :mention AND :fact IN ({_IDS})")
        return " AND ".join(parts), self._values()

    def _values(self) -> dict[str, Any]:
        return {
            "action": self.action,
            "since": self.since,
            "actor": self.actor,
            "fact": self.fact_id,
            "entry": str(self.fact_id),
            "mention": f'%"id"%{self.fact_id}%',
        }


# Other programs write an action in small letters; it is the same one.
_ACTION = "upper(e.action)"

# An event of many facts names none; a merge stands at the survivor and names the other.
_ABOUT_FACT = """(
  e.entry_id = :entry
  OR e.op_id IN (SELECT op_id FROM changes WHERE fact_id = :fact)
    AND (e.entry_id IS NULL OR e.action = 'MERGE' AND json_valid(e.detail)
         AND json_extract(e.detail, '$.removed') = :fact)
)"""

_IDS = (
    "SELECT iif(h.type = 'object', json_extract(h.value, '$.id'), NULL) "
    "FROM json_each(iif(json_valid(r.results), r.results, '[]')) AS h"
)


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event; ``t`` as stored, ``op_id`` None where it belongs to no operation."""

    t: str
    actor: str | None
    action: str
    entry_id: str | None
    detail: Any
    op_id: int | None


class Events:
    """Questions about events."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def newest(self, asked: Asked, *, limit: int) -> list[StoredEvent]:
        """At most ``limit`` events of that kind, newest first."""
        found: list[StoredEvent] = []
        for table, (condition, values) in _sources(asked):
            rows = self._connection.execute(
                f"SELECT {_LISTED[table]} FROM {table} WHERE {condition} "
                "ORDER BY t DESC, id DESC LIMIT :limit",
                values | {"limit": limit},
            )
            read = _logged if table == _AUDIT else _recalled
            found += map(read, rows)
        return sorted(found, key=lambda event: event.t, reverse=True)[:limit]

    def count(self, asked: Asked) -> int:
        """How many events of that kind there are."""
        return sum(self._count(table, *condition) for table, condition in _sources(asked))

    def _count(self, table: str, condition: str, values: dict[str, Any]) -> int:
        return self._connection.execute(
            f"SELECT count(*) FROM {table} WHERE {condition}", values
        ).fetchone()[0]

    def groups(self, asked: Asked, grouping: Grouping) -> list[tuple[str, int]]:
        """How many of these events there are for each action, day or fact: the most first, days
        the newest first. A recall counts for every fact that it returned; an event that names no
        fact counts for none.
        """
        counts: dict[str, int] = {}
        for table, (condition, values) in _sources(asked):
            key, extra = _KEYS[table, grouping]
            rows = self._connection.execute(
                f"SELECT {key} AS k, count(*) FROM {table}{extra} WHERE {condition} GROUP BY k",
                values,
            )
            for name, count in rows:
                if name is not None:
                    counts[str(name)] = counts.get(str(name), 0) + count
        by_name = sorted(counts.items(), reverse=grouping == Grouping.DAY)
        if grouping == Grouping.DAY:
            return by_name
        return sorted(by_name, key=lambda group: -group[1])


_AUDIT, _SEARCHES = "audit_log AS e", "retrieval_log AS r"
_EACH_HIT = ", json_each(iif(json_valid(r.results), r.results, '[]')) AS h"
_LISTED = {
    _AUDIT: f"t, actor, {_ACTION} AS action, entry_id, detail, op_id",
    _SEARCHES: "coalesce(timestamp, '') AS t, query, results",
}
_KEYS = {
    (_AUDIT, Grouping.ACTION): (_ACTION, ""),
    (_AUDIT, Grouping.DAY): ("substr(e.t, 1, 10)", ""),
    (_AUDIT, Grouping.ENTRY): ("e.entry_id", ""),
    (_SEARCHES, Grouping.ACTION): (f"'{RECALL}'", ""),
    (_SEARCHES, Grouping.DAY): ("substr(r.timestamp, 1, 10)", ""),
    (_SEARCHES, Grouping.ENTRY): (
        "iif(h.type = 'object', json_extract(h.value, '$.id'), NULL)",
        _EACH_HIT,
    ),
}


def _sources(asked: Asked) -> list[tuple[str, tuple[str, dict[str, Any]]]]:
    found = [(_AUDIT, asked.of_audit_log())]
    if asked.with_recalls:
        found.append((_SEARCHES, asked.of_retrieval_log()))
    return found


def _logged(row: sqlite3.Row) -> StoredEvent:
    return StoredEvent(**dict(row) | {"detail": _parsed(row["detail"])})


def _recalled(row: sqlite3.Row) -> StoredEvent:
    detail = {"query": row["query"], "ids": ids_in(row["results"])}
    return StoredEvent(row["t"], None, RECALL, None, detail, None)


def _parsed(detail: str | None) -> Any:
    try:
        return json.loads(detail or "{}")
    except ValueError:
        return detail  # another program's words
