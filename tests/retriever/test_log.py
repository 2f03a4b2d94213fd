"""A search is logged as it was asked and as it was answered, and never fails for the log."""

import json
import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest

from mnemo.models import Hit
from mnemo.retriever.log import log_retrieval
from mnemo.store import Store
from tests.store.scratch import NOW

Remember = Callable[..., list[int]]

HIT = Hit(fact_id=1, display="a fact", category="general", trust_score=0.5, score=0.1235)


def test_the_log_holds_the_raw_query_and_the_returned_scores(
    store: Store, remember: Remember
) -> None:
    remember("a fact")
    log_retrieval(store, "  请问 facts？ ", [HIT], now=NOW)
    with closing(sqlite3.connect(store.path)) as connection:
        [(query, results)] = connection.execute("SELECT query, results FROM retrieval_log")
    assert query == "  请问 facts？ "
    assert json.loads(results) == [{"id": 1, "score": 0.1235}]


def test_a_log_that_cannot_be_written_is_said_and_no_reason_to_fail(
    store: Store, remember: Remember, caplog: pytest.LogCaptureFixture
) -> None:
    remember("a fact")
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute("DROP TABLE retrieval_log")
    with caplog.at_level(logging.WARNING):
        log_retrieval(store, "a secret question", [HIT], now=NOW)
    assert "could not be logged" in caplog.text
    assert "secret" not in caplog.text
