"""A process that is killed in the middle of an undo leaves whole facts; the rest can be undone."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from mnemo.memory import Memory
from tests.past.conftest import Row
from tests.store.scratch import Sql

pytestmark = pytest.mark.process

FACTS = 3_000
DEADLINE = 60.0

# Small batches, so that there are many moments between two of them.
UNDO = """
import sys
from pathlib import Path
from mnemo.memory import Memory
from mnemo.past import undo
from mnemo.settings import Settings
undo._BATCH_WEIGHT = 20
home = Path(sys.argv[1])
Memory(Settings(home=home, database=home / "facts.db")).undo()
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
    process = subprocess.Popen([sys.executable, "-c", UNDO, str(tmp_path)])
    try:
        wait_for_half(tmp_path / "facts.db", process)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait(timeout=DEADLINE)

    assert sql("PRAGMA integrity_check") == [("ok",)]
    undone = {row["fact_id"]: row for row in facts() if row != changed[row["fact_id"]]}
    assert 0 < len(undone) < FACTS
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


def wait_for_half(database: Path, process: "subprocess.Popen[bytes]") -> None:
    """Return as soon as some facts are undone."""
    deadline = time.monotonic() + DEADLINE
    with closing(sqlite3.connect(database, timeout=DEADLINE)) as reader:
        while time.monotonic() < deadline:
            assert process.poll() is None, "it was over before it could be killed"
            [done] = reader.execute("SELECT count(*) FROM changes WHERE op_id = 2").fetchone()
            if done:
                return
    raise AssertionError("it never began")
