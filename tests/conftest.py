"""What every test may ask for: the doors onto a fresh, empty memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doors import CommandDoor, Door, ToolDoor


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
