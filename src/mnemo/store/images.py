"""A row of `facts` as JSON: what the journal keeps of a fact, and what undo compares.

The whole row is kept, also columns that another program added. A figure keeps every digit, so
that what goes back is what was there. JSON cannot hold bytes, nor what is no finite number, which
another program may have put in the place of a text or a figure: they are kept as text.
"""

import json
import sqlite3
from typing import Any


def row_as_json(connection: sqlite3.Connection, *, of: str = "", odd_values: bool = True) -> str:
    """An SQL expression for a whole row of `facts`.

    ``of`` is what stands before each column's name. Without ``odd_values`` it is quicker, and
    fails where JSON cannot hold a value.
    """
    pairs: list[str] = []
    for column in connection.execute("PRAGMA table_info(facts)"):
        value = of + quoted(column["name"])
        if odd_values:
            value = json_value(value)
        elif column["type"].upper() in _OF_REALS:
            value = f"iif(typeof({value}) = 'real', {_digits(value)}, {value})"
        pairs.append(f"{_literal(column['name'])}, {value}")
    return f"json_object({', '.join(pairs)})"


_OF_REALS = ("REAL", "FLOAT", "DOUBLE")


def json_value(value: str) -> str:
    """The SQL expression ``value`` in a form that JSON can hold."""
    return (
        f"CASE typeof({value}) WHEN 'blob' THEN CAST({value} AS TEXT) WHEN 'real' THEN "
        f"iif(abs({value}) < 9e999, {_digits(value)}, CAST({value} AS TEXT)) ELSE {value} END"
    )


def _digits(value: str) -> str:
    # Left to itself, SQLite writes fifteen digits.
    return f"json(printf('%!.17g', {value}))"


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def as_json(values: dict[str, Any]) -> str:
    """Values as the journal keeps them."""
    return _ENCODER.encode(values)


def _literal(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


def quoted(name: str) -> str:
    """A column's name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'
