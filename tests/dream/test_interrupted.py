"""A dream that was cut short: killed at any statement, and gone on with by the next."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnemo.errors import Stopped
from mnemo.memory import Memory
from mnemo.settings import Settings
from mnemo.writing.add import NewFact
from mnemo.writing.update import Edit
from tests.doors import Place
from tests.dream.conftest import EVENING, EVENING_AND_MORE, LONG, MISFILED, SERVER, SERVER_AND_MORE
from tests.store.scratch import NOW, Sql, table

# A process that dreams in small transactions and is killed when SQLite begins its nth statement;
# with 0 it lives and says how many there were.
_KILLED = """
import os, signal, sys
import mnemo.dream.apply
from mnemo.memory import Memory

mnemo.dream.apply.BATCH_CHANGES = 3
memory = Memory()
memory.status()
seen = 0

def count(statement):
    global seen
    seen += 1
    if seen == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)

memory._store._connection.set_trace_callback(count)
memory.dream()
print(seen)
"""
_KILLS = 12


def _filled(place: Place) -> Settings:
    settings = Settings.load(place.environment())
    memory = Memory(settings)
    memory.add(NewFact(MISFILED, category="identity"))
    for number in range(4):
        memory.add(NewFact(f"{EVENING} {number}"), NewFact(f"{EVENING_AND_MORE} {number}"))
    memory.add(NewFact(SERVER, tags="a"), NewFact(SERVER_AND_MORE, tags="b"))
    memory.add(NewFact(LONG))
    memory.close()
    return settings


def _dream_killed_at(statement: int, place: Place) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _KILLED, str(statement)],
        env=place.environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def _place(folder: Path, cache: Path) -> Place:
    folder.mkdir()
    return Place(folder, cache=cache)


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_a_dream_killed_at_any_statement_is_finished_by_the_next_and_undone_at_once(
    tmp_path: Path, cache: Path
) -> None:
    whole = _place(tmp_path / "whole", cache)
    _filled(whole)
    lived = _dream_killed_at(0, whole)
    assert lived.returncode == 0, lived.stderr
    statements = int(lived.stdout)
    expected = _steps(whole.sql)
    assert len(expected) == 7

    resumed = 0
    for number in range(_KILLS):
        place = _place(tmp_path / str(number), cache)
        settings = _filled(place)
        before = table(place.sql, "facts")
        killed = _dream_killed_at(1 + number * (statements - 1) // (_KILLS - 1), place)
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        resumed += _is_finished_and_undone(settings, place.sql, before, expected)
    assert resumed >= _KILLS // 3, "some were killed amid their changes"


def _is_finished_and_undone(
    settings: Settings, sql: Sql, before: list[dict[str, Any]], expected: list[tuple[Any, ...]]
) -> bool:
    """Whether the next dream went on with the one that was killed; all else is asserted."""
    assert sql("PRAGMA quick_check") == [("ok",)]
    sql("INSERT INTO fact_index(fact_index) VALUES ('integrity-check')")
    assert [row["content"] for row in table(sql, "facts")] == [row["content"] for row in before]
    backups = len(list(settings.home.glob("backup/*.db")))
    begun = bool(sql("SELECT 1 FROM meta WHERE k = 'dream_checkpoint'"))

    memory = Memory(settings)
    dreamed = memory.dream()

    ended = (
        not begun and bool(sql("SELECT 1 FROM meta WHERE k = 'last_dream_at'")) and not dreamed.op
    )
    if not ended:
        assert dreamed.deleted == 5
        assert (dreamed.compressed, dreamed.reclassified) == (1, 1)
    assert bool(dreamed.resumed) == begun
    if begun:
        assert len(list(settings.home.glob("backup/*.db"))) == backups
    assert _steps(sql) == expected
    assert sql("SELECT count(*) FROM operations WHERE kind = 'dream'") == [(1,)]
    assert not sql("SELECT 1 FROM meta WHERE k = 'dream_checkpoint'")
    sql("INSERT INTO fact_index(fact_index) VALUES ('integrity-check')")
    assert memory.dream().op == ""

    memory.undo(dreamed.op)
    memory.close()
    stamps = {"updated_at": ""}
    assert [row | stamps for row in table(sql, "facts")] == [row | stamps for row in before]
    return begun


def _steps(sql: Sql) -> list[tuple[Any, ...]]:
    """What dreams did, whatever the order."""
    return sorted(
        sql(
            "SELECT action, entry_id, json_extract(detail, '$.removed') FROM audit_log "
            "WHERE action IN ('MERGE', 'COMPRESS', 'RECLASSIFY') ORDER BY action, entry_id"
        )
    )


# -- stopped between two transactions -----------------------------------------------------


@pytest.fixture
def cut_short(
    filled: Memory, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., None]:
    """Dream, and be told to stop after the first transaction, of one step."""

    def dream(**wish: Any) -> None:
        told = threading.Event()
        told.set()
        memory = Memory(settings, clock=lambda: NOW, stop=told)
        with monkeypatch.context() as small:
            small.setattr("mnemo.dream.apply.BATCH_CHANGES", 2)
            with pytest.raises(Stopped):
                memory.dream(**wish)
        memory.close()

    return dream


@pytest.fixture
def stopped(filled: Memory, cut_short: Callable[..., None]) -> Memory:
    """A memory whose dream was cut short."""
    cut_short()
    return filled


def test_the_report_of_a_resumed_dream_covers_the_whole_operation(
    stopped: Memory, sql: Sql
) -> None:
    assert sql("SELECT count(*) FROM facts WHERE status = 'merged'") == [(0,)]
    assert sql("SELECT category FROM facts WHERE fact_id = 1") == [("coding_style",)]

    dreamed = stopped.dream()

    assert (dreamed.reclassified, dreamed.deleted, dreamed.compressed) == (1, 2, 1)
    assert dreamed.resumed == dreamed.op
    assert [event for (event,) in sql("SELECT action FROM audit_log WHERE entry_id IS NULL")] == [
        "DREAM",
        "DREAM",
    ]


def test_what_changed_in_between_is_planned_anew(stopped: Memory, sql: Sql) -> None:
    stopped.remove(2)
    stopped.update(4, Edit(content="The blue server listens on no port"))
    stopped.add(NewFact("The kettle is red"), NewFact("The kettle is red and big"))
    dreamed = stopped.dream()
    assert [(pair.kept, pair.removed) for pair in dreamed.merge_pairs] == [(8, 7)]
    assert dreamed.resumed


def test_a_dream_can_begin_anew_after_one_that_was_cut_short(
    stopped: Memory, settings: Settings, sql: Sql
) -> None:
    dreamed = stopped.dream(resume=False)
    assert (dreamed.reclassified, dreamed.deleted, dreamed.resumed) == (0, 2, "")
    assert sql("SELECT count(*) FROM operations WHERE kind = 'dream'") == [(2,)]
    assert len(list(settings.home.glob("backup/*.db"))) == 2
    assert not sql("SELECT 1 FROM meta WHERE k = 'dream_checkpoint'")


def test_a_dream_that_was_cut_short_and_undone_is_not_gone_on_with(stopped: Memory) -> None:
    stopped.undo()
    dreamed = stopped.dream()
    assert (dreamed.reclassified, dreamed.deleted, dreamed.resumed) == (1, 2, "")


def test_a_dream_by_itself_goes_on_with_a_persons(stopped: Memory, clockwork: Memory) -> None:
    dreamed = clockwork.dream()
    assert dreamed.resumed == dreamed.op
    assert (dreamed.reclassified, dreamed.deleted) == (1, 1), "a tenth, at least one"


def test_a_backup_that_is_gone_is_made_again(stopped: Memory, settings: Settings) -> None:
    for backup in settings.home.glob("backup/*.db"):
        backup.unlink()
    dreamed = stopped.dream()
    assert dreamed.resumed
    assert Path(str(dreamed.backup)).is_file()


def test_a_proposal_that_was_cut_short_is_gone_on_with_by_its_name_alone(
    filled: Memory, cut_short: Callable[..., None]
) -> None:
    plan = filled.dream(dry_run=True).plan
    cut_short(plan=plan, except_=[2])

    done = filled.dream(plan=plan, except_=[2])

    assert done.resumed == done.op
    assert done.stale == ()
    steps = [*done.reclassified_details, *done.merge_pairs, *done.compressed_details]
    assert [step.step for step in steps] == [1, 3, 4]


def test_a_plain_dream_is_no_part_of_a_proposal_that_was_cut_short(
    filled: Memory, cut_short: Callable[..., None]
) -> None:
    plan = filled.dream(dry_run=True).plan
    cut_short(plan=plan, except_=[2, 3])
    dreamed = filled.dream()
    assert (dreamed.reclassified, dreamed.deleted, dreamed.resumed) == (0, 2, "")


@pytest.mark.parametrize("stored", ["", "nonsense", "[]", '{"op": "x"}', '{"op": 404}'])
def test_a_checkpoint_that_means_nothing_is_passed_over(
    filled: Memory, sql: Sql, stored: str
) -> None:
    sql("INSERT INTO meta VALUES ('dream_checkpoint', ?)", stored)
    dreamed = filled.dream()
    assert (dreamed.deleted, dreamed.resumed) == (2, "")
