"""A real store that is filled at a fixed moment, and asked as a search asks it."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mnemo.retriever.search import Scored, search_facts
from mnemo.store import Filter, Store
from tests.store.scratch import NOW, fill

Search = Callable[..., list[Scored]]


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "facts.db", now=NOW)) as opened:
        yield opened


@pytest.fixture
def remember(store: Store) -> Callable[..., list[int]]:
    """Store texts, or texts with columns, in one transaction; their ids."""

    def insert(*facts: str | dict[str, Any]) -> list[int]:
        return fill(store, facts)

    return insert


@pytest.fixture
def search(store: Store) -> Search:
    def ask(query: str, wanted: Filter | None = None, *, limit: int = 10) -> list[Scored]:
        return search_facts(store, query, wanted or Filter(), limit=limit, today=NOW.date())

    return ask
