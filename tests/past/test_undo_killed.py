"""A process that is killed in the middle of an undo leaves whole facts; the rest can be undone."""

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemo.memory import Memory
from tests.past.conftest import Row
from tests.store.scratch import Sql

pytestmark = pytest.mark.process

FACTS = 300
DEADLINE = 60.0

# Killed by the same signal as from outside, after the third of many small batches.
UNDO = """
import os, signal, sys
from pathlib import Path
from mnemo.memory import Memory
from mnemo.past import undo
from mnemo.settings import Settings

class Killed(Memory):
    batches = 0

    def _pauses(self):
        def go_on():
            self.batches += 1
            if self.batches == 3:
                os.kill(os.getpid(), signal.SIGKILL)
        return go_on

undo._BATCH_WEIGHT = 20
home = Path(sys.argv[1])
Killed(Settings(home=home, database=home / "facts.db")).undo()
"""


@pytest.fixture
def learned(memory: Memory, sql: Sql) -> Memory:
    """A memory in which learning has changed every fact."""
    memory.status()
    sql(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
        "INSERT INTO facts(content, retrieval_count) SELECT 'fact ' || i, 100 FROM n",
        FACTS,
    )
    assert memory.learn().demoted == FACTS
    return memory


def test_what_was_killed_in_the_middle_is_half_done_and_finished_by_the_next_undo(
    learned: Memory, sql: Sql, facts: Callable[[], list[Row]], tmp_path: Path
) -> None:
    changed = {row["fact_id"]: row for row in facts()}
    learned.close()
    killed = subprocess.run(
        [sys.executable, "-c", UNDO, str(tmp_path)], timeout=DEADLINE, check=False
    )
    assert killed.returncode == -signal.SIGKILL

    assert sql("PRAGMA integrity_check") == [("ok",)]
    undone = {row["fact_id"]: row for row in facts() if row != changed[row["fact_id"]]}
    assert len(undone) == 60
    assert {row["trust_score"] for row in undone.values()} == {0.5}
    assert {row["learn_at"] for row in undone.values()} == {None}
    assert [fact_id for (fact_id,) in sql("SELECT fact_id FROM changes WHERE op_id = 2")] == [
        *undone
    ]

    reply = learned.undo()
    assert (reply.undone, reply.op, reply.count) == ("op-1", "op-2", FACTS - len(undone))
    assert sql("SELECT DISTINCT trust_score, learn_at FROM facts") == [(0.5, None)]
    learned.redo()
    assert facts() == [*changed.values()]
