"""Adding and reading in one call each."""

from collections.abc import Callable
from typing import Any

import pytest

from mnemo.errors import MnemoError
from mnemo.memory import Memory
from mnemo.models import AddReply, Fact
from mnemo.writing.add import NewFact


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
