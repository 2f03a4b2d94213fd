"""Rows of `facts`: how they are read. How they are written is in `journal`.

Every filter that a person can give is one value, `Filter`, turned into SQL in one place, so that
search, list and the counts can never disagree about what it means.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from mnemo.enums import Category, MemoryClass, Status
from mnemo.models import Fact

# One SELECT list for whole records, in the order of the model's fields. Another program may have
# put bytes in the place of a text.
_NO_COLUMNS = frozenset(("absorbed", "entities"))
_COLUMNS = ", ".join(f"f.{name}" for name in Fact.model_fields if name not in _NO_COLUMNS).replace(
    "f.content", "CAST(f.content AS TEXT) AS content"
)
_GREATEST_ID = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Filter:
    """Which facts are wanted. Nothing given: every active fact."""

    statuses: tuple[Status, ...] = (Status.ACTIVE,)
    category: str | None = None
    min_trust: float = 0.0
    text: str = ""  # that the content holds, in any case of ASCII letters
    pinned: bool = False  # only those that are
    classes: tuple[MemoryClass, ...] = ()  # only these, where there are any
    project_id: str | None = None

    def sql(self) -> tuple[str, list[Any]]:
        """A condition over ``facts AS f`` and its parameters."""
        marks = ", ".join("?" * len(self.statuses))
        parts, values = [f"f.status IN ({marks})"], [*map(str, self.statuses)]
        parameters: list[Any] = list(values)
        if self.category is not None:
            parts.append(f"coalesce(f.category, '{Category.GENERAL}') = ?")
            parameters.append(self.category)
        if self.min_trust > 0:
            parts.append(f"{number('f.trust_score', 0.5)} >= ?")
            parameters.append(self.min_trust)
        if self.text:
            parts.append("instr(lower(f.content), lower(?)) > 0")
            parameters.append(self.text)
        if self.pinned:
            parts.append("f.pinned")
        if self.classes:
            parts.append(f"f.memory_class IN ({', '.join('?' * len(self.classes))})")
            parameters.extend(self.classes)
        if self.project_id is not None:
            parts.append("f.project_id = ?")
            parameters.append(self.project_id)
        return " AND ".join(parts), parameters


class Facts:
    """Reading whole facts."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def get(self, fact_ids: Sequence[int]) -> list[Fact]:
        """The facts with these ids, whatever their status, in the order asked; unknown ids are
        left out.
        """
        possible = [i for i in fact_ids if 0 <= i <= _GREATEST_ID]
        found = {fact.fact_id: fact for chunk in _chunks(possible) for fact in self._by_id(chunk)}
        return [found[i] for i in dict.fromkeys(fact_ids) if i in found]

    def _by_id(self, fact_ids: Sequence[int]) -> list[Fact]:
        marks = ", ".join("?" * len(fact_ids))
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM facts AS f WHERE f.fact_id IN ({marks})", fact_ids
        )
        return [_fact(row) for row in rows]

    def absorbed(self, fact_ids: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """For each of these facts, the ids of those that were merged into it."""
        found: dict[int, tuple[int, ...]] = {}
        for chunk in _chunks(fact_ids):
            rows = self._connection.execute(
                "SELECT fact_id, merged_into FROM facts WHERE status = ? "
                f"AND merged_into IN ({', '.join('?' * len(chunk))}) ORDER BY fact_id",
                [Status.MERGED, *chunk],
            )
            for fact_id, survivor in rows:
                found[survivor] = (*found.get(survivor, ()), fact_id)
        return found

    def page(self, wanted: Filter, *, limit: int, offset: int) -> list[Fact]:
        """One page: pinned first, then by trust, the newest, the id."""
        condition, parameters = wanted.sql()
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM facts AS f WHERE {condition} "
            "ORDER BY f.pinned DESC, f.trust_score DESC, f.created_at DESC, f.fact_id "
            "LIMIT ? OFFSET ?",
            [*parameters, limit, min(offset, _GREATEST_ID)],
        )
        return [_fact(row) for row in rows]

    def count(self, wanted: Filter) -> int:
        """How many facts there are of that kind."""
        condition, parameters = wanted.sql()
        row = self._connection.execute(
            f"SELECT count(*) FROM facts AS f WHERE {condition}", parameters
        ).fetchone()
        return row[0]

    def counts_by(self, column: str, *, active_only: bool) -> dict[str, int]:
        """How many facts there are for each value of ``column``."""
        where = f"WHERE status = '{Status.ACTIVE}'" if active_only else ""
        rows = self._connection.execute(
            f"SELECT coalesce({column}, '{Category.GENERAL}') AS value, count(*) AS n "
            f"FROM facts {where} GROUP BY 1 ORDER BY 1"
        )
        return {str(row["value"]): row["n"] for row in rows}


def number(column: str, default: float) -> str:
    """An SQL expression for a column of figures in which another program may have left anything."""
    return f"iif(typeof({column}) IN ('integer', 'real'), {column}, {default})"


def text(value: object) -> str:
    """A stored text, also where another program stored a number or bytes in its place."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def _fact(row: sqlite3.Row) -> Fact:
    values = dict(row)
    for name, value in values.items():
        if name in _FIGURES:
            kind = type(_FIGURES[name])
            values[name] = kind(value) if isinstance(value, int | float) else _FIGURES[name]
        elif isinstance(value, bytes):
            values[name] = text(value)
        elif name in _TEXTS and value is not None:
            values[name] = str(value)
    values["category"] = values["category"] or Category.GENERAL
    values["tags"] = split_tags(values["tags"])
    values["flags"] = flags_in(values["flags"])
    values["summary"] = (values["summary"] or "").strip() or None
    return Fact.model_validate(values)


# What a new fact has; read so where another program left what is no number.
_FIGURES: dict[str, int | float] = {
    "trust_score": 0.5,
    "retrieval_count": 0,
    "helpful_count": 0,
    "unhelpful_count": 0,
    "discounted": 0,
    "learn_retrievals": 0,
    "learn_helpful": 0,
    "pinned": 0,
}
_TEXTS = frozenset(
    name for name, field in Fact.model_fields.items() if "str" in str(field.annotation)
) - {"tags", "flags"}


def flags_in(stored: str | None) -> tuple[str, ...]:
    """The flags in a stored JSON list; none where another program wrote something else there."""
    try:
        flags: Any = json.loads(stored or "[]")
    except ValueError:
        return ()
    return tuple(map(str, cast("list[Any]", flags))) if isinstance(flags, list) else ()


def split_tags(stored: str | None) -> tuple[str, ...]:
    """The tags in a stored, comma separated string: trimmed, each once."""
    return tuple(dict.fromkeys(t for tag in (stored or "").split(",") if (t := tag.strip())))


def _chunks(values: Sequence[int]) -> Iterable[Sequence[int]]:
    # SQLite allows a bounded number of parameters in one statement.
    return (values[i : i + 500] for i in range(0, len(values), 500))
