"""A memory in a scratch folder whose clock moves one minute a call, and another program's hands."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemo.errors import MnemoError
from mnemo.memory import Memory
from mnemo.settings import Settings
from mnemo.writing.add import NewFact
from tests.store.scratch import NOW, Sql, sql_on, table

Row = dict[str, Any]


class Clock:
    """A clock that goes on with every look at it."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(tmp_path: Path, clock: Clock) -> Iterator[Memory]:
    opened = Memory(Settings(home=tmp_path, database=tmp_path / "facts.db"), clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def sql(tmp_path: Path) -> Sql:
    return sql_on(tmp_path / "facts.db")


@pytest.fixture
def add(memory: Memory) -> Callable[..., int]:
    """Add one fact that is accepted; comes back with its id."""

    def store(content: str, **given: Any) -> int:
        [reply] = memory.add(NewFact(content, **given))
        assert not isinstance(reply, MnemoError), reply
        return reply.fact_id

    return store


@pytest.fixture
def facts(memory: Memory, sql: Sql) -> Callable[[], list[Row]]:
    """Every row of the facts as it is stored."""
    memory.status()
    return lambda: table(sql, "facts")
