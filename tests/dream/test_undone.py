"""What a person took back, and what the next dreams make of it."""

import pytest

from mnemo.memory import Memory
from mnemo.writing.add import NewFact
from tests.dream.conftest import EVENING, EVENING_AND_MORE
from tests.store.scratch import Sql, table


def test_one_undo_takes_a_whole_dream_back(filled: Memory, sql: Sql) -> None:
    before = table(sql, "facts")
    dreamed = filled.dream()
    assert (dreamed.merged, dreamed.compressed, dreamed.reclassified) == (2, 1, 1)

    filled.undo(dreamed.op)

    unstamped = [{**row, "updated_at": ""} for row in table(sql, "facts")]
    assert unstamped == [{**row, "updated_at": ""} for row in before]


def test_a_dream_by_itself_repeats_no_step_that_was_undone(
    filled: Memory, clockwork: Memory, sql: Sql
) -> None:
    filled.undo(filled.dream().op)
    before = table(sql, "facts")

    dreamed = clockwork.dream()

    assert (dreamed.merged, dreamed.compressed, dreamed.reclassified) == (0, 0, 0)
    assert sorted(dreamed.left_undone) == [
        "merge fact 2 into fact 3",
        "merge fact 4 into fact 5",
        "move fact 1 to coding_style",
        "summarise fact 6",
    ]
    assert table(sql, "facts") == before


def test_a_person_may_dream_the_same_again(filled: Memory) -> None:
    filled.undo(filled.dream().op)
    assert filled.dream().deleted == 2


def test_a_dream_by_itself_does_what_was_redone_and_undoes_nothing_else(
    filled: Memory, clockwork: Memory
) -> None:
    filled.undo(filled.dream().op)
    filled.add(NewFact("The kettle is red"), NewFact("The kettle is red and big"))
    dreamed = clockwork.dream()
    assert [(pair.kept, pair.removed) for pair in dreamed.merge_pairs] == [(8, 7)]


def test_a_fact_that_was_restored_is_not_merged_again_by_itself(
    memory: Memory, clockwork: Memory
) -> None:
    memory.add(NewFact(EVENING), NewFact(EVENING_AND_MORE))
    assert memory.dream().deleted == 1
    memory.restore(1)

    assert clockwork.dream().left_undone == ("merge fact 1 into fact 2",)
    assert memory.dream().deleted == 1


@pytest.mark.parametrize("facts", [4, 40])
def test_a_dream_by_itself_retires_a_tenth_at_most(
    memory: Memory, clockwork: Memory, facts: int
) -> None:
    words = "alpha bravo camel delta ember fjord grove hazel ivory joker"
    memory.add(
        *(NewFact(f"{words} {number // 2}" + ", really" * (number % 2)) for number in range(facts))
    )
    assert clockwork.dream().deleted == max(1, facts // 10)
