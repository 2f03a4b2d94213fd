"""A plan that is shown, kept, and carried out later, whole or in part."""

from pathlib import Path
from typing import Any

import pytest

from mnemo.dream.proposals import KEPT
from mnemo.dream.report import DreamReply
from mnemo.errors import InvalidInput, NotFound
from mnemo.memory import Memory
from mnemo.settings import Settings
from mnemo.writing.add import NewFact
from mnemo.writing.update import Edit
from tests.dream.conftest import EVENING, EVENING_AND_MORE, LONG, MISFILED, SERVER
from tests.store.scratch import Sql


def _numbers(reply: DreamReply) -> list[int]:
    steps = [*reply.reclassified_details, *reply.merge_pairs, *reply.compressed_details]
    return [step.step for step in steps]


def _step_of(reply: DreamReply, removed: int) -> int:
    return next(pair.step for pair in reply.merge_pairs if pair.removed == removed)


def test_the_steps_of_a_proposal_are_numbered_in_the_order_in_which_they_are_applied(
    filled: Memory,
) -> None:
    proposed = filled.dream(dry_run=True)
    assert _numbers(proposed) == [1, 2, 3, 4]
    assert {(pair.kept, pair.removed) for pair in proposed.merge_pairs} == {(3, 2), (5, 4)}
    [short] = proposed.compressed_details
    assert (short.id, short.summary) == (6, "旧的版本保留一周。旧的版本保留一周。")
    assert proposed.plan.startswith("p-")
    assert proposed.op == ""


def test_the_same_plan_over_the_same_facts_has_the_same_name(filled: Memory) -> None:
    first = filled.dream(dry_run=True).plan
    assert filled.dream(dry_run=True).plan == first
    filled.update(6, Edit(content="短了。"))
    assert filled.dream(dry_run=True).plan != first


def test_to_look_at_a_plan_changes_no_byte_of_the_database(
    filled: Memory, settings: Settings
) -> None:
    filled.close()
    before = settings.database.read_bytes()
    filled.dream(dry_run=True)
    filled.close()
    assert settings.database.read_bytes() == before
    assert not (settings.home / "backup").exists()


def test_a_kept_plan_holds_no_stored_text_and_is_the_owners_alone(
    filled: Memory, settings: Settings
) -> None:
    filled.dream(dry_run=True)
    [file] = (settings.home / "cache" / "plans").iterdir()
    text = file.read_text().encode().decode("unicode_escape")
    assert not any(content[:4] in text for content in (EVENING, LONG, SERVER))
    assert file.stat().st_mode & 0o077 == 0


def test_a_plan_is_carried_out_without_the_steps_that_are_excepted(
    filled: Memory, sql: Sql
) -> None:
    proposed = filled.dream(dry_run=True)
    left = _step_of(proposed, 4)
    filled.add(NewFact("The kettle is red"), NewFact("The kettle is red and big"))

    done = filled.dream(plan=proposed.plan, except_=[left])

    assert _numbers(done) == [n for n in _numbers(proposed) if n != left]
    assert (done.plan, done.stale, done.dry_run) == (proposed.plan, (), False)
    assert done.op.startswith("op-")
    assert sql("SELECT fact_id FROM facts WHERE status = 'merged'") == [(2,)]
    assert sql("SELECT category FROM facts WHERE fact_id = 1") == [("coding_style",)]
    assert sql("SELECT summary FROM facts WHERE fact_id = 6") != [(None,)]


def test_a_step_whose_facts_changed_is_named_and_not_done(filled: Memory, sql: Sql) -> None:
    proposed = filled.dream(dry_run=True)
    filled.update(3, Edit(content="用户喜欢在早上写代码和文档"))
    filled.remove(6)

    done = filled.dream(plan=proposed.plan)

    assert [(stale.step, stale.facts) for stale in done.stale] == [
        (_step_of(proposed, 2), (3, 2)),
        (4, (6,)),
    ]
    assert sql("SELECT fact_id FROM facts WHERE status = 'merged'") == [(4,)]


