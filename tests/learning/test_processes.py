"""Learning in real processes that die half-way."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from mnemo.enums import Actor
from mnemo.learning.cycle import run_learning
from mnemo.store import Store
from tests.store.scratch import NOW, sql_on

pytestmark = pytest.mark.process

FACTS = 13_000  # more than one batch

# Learns, and stands still where it is told to: after a transaction, or inside the second one.
LEARNS = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from mnemo.learning.cycle import run_learning
from mnemo.enums import Actor
from mnemo.store import Store, journal
now = datetime(2026, 5, 14, 12, 0, tzinfo=UTC)

def stand_still():
    print("here", flush=True)
    sys.stdin.read()

class Halting(journal.Operation):
    written = 0
    def update_from(self, *given, **named):
        super().update_from(*given, **named)
        Halting.written += 1
        if sys.argv[2] == "inside" and Halting.written == 2:
            stand_still()

journal.Operation = Halting
store = Store(Path(sys.argv[1]), now=now)
between = stand_still if sys.argv[2] == "between" else lambda: None
run_learning(store, now=now, actor=Actor.SYSTEM, session="s", between=between)
"""


def fill(path: Path) -> None:
    Store(path, now=NOW).close()
    sql_on(path)(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
        "INSERT INTO facts(content, retrieval_count, helpful_count, last_retrieved_at) "
        "SELECT 'fact ' || i, 31 + i % 70, 2, iif(i % 2, '2026-03-01 12:00:00', NULL) FROM n",
        FACTS,
    )


def learned(path: Path) -> list[tuple[object, ...]]:
    with closing(Store(path, now=NOW)) as store:
        run_learning(store, now=NOW, actor=Actor.USER, session="s")
    return sql_on(path)(
        "SELECT fact_id, trust_score, learn_retrievals, learn_helpful, learn_at, aged_at FROM facts"
    )


@pytest.mark.parametrize("where", ["between", "inside"])
def test_a_run_that_is_killed_leaves_whole_batches_and_the_next_one_ends_the_same(
    tmp_path: Path, where: str
) -> None:
    killed, whole = tmp_path / "killed.db", tmp_path / "whole.db"
    fill(killed)
    fill(whole)
    process = subprocess.Popen(
        [sys.executable, "-c", LEARNS, str(killed), where],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    with process:
        assert process.stdout
        assert process.stdout.readline() == "here\n"
        process.kill()

    sql = sql_on(killed)
    [(moved,)] = sql("SELECT count(*) FROM facts WHERE learn_at IS NOT NULL OR aged_at IS NOT NULL")
    [(journaled,)] = sql("SELECT count(*) FROM changes")
    assert 0 < moved == journaled < FACTS
    assert sql("PRAGMA integrity_check") == [("ok",)]
    assert learned(killed) == learned(whole)
    [(journaled,)] = sql("SELECT count(*) FROM changes")
    assert journaled == sql_on(whole)("SELECT count(*) FROM changes")[0][0]
