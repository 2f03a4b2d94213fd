"""Several processes that open one file at the same moment."""

import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.store import ancestors

pytestmark = pytest.mark.process

# Says that it is ready, waits for a line, and then opens the file, adds a fact and reads it.
OPENS = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from mnemo.enums import Actor, Op
from mnemo.store import Store
print("ready", flush=True)
sys.stdin.readline()
now = datetime(2026, 5, 14, 12, 0, tzinfo=UTC)
store = Store(Path(sys.argv[1]), now=now)
operation = store.journal.operation(Op.ADD, actor=Actor.USER, session="s", now=now)
with operation.batch():
    fact_id = operation.insert(content=f"fact of process {sys.argv[2]}")
print(len(store.facts.get([fact_id])))
store.close()
"""

Start = Callable[..., subprocess.Popen[str]]


def run_together(start: Start, path: Path, *, count: int) -> None:
    processes = [start(OPENS, path, number) for number in range(count)]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        said, complaint = process.communicate()
        assert (said, complaint) == ("1\n", "")


def contents(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = connection.execute("SELECT content FROM facts ORDER BY fact_id").fetchall()
    return [content for (content,) in rows]


def test_a_fresh_file_serves_all_who_open_it_first(path: Path, start_process: Start) -> None:
    run_together(start_process, path, count=4)
    assert sorted(contents(path)) == [f"fact of process {number}" for number in range(4)]
    assert not (path.parent / "backup").exists()
    with closing(sqlite3.connect(path)) as connection:
        told = connection.execute("SELECT * FROM audit_log WHERE action = 'MIGRATE'").fetchall()
    assert not told


def test_an_old_file_is_adopted_once(path: Path, start_process: Start) -> None:
    ancestors.make(path, ancestors.LAST)
    before = [str(row["content"]) for row in ancestors.rows(path, "facts")]
    run_together(start_process, path, count=3)
    assert sorted(contents(path)[2:]) == [f"fact of process {number}" for number in range(3)]
    assert contents(path)[:2] == before
    for backup in (path.parent / "backup").iterdir():
        assert [str(row["content"]) for row in ancestors.rows(backup, "facts")] == before
