"""What every test may ask for: a fresh, empty memory, by itself or behind its doors."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemo.memory import Memory
from mnemo.settings import Settings
from tests.doors import CommandDoor, Door, ToolDoor
from tests.store.scratch import Clock, Sql, sql_on


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path, database=tmp_path / "facts.db")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(settings: Settings, clock: Clock) -> Iterator[Memory]:
    """A person's memory."""
    opened = Memory(settings, clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def sql(settings: Settings) -> Sql:
    """What another program does to the file of that memory."""
    return sql_on(settings.database)


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What every memory of this run may share."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def tool_doors(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Iterator[Iterator[Door]]:
    """Fresh memories behind the tools; while one is in use, the server of the next gets ready."""

    def opened() -> ToolDoor:
        door = ToolDoor(tmp_path_factory.mktemp("home"), cache=cache)
        door.start()
        return door

    waiting = [opened()]

    def doors() -> Iterator[Door]:
        while True:
            waiting.append(opened())
            yield waiting.pop(0)

    yield doors()
    for door in waiting:
        door.close()


@pytest.fixture
def tool(tool_doors: Iterator[Door]) -> Iterator[Door]:
    """A fresh memory behind the tools alone."""
    with next(tool_doors) as opened:
        yield opened


@pytest.fixture
def command(tmp_path: Path, cache: Path) -> Iterator[CommandDoor]:
    """A fresh memory behind the command line alone."""
    with CommandDoor(tmp_path, cache=cache) as opened:
        yield opened


@pytest.fixture(params=["tool", "command"])
def door(request: pytest.FixtureRequest) -> Door:
    """A fresh memory behind each of the two doors in turn."""
    return request.getfixturevalue(request.param)
