"""How those who write to one file take turns."""

import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from mnemo.errors import StoreUnavailable
from mnemo.memory import Memory
from mnemo.settings import Settings
from mnemo.store import Store
from mnemo.store.connection import connect, transaction
from tests.store import ancestors
from tests.store.scratch import sql_on

FACTS = 12_000
# Seconds that an add may take at most: far more than it does where a processor is free, and less
# than after which SQLite would give up.
LONGEST_ADD = 2.0

# Adds facts until its input ends; prints how many, and how long the longest took.
ADDS = """
import sys, threading, time
from pathlib import Path
from mnemo.enums import Actor
from mnemo.memory import Memory
from mnemo.models import AddReply
from mnemo.settings import Settings
from mnemo.writing.add import NewFact
home = Path(sys.argv[1])
memory = Memory(Settings(home=home, database=home / "facts.db"), actor=Actor.AGENT)
memory.add(NewFact("the first one takes the time to load the dictionary"))
print("ready", flush=True)
done = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), done.set()), daemon=True).start()
taken = []
while not taken or not done.wait(0.01):
    begun = time.monotonic()
    [reply] = memory.add(NewFact(f"number {len(taken)} of those that came meanwhile"))
    assert isinstance(reply, AddReply), reply
    taken.append(time.monotonic() - begun)
print(len(taken), max(taken))
"""


@pytest.fixture
def used(tmp_path: Path) -> Path:
    """The folder of a memory whose every fact awaits a change by learning."""
    path = tmp_path / "facts.db"
    with closing(Memory(Settings(home=tmp_path, database=path))) as memory:
        memory.catch_up()
    sql = sql_on(path)
    sql(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
        "INSERT INTO facts(content, retrieval_count) SELECT 'fact ' || i, 100 FROM n",
        FACTS,
    )
    sql("DELETE FROM dirty")
    return tmp_path


@pytest.mark.process
def test_who_adds_in_another_process_gets_in_while_much_is_learned_and_taken_back(
    used: Path,
) -> None:
    adder = subprocess.Popen(
        [sys.executable, "-c", ADDS, str(used)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    with adder, closing(Memory(Settings(home=used, database=used / "facts.db"))) as memory:
        assert adder.stdout
        assert adder.stdout.readline() == "ready\n"
        assert memory.learn().demoted == FACTS
        learned = sql_on(used / "facts.db")("SELECT op_id FROM operations WHERE kind = 'learn'")
        assert memory.undo(f"op-{learned[0][0]}").count == FACTS
        said, _ = adder.communicate()
    count, longest = said.split()
    assert int(count) > 5
    assert float(longest) < LONGEST_ADD


def test_who_waits_asks_until_its_patience_ends(path: Path, now: datetime) -> None:
    Store(path, now=now).close()
    with closing(connect(path)) as writer, closing(connect(path)) as waiter:
        begun = time.monotonic()
        with (
            transaction(writer),
            pytest.raises(sqlite3.OperationalError, match="locked"),
            transaction(waiter, patience=0.05),
        ):
            pass
        assert 0.05 < time.monotonic() - begun < LONGEST_ADD
        with transaction(waiter, patience=0.0):
            pass


def test_a_connection_that_wrote_for_long_lets_who_waits_go_first(
    path: Path, now: datetime
) -> None:
    Store(path, now=now).close()
    waits, got_in = threading.Event(), threading.Event()

    def wait() -> None:
        with closing(connect(path)) as waiter:
            waits.set()
            with transaction(waiter):
                got_in.set()

    with closing(connect(path)) as writer:
        with transaction(writer):
            thread = threading.Thread(target=wait)
            thread.start()
            waits.wait()
            got_in.wait(0.15)  # a long transaction
        with transaction(writer):
            assert got_in.is_set()
        thread.join()


def test_an_old_database_that_another_program_is_at_is_waited_for(
    path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ancestors.make(path, ancestors.LAST)
    sql_on(path)("PRAGMA journal_mode=WAL")
    opened: list[int] = []

    def open_it() -> None:
        with closing(Store(path, now=now)) as store:
            opened.append(store.schema_version())

    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        thread = threading.Thread(target=open_it)
        thread.start()
        thread.join(0.3)
        assert thread.is_alive()
        with monkeypatch.context() as hasty:
            hasty.setattr("mnemo.store.migrations._PATIENCE_SECONDS", 0.05)
            with pytest.raises(StoreUnavailable, match="another process is writing"):
                Store(path, now=now)
        other.execute("COMMIT")
        thread.join()
    assert opened == [2]
    assert len(list((path.parent / "backup").iterdir())) == 1
