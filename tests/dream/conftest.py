"""A memory at a fixed moment, and facts that a dream has something to do with."""

from collections.abc import Iterator

import pytest

from mnemo.enums import Actor
from mnemo.memory import Memory
from mnemo.settings import Settings
from mnemo.writing.add import NewFact
from tests.store.scratch import NOW

EVENING = "用户喜欢在晚上写代码"
EVENING_AND_MORE = "用户喜欢在晚上写代码和文档"
MISFILED = "编码规范：函数不超过四十行，变量用小写"
SERVER = "The red server listens on the usual port"
SERVER_AND_MORE = "The red server listens on the usual port, as before"
LONG = "旧的版本保留一周。" * 30


@pytest.fixture
def clockwork(settings: Settings) -> Iterator[Memory]:
    """The same store as what runs by itself has it."""
    opened = Memory(settings, actor=Actor.SYSTEM, clock=lambda: NOW)
    yield opened
    opened.close()


@pytest.fixture
def filled(memory: Memory) -> Memory:
    """Facts 1 … 6: one to move, two pairs to merge, one to summarise."""
    memory.add(NewFact(MISFILED, category="identity"))
    memory.add(NewFact(EVENING), NewFact(EVENING_AND_MORE))
    memory.add(NewFact(SERVER), NewFact(SERVER_AND_MORE))
    memory.add(NewFact(LONG))
    return memory
