"""A memory in a scratch folder whose clock stands still until it is set."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemo.errors import MnemoError
from mnemo.memory import Memory
from mnemo.models import AddReply, Fact
from mnemo.settings import Settings
from mnemo.writing.add import NewFact
from tests.store.scratch import NOW, Sql, sql_on


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **span: float) -> None:
        self.now += timedelta(**span)


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
def add(memory: Memory) -> Callable[..., AddReply]:
    """Add one fact that is accepted."""

    def store(content: str, **given: Any) -> AddReply:
        [reply] = memory.add(NewFact(content, **given))
        assert not isinstance(reply, MnemoError), reply
        return reply

    return store


@pytest.fixture
def get(memory: Memory) -> Callable[[int], Fact]:
    def read(fact_id: int) -> Fact:
        [fact] = memory.get(fact_id).facts
        return fact

    return read
