"""A fact tells its story."""

from collections.abc import Callable

import pytest

from mnemo.errors import NotFound
from mnemo.memory import Memory
from mnemo.writing.add import NewFact
from mnemo.writing.update import Edit
from tests.store.scratch import Sql

Add = Callable[..., int]


def test_each_operation_is_told_oldest_first(memory: Memory, add: Add) -> None:
    add("uses nose")
    memory.update(1, Edit(content="uses pytest", tags="testing"))
    memory.search("pytest")
    memory.undo()
    reply = memory.history(1)
    assert [entry.kind for entry in reply.history] == ["add", "update", "undo"]
    told = reply.as_json()
    assert told["history"][1] == {
        "op": "op-2",
        "t": told["history"][1]["t"],
        "actor": "user",
        "kind": "update",
        "changes": [
            {"field": "content", "from": "uses nose", "to": "uses pytest"},
            {"field": "tags", "from": "", "to": "testing"},
        ],
        "undone_by": "op-3",
    }
    assert told["history"][2]["undoes"] == "op-2"
    assert told["recalls"] == {"count": 1, "last": told["recalls"]["last"]}
    assert (told["status"], told["content"]) == ("active", "uses nose")


def test_long_texts_are_cut(memory: Memory, add: Add) -> None:
    add("long " * 100)
    [entry] = memory.history(1).history
    assert len(entry.changes[0].after) == 81


def test_a_merged_fact_says_where_it_went_and_its_survivor_what_it_took_in(
    memory: Memory,
) -> None:
    memory.add(
        NewFact("用户喜欢在晚上用深色主题写代码"), NewFact("用户喜欢在晚上用深色主题写代码呢")
    )
    [pair] = memory.dream().merge_pairs
    survivor, merged = memory.history(pair.kept), memory.history(pair.removed)
    assert (merged.status, merged.merged_into) == ("merged", pair.kept)
    assert {change.field for change in merged.history[-1].changes} >= {"status", "merged_into"}
    assert survivor.absorbed == (pair.removed,)
    assert survivor.history[-1].took_in == (pair.removed,)


def test_where_the_journal_does_not_reach_back_it_says_so(
    memory: Memory, add: Add, sql: Sql
) -> None:
    add("uses pytest")
    sql("DELETE FROM changes")
    assert memory.history(1).notes == ("what was done to fact 1 before that is not recorded",)


def test_a_fact_that_is_not_there_has_no_story(memory: Memory, add: Add) -> None:
    add("uses pytest")
    with pytest.raises(NotFound, match="there is no fact 9"):
        memory.history(9)
    memory.purge(1)
    with pytest.raises(NotFound, match="fact 1 was purged on 2026-05-14"):
        memory.history(1)
