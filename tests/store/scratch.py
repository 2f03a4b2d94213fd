"""What the tests of every room need: a moment, a filled store, another program's hands."""

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from mnemo.enums import Actor, Op
from mnemo.store import Store

NOW = datetime(2026, 5, 14, 12, 0, tzinfo=UTC)

Sql = Callable[..., list[tuple[Any, ...]]]


class Clock:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **span: float) -> None:
        self.now += timedelta(**span)


def fill(store: Store, facts: Iterable[str | dict[str, Any]]) -> list[int]:
    """Store texts, or texts with columns, in one transaction; comes back with their ids."""
    op = store.journal.operation(Op.ADD, actor=Actor.USER, session="s", now=NOW)
    with op.batch():
        return [
            op.insert(**({"content": fact} if isinstance(fact, str) else fact)) for fact in facts
        ]


def sql_on(path: Path) -> Sql:
    """What another program does to the file: one statement, on a connection of its own."""

    def run(statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(path)) as connection:
            rows = connection.execute(statement, parameters).fetchall()
            connection.commit()
        return rows

    return run


def table(sql: Sql, name: str) -> list[dict[str, Any]]:
    """Every row of a table as a mapping."""
    columns = [column[1] for column in sql(f"PRAGMA table_info({name})")]
    return [dict(zip(columns, row, strict=True)) for row in sql(f"SELECT * FROM {name}")]
