"""A real store whose facts have been used, and the run that learns from it."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mnemo.enums import Actor
from mnemo.learning.cycle import run_learning
from mnemo.models import LearnReply
from mnemo.store import Store
from tests.store.scratch import NOW, fill


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "facts.db", now=NOW)) as opened:
        yield opened


@pytest.fixture
def remember(store: Store) -> Callable[..., list[int]]:
    def insert(*facts: str | dict[str, Any]) -> list[int]:
        return fill(store, facts)

    return insert


@pytest.fixture
def learn(store: Store) -> Callable[..., LearnReply]:
    def run(*, actor: Actor = Actor.USER, now: datetime = NOW, dry_run: bool = False) -> LearnReply:
        return run_learning(store, now=now, actor=actor, session="s", dry_run=dry_run)

    return run
