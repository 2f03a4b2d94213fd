"""A memory in a scratch folder whose clock moves one minute a call, and another program's hands."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from mnemo.errors import MnemoError
from mnemo.memory import Memory
from mnemo.writing.add import NewFact
from tests.store.scratch import Clock, Sql, table

Row = dict[str, Any]


class Ticking(Clock):
    """A clock that goes on by a minute with every look at it."""

    def __call__(self) -> datetime:
        self.pass_by(minutes=1)
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Ticking()


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
