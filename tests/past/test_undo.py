"""What was done can be taken back, and brought back."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from mnemo.enums import Actor, Op, Verdict
from mnemo.errors import InvalidInput, MnemoError, NotFound, Refused
from mnemo.memory import Memory
from mnemo.past import undo as undo_room
from mnemo.settings import Settings
from mnemo.store import Store
from mnemo.writing.add import NewFact
from mnemo.writing.update import Edit
from tests.past.conftest import Row
from tests.store.scratch import Clock, Sql

Add = Callable[..., int]
Facts = Callable[[], list[Row]]


def found(memory: Memory, query: str) -> list[int]:
    return [hit.fact_id for hit in memory.search(query).results]


@contextmanager
def refusal(memory: Memory, said: str) -> Iterator[None]:
    """A refusal in these words, after which every fact is as it was."""
    before = memory.list(status="active").facts
    with pytest.raises(MnemoError, match=said):
        yield
    assert memory.list(status="active").facts == before


# -- which operation ----------------------------------------------------------------------


def test_undo_takes_back_the_newest_operation(memory: Memory, add: Add, facts: Facts) -> None:
    add("first")
    before = facts()
    memory.update(1, Edit(content="second", tags="a", summary="short"))
    reply = memory.undo()
    assert (reply.undone, reply.facts, reply.kind, reply.actor) == ("op-2", (1,), "update", "user")
    assert reply.op == "op-3"
    assert facts() == before


def test_undo_twice_takes_two_steps_back(memory: Memory, add: Add, facts: Facts) -> None:
    add("first")
    states = [facts()]
    for text in ("second", "third"):
        memory.update(1, Edit(content=text))
        states.append(facts())
    assert [memory.undo().undone, memory.undo().undone] == ["op-3", "op-2"]
    assert facts() == states[0]
    assert [memory.redo().redone, memory.redo().redone] == ["op-2", "op-3"]
    assert facts() == states[2]


def test_a_named_operation_is_taken_back_and_later_ones_stay(memory: Memory, add: Add) -> None:
    add("first")
    add("second")
    memory.remove(1)
    memory.remove(2)
    assert memory.undo(" OP-3 ").facts == (1,)
    assert [fact.fact_id for fact in memory.list().facts] == [1]


def test_what_is_undone_is_not_undone_again(memory: Memory, add: Add) -> None:
    add("first")
    memory.remove(1)
    memory.undo()
    with refusal(memory, "op-2 is undone already, by op-3"):
        memory.undo("op-2")
    assert memory.undo().undone == "op-1"


def test_the_undo_of_an_undo_is_a_redo(memory: Memory, add: Add, sql: Sql) -> None:
    add("first")
    memory.remove(1)
    memory.undo()
    reply = memory.undo("op-3")
    assert (reply.undone, reply.redone, reply.kind) == ("op-3", "op-2", "remove")
    assert memory.list().count == 0
    assert sql("SELECT op_id, kind, undoes, undone_by FROM operations") == [
        (1, "add", None, None),
        (2, "remove", None, None),
        (3, "undo", 2, 4),
        (4, "redo", 3, None),
    ]


def test_what_was_redone_can_be_undone_and_redone_again(memory: Memory, add: Add) -> None:
    add("first")
    memory.remove(1)
    for _ in range(3):
        assert memory.undo().undone == "op-2"
        assert memory.list().count == 1
        assert memory.redo().redone == "op-2"
        assert memory.list().count == 0
    with pytest.raises(Refused, match="nothing to redo"):
        memory.redo()


def test_a_redo_can_be_undone_by_its_name(memory: Memory, add: Add) -> None:
    add("first")
    memory.remove(1)
    memory.undo()
    memory.redo()
    memory.undo("op-4")
    assert memory.list().count == 1
    assert memory.undo().undone == "op-1"


def test_a_bare_number_is_refused_with_what_it_may_mean(memory: Memory, add: Add) -> None:
    add("first")
    memory.remove(1)
    with pytest.raises(InvalidInput) as refused:
        memory.undo("1")
    assert "fact 1 is removed" in refused.value.message
    assert "op-1 was add" in refused.value.message
    assert "undo op-1" in refused.value.hint
    assert "history 1" in refused.value.hint
    assert "restore 1" in refused.value.hint
    with pytest.raises(InvalidInput, match="there is no fact 9, there is no op-9"):
        memory.undo("9")


@pytest.mark.parametrize("name", ["op-x", "7a", "op-", "undo", "-3", "op-1234567890123456789012"])
def test_what_names_no_operation_is_refused(memory: Memory, add: Add, name: str) -> None:
    add("first")
    with pytest.raises(InvalidInput, match="not the name of an operation"):
        memory.undo(name)


def test_an_operation_that_never_was_is_refused(memory: Memory, add: Add) -> None:
    add("first")
    with pytest.raises(NotFound, match="no operation op-99"):
        memory.undo("op-99")


def test_with_nothing_done_there_is_nothing_to_undo(memory: Memory) -> None:
    with pytest.raises(Refused, match="nothing to undo"):
        memory.undo()


def test_an_operation_that_changed_no_fact_is_refused_and_passed_over(
    memory: Memory, add: Add, sql: Sql
) -> None:
    add("first")
    sql(
        "INSERT INTO operations(kind, actor, session, started_at) "
        "VALUES ('config', 'user', 's', '2026-05-14 12:00:00')"
    )
    with refusal(memory, "the config op-2 changed no fact"):
        memory.undo("op-2")
    assert memory.undo().undone == "op-1"


# -- what goes back -----------------------------------------------------------------------


def test_facts_that_were_added_go_out_of_sight_and_come_back(
    memory: Memory, facts: Facts, sql: Sql
) -> None:
    memory.add(NewFact("深色主题"), NewFact("uses pytest", tags="a"))
    before = facts()
    assert memory.undo().facts == (1, 2)
    assert [fact["status"] for fact in facts()] == ["removed", "removed"]
    assert found(memory, "pytest") == []
    memory.redo()
    assert facts() == before
    assert found(memory, "深色") == [1]


def test_the_index_and_the_twins_follow(memory: Memory, add: Add) -> None:
    add("the kettle is red")
    memory.update(1, Edit(content="the kettle is blue"))
    memory.undo()
    assert found(memory, "red") == [1]
    assert found(memory, "blue") == []
    [known, fresh] = memory.add(NewFact("the kettle is red"), NewFact("the kettle is blue"))
    assert not isinstance(known, MnemoError)
    assert not isinstance(fresh, MnemoError)
    assert (known.status, fresh.status) == ("exists", "added")


def test_a_merge_goes_back_with_its_words(memory: Memory, sql: Sql) -> None:
    memory.add(
        NewFact("用户喜欢在晚上用深色主题写代码"), NewFact("用户喜欢在晚上用深色主题写代码呢")
    )
    merged = memory.dream().deleted
    assert merged == 1
    reply = memory.undo()
    assert reply.kind == "dream"
    assert memory.list().count == 2
    memory.redo()
    assert memory.list().count == 1


def test_what_recalls_added_since_stays(memory: Memory, add: Add, sql: Sql) -> None:
    add("uses pytest")
    memory.feedback(Verdict.HELPFUL, 1)
    found(memory, "pytest")
    sql("UPDATE facts SET helpful_count = helpful_count + 2")
    memory.undo()
    assert sql("SELECT helpful_count, retrieval_count, trust_score FROM facts") == [(2, 1, 0.5)]
    assert sql("SELECT last_retrieved_at FROM facts") != [(None,)]


def test_every_digit_of_a_trust_comes_back(
    memory: Memory, add: Add, facts: Facts, sql: Sql
) -> None:
    add("first")
    sql("UPDATE facts SET trust_score = ?", 0.1 + 0.2)
    before = facts()
    memory.update(1, Edit(trust_delta=0.2))
    memory.undo()
    assert facts() == before


def test_what_another_program_put_in_the_place_of_a_text_stands_in_no_way(
    memory: Memory, add: Add, sql: Sql
) -> None:
    add("first")
    sql("UPDATE facts SET source_ref = x'616263', trust_score = 9e999")
    memory.update(1, Edit(content="second"))
    memory.undo()
    assert sql("SELECT content, source_ref FROM facts") == [("first", b"abc")]


# -- what stands in the way ---------------------------------------------------------------


def test_one_changed_fact_keeps_the_whole_operation(memory: Memory, add: Add, facts: Facts) -> None:
    memory.add(NewFact("first"), NewFact("second"))
    memory.update(2, Edit(content="changed"))
    before = facts()
    with pytest.raises(Refused) as refused:
        memory.undo("op-1")
    assert "fact 2 was changed since by the update op-2" in refused.value.message
    assert "undo op-2 first" in refused.value.hint
    assert "partial" in refused.value.hint
    assert facts() == before


def test_in_part_the_rest_is_undone_and_the_changed_one_named(memory: Memory) -> None:
    memory.add(NewFact("first"), NewFact("second"))
    memory.update(2, Edit(content="changed"))
    reply = memory.undo("op-1", partial=True)
    assert reply.facts == (1,)
    assert [(fact.fact_id, fact.op) for fact in reply.blocked] == [(2, "op-2")]
    assert [fact.fact_id for fact in memory.list().facts] == [2]


def test_the_rest_can_be_undone_once_nothing_stands_in_the_way(memory: Memory) -> None:
    memory.add(NewFact("first"), NewFact("second"))
    memory.update(2, Edit(content="changed"))
    memory.undo("op-1", partial=True)
    with refusal(memory, "nothing of op-1 can be undone"):
        memory.undo("op-1", partial=True)
    memory.undo("op-2")
    assert memory.undo("op-1").facts == (2,)
    assert memory.list().count == 0
    assert [memory.redo().redone for _ in range(3)] == ["op-1", "op-2", "op-1"]
    assert [fact.content for fact in memory.list().facts] == ["first", "changed"]


def test_a_change_by_another_program_counts_in_any_column(
    memory: Memory, add: Add, sql: Sql
) -> None:
    add("first")
    sql("ALTER TABLE facts ADD COLUMN colour TEXT DEFAULT 'red'")
    memory.close()
    memory.update(1, Edit(content="second"))
    sql("UPDATE facts SET colour = 'blue'")
    with refusal(memory, "fact 1 was changed since by another program"):
        memory.undo()
    sql("UPDATE facts SET colour = 'red'")
    assert memory.undo().facts == (1,)


def test_a_row_that_is_gone_stands_in_the_way_of_the_whole(memory: Memory, sql: Sql) -> None:
    memory.add(NewFact("first"), NewFact("second"))
    sql("DELETE FROM facts WHERE fact_id = 2")
    with refusal(memory, "fact 2 was deleted by another program"):
        memory.undo()
    assert memory.undo(partial=True).facts == (1,)


def test_what_was_undone_since_stands_in_no_way(memory: Memory, add: Add) -> None:
    add("first")
    memory.update(1, Edit(content="second"))
    memory.undo()
    memory.redo()
    memory.undo("op-2")
    assert memory.undo("op-1").facts == (1,)


def test_a_dry_run_shows_what_would_be_and_changes_nothing(
    memory: Memory, facts: Facts, sql: Sql
) -> None:
    memory.add(NewFact("first"), NewFact("second"))
    memory.update(2, Edit(content="changed"))
    before, operations = facts(), sql("SELECT * FROM operations")
    reply = memory.undo("op-1", dry_run=True)
    assert (reply.facts, len(reply.blocked), reply.dry_run, reply.op) == ((1,), 1, True, "")
    assert memory.undo(dry_run=True).as_json()["changes"] == [
        {"fact_id": 2, "changes": [{"field": "content", "from": "changed", "to": "second"}]}
    ]
    assert (facts(), sql("SELECT * FROM operations")) == (before, operations)


def test_a_dream_that_runs_is_not_undone_under_its_hands(
    memory: Memory, tmp_path: Path, clock: Clock
) -> None:
    memory.add(
        NewFact("用户喜欢在晚上用深色主题写代码"), NewFact("用户喜欢在晚上用深色主题写代码呢")
    )
    assert memory.dream().deleted == 1
    with closing(Store(tmp_path / "facts.db", now=clock())) as other:
        other.locks.acquire("dream", now=clock())
        with refusal(memory, "a dream is running"):
            memory.undo()
        other.locks.release("dream")
    assert memory.undo().kind == "dream"


# -- much at once -------------------------------------------------------------------------


def many(memory: Memory, count: int) -> None:
    memory.add(*(NewFact(f"statement number {i}") for i in range(count)))


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undo_room, "_BATCH_WEIGHT", 50)


def test_a_long_undo_is_one_operation_and_its_reply_is_short(
    memory: Memory, sql: Sql, small_batches: None
) -> None:
    many(memory, 250)
    reply = memory.undo()
    assert (reply.count, len(reply.facts)) == (250, 200)
    assert len(json.dumps(reply.as_json())) < 6_000
    assert sql("SELECT count(*) FROM operations") == [(2,)]
    assert sql("SELECT count(*) FROM audit_log WHERE action = 'UNDO'") == [(1,)]
    memory.redo()
    assert memory.list().total == 250


def test_an_undo_that_was_cut_short_goes_on_under_its_own_id(
    memory: Memory, sql: Sql, small_batches: None, tmp_path: Path, clock: Clock
) -> None:
    many(memory, 10)
    with cut_short(tmp_path, clock) as cut:
        cut.undo()
    left = memory.list().total
    assert 0 < left < 10
    reply = memory.undo()
    assert (reply.undone, reply.op, reply.count) == ("op-1", "op-2", left)
    assert memory.list().total == 0
    memory.redo()
    assert memory.list().total == 10


def test_an_undo_that_was_cut_short_can_be_brought_back(
    memory: Memory, small_batches: None, tmp_path: Path, clock: Clock
) -> None:
    many(memory, 10)
    with cut_short(tmp_path, clock) as cut:
        cut.undo()
    memory.redo()
    assert memory.list().total == 10
    assert memory.undo().undone == "op-1"


def test_a_redo_that_was_cut_short_goes_on_before_anything_else(
    memory: Memory, small_batches: None, tmp_path: Path, clock: Clock
) -> None:
    many(memory, 10)
    memory.undo()
    with cut_short(tmp_path, clock) as cut:
        cut.redo()
    memory.redo()
    assert memory.list().total == 10


@contextmanager
def cut_short(home: Path, clock: Clock) -> Iterator[Memory]:
    """A memory whose work ends after the first transaction."""
    memory = Memory(Settings(home=home, database=home / "facts.db"), clock=clock)
    memory._stop.set()  # pyright: ignore[reportPrivateUsage]
    with closing(memory), pytest.raises(MnemoError, match="told to stop"):
        yield memory


def test_what_another_program_changes_meanwhile_is_left_out_and_named(
    memory: Memory, sql: Sql, small_batches: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    many(memory, 10)
    changed: list[bool] = []

    def go_on() -> None:
        if not changed:
            sql("UPDATE facts SET tags = 'theirs' WHERE fact_id = 10")
            changed.append(True)

    monkeypatch.setattr(memory, "_pauses", lambda: go_on)
    reply = memory.undo()
    assert (reply.count, [fact.fact_id for fact in reply.blocked]) == (9, [10])
    assert [fact.fact_id for fact in memory.list().facts] == [10]


# -- what others ask of the journal -------------------------------------------------------


def store_of(tmp_path: Path, clock: Clock) -> Any:
    return closing(Store(tmp_path / "facts.db", now=clock()))


def test_what_is_taken_back_is_known_by_its_kind(
    memory: Memory, tmp_path: Path, clock: Clock
) -> None:
    memory.add(NewFact("first"), NewFact("second"))
    memory.remove(1, 2)
    memory.update(1, Edit(content="changed"))
    memory.undo("op-2", partial=True)
    with store_of(tmp_path, clock) as store:
        [undone] = store.history.undone(Op.REMOVE)
        assert (undone.fact_id, undone.after["status"]) == (2, "removed")
        assert store.history.undone(Op.UPDATE) == []
    memory.redo()
    with store_of(tmp_path, clock) as store:
        assert store.history.undone(Op.REMOVE) == []


def test_an_operation_that_was_undone_is_not_continued(
    memory: Memory, tmp_path: Path, clock: Clock
) -> None:
    memory.add(NewFact("first"))
    memory.undo()
    with store_of(tmp_path, clock) as store:
        again = store.journal.operation(
            Op.ADD, actor=Actor.USER, session="s", now=clock(), resumes=1
        )
        with again.batch():
            again.insert(content="second")
        assert again.op_id == 3


def test_removed_and_restored_is_as_before(memory: Memory, add: Add, facts: Facts) -> None:
    add("first", tags="a,b", summary="short", source="here", date="2026-01-01")
    memory.feedback(Verdict.HELPFUL, 1)
    found(memory, "first")
    before = facts()
    memory.remove(1)
    memory.restore(1)
    assert [row | {"updated_at": ""} for row in facts()] == [
        row | {"updated_at": ""} for row in before
    ]
