"""A real store in a scratch folder, at a fixed moment, and the hands of another program."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mnemo.enums import Actor, Op
from mnemo.store import Operation, Store
from tests.store.scratch import NOW


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "facts.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    opened = Store(path, now=NOW)
    yield opened
    opened.close()


@pytest.fixture
def operation(store: Store) -> Callable[..., Operation]:
    def start(kind: Op = Op.ADD, *, session: str = "s1", now: datetime = NOW) -> Operation:
        return store.journal.operation(kind, actor=Actor.USER, session=session, now=now)

    return start


@pytest.fixture
def add(operation: Callable[..., Operation]) -> Callable[..., int]:
    def insert(content: str, **columns: object) -> int:
        op = operation()
        with op.batch():
            return op.insert(content=content, **columns)

    return insert


@pytest.fixture
def change(operation: Callable[..., Operation]) -> Callable[..., None]:
    def update(fact_id: int, **columns: Any) -> None:
        op = operation(Op.UPDATE)
        with op.batch():
            op.update(fact_id, **columns)

    return update


@pytest.fixture
def start_process() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start Python in a process of its own; it is ended when the test is over."""
    started: list[subprocess.Popen[str]] = []

    def start(code: str, *words: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", code, *map(str, words)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()