def test_a_merge_that_needs_a_refused_move_is_not_done(memory: Memory, sql: Sql) -> None:
    memory.add(NewFact(MISFILED, category="identity"))
    memory.add(NewFact(MISFILED + "，注释用英文", category="coding_style"))
    proposed = memory.dream(dry_run=True)
    assert _numbers(proposed) == [1, 2]

    done = memory.dream(plan=proposed.plan, except_=[1])

    assert [stale.step for stale in done.stale] == [2]
    assert sql("SELECT count(*) FROM facts WHERE status = 'active'") == [(2,)]


def test_a_fact_that_became_protected_is_not_retired(filled: Memory, sql: Sql) -> None:
    proposed = filled.dream(dry_run=True)
    sql("UPDATE facts SET retrieval_count = 101 WHERE fact_id = 2")
    filled.pin(4)

    done = filled.dream(plan=proposed.plan)

    assert {stale.facts for stale in done.stale} == {(3, 2), (5, 4)}


def test_a_plan_that_was_carried_out_finds_nothing_as_it_was(filled: Memory, sql: Sql) -> None:
    proposed = filled.dream(dry_run=True)
    filled.dream(plan=proposed.plan)
    operations = sql("SELECT count(*) FROM operations")

    again = filled.dream(plan=proposed.plan)

    assert [stale.step for stale in again.stale] == [1, 2, 3, 4]
    assert again.op == ""
    assert again.backup is not None, "it was made before anybody could know"
    assert sql("SELECT count(*) FROM operations") == operations


def test_unknown_steps_are_refused_before_anything_is_written(filled: Memory, sql: Sql) -> None:
    proposed = filled.dream(dry_run=True)
    before = sql("SELECT * FROM facts")
    with pytest.raises(InvalidInput, match="no step 7, 9") as refused:
        filled.dream(plan=proposed.plan, except_=[1, 7, 9])
    assert refused.value.hint == "its steps are 1 to 4"
    assert sql("SELECT * FROM facts") == before
    assert not sql("SELECT 1 FROM operations WHERE kind = 'dream'")


@pytest.mark.parametrize("name", ["p-000000", "nonsense", "../facts", "p-"])
def test_a_plan_that_is_not_kept_is_an_error_that_says_what_to_do(
    filled: Memory, name: str
) -> None:
    with pytest.raises(NotFound, match="there is no plan") as missing:
        filled.dream(plan=name)
    assert "dry run" in missing.value.hint


def test_a_plan_of_another_database_is_not_found(filled: Memory, settings: Settings) -> None:
    plan = filled.dream(dry_run=True).plan
    other = Memory(Settings(home=settings.home, database=settings.home / "other.db"))
    with pytest.raises(NotFound):
        other.dream(plan=plan)
    other.close()


def test_the_newest_ten_plans_are_kept(filled: Memory, settings: Settings) -> None:
    folder = settings.home / "cache" / "plans"
    folder.mkdir(parents=True)
    for number in range(KEPT + 5):
        file = folder / f"p-{number:06x}.json"
        file.write_text("{}")
        _make_older(file, days=100 - number)
    newest = filled.dream(dry_run=True).plan
    kept = sorted(file.stem for file in folder.iterdir())
    assert len(kept) == KEPT
    assert newest in kept
    assert "p-000000" not in kept


def _make_older(file: Path, *, days: int) -> None:
    import os

    moment = file.stat().st_mtime - days * 86_400
    os.utime(file, (moment, moment))


def test_where_a_plan_cannot_be_kept_it_is_still_shown(filled: Memory, settings: Settings) -> None:
    (settings.home / "cache").mkdir(exist_ok=True)
    (settings.home / "cache" / "plans").write_text("a file in the folder's place")
    proposed = filled.dream(dry_run=True)
    assert (proposed.merged, proposed.plan) == (2, "")
    assert "could not be kept" in proposed.notes[0]


def test_a_dry_run_with_nothing_to_do_has_no_plan(memory: Memory) -> None:
    memory.add(NewFact(EVENING_AND_MORE))
    assert memory.dream(dry_run=True).plan == ""


@pytest.mark.parametrize("wish", [{"plan": "p-000000", "dry_run": True}, {"except_": [1]}])
def test_wishes_that_exclude_each_other_are_refused(memory: Memory, wish: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        memory.dream(**wish)
