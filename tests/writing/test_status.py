"""Facts go out of sight and come back as they were."""

from collections.abc import Callable

import pytest

from mnemo.enums import Verdict
from mnemo.errors import MnemoError, NotFound, Refused
from mnemo.memory import Memory
from mnemo.models import AddReply, Fact, RestoreReply
from tests.store.scratch import Clock, Sql, table

Add = Callable[..., AddReply]
Get = Callable[[int], Fact]


def test_a_removed_fact_is_seen_nowhere_until_it_is_restored(
    memory: Memory, add: Add, sql: Sql
) -> None:
    add("深色主题", category="tool_pref")
    [reply] = memory.remove(1)
    assert not isinstance(reply, MnemoError)
    assert (reply.fact_id, reply.removed) == (1, True)
    assert memory.search("深色").results == ()
    assert memory.list().total == 0
    assert memory.list(status="removed").total == 1
    assert memory.audit().total_facts == 0
    assert memory.learn().unchanged == 0
    assert sql("SELECT count(*) FROM facts") == [(1,)]
    memory.restore(1)
    assert [hit.fact_id for hit in memory.search("深色").results] == [1]
    actions = [action for (action,) in sql("SELECT action FROM audit_log ORDER BY id")]
    assert actions == ["WRITE", "REMOVE", "RESTORE"]


def test_restoring_gives_back_all_that_a_fact_was(
    memory: Memory, add: Add, clock: Clock, sql: Sql
) -> None:
    add("a fact", category="workflow", tags="a,b", summary="short", source="me", date="2026-05-01")
    memory.search("fact")
    memory.feedback(Verdict.HELPFUL, 1)
    memory.feedback(Verdict.UNHELPFUL, 1)
    sql(
        "UPDATE facts SET pinned = 1, pin_reason = 'because', trust_score = 0.77, flags = '[\"x\"]'"
    )
    [before] = table(sql, "facts")
    clock.pass_by(days=3)
    memory.remove(1)
    memory.restore(1)
    [after] = table(sql, "facts")
    assert after.pop("updated_at") != before.pop("updated_at")
    assert after == before


def test_removing_twice_is_said_and_no_second_change(memory: Memory, add: Add, sql: Sql) -> None:
    add("a fact")
    memory.remove(1)
    before = table(sql, "facts")
    [again] = memory.remove(1)
    assert not isinstance(again, MnemoError)
    assert (again.removed, again.note) == (False, "it was removed before")
    assert table(sql, "facts") == before


@pytest.mark.parametrize("status", ["removed", "merged", "archived", "superseded", "pending"])
def test_a_fact_comes_back_from_wherever_it_stands(
    memory: Memory, add: Add, get: Get, sql: Sql, status: str
) -> None:
    add("深色主题")
    add("survivor")
    sql(
        "UPDATE facts SET status = ?, merged_into = 2, status_reason = 'old' WHERE fact_id = 1",
        status,
    )
    [reply] = memory.restore(1)
    assert isinstance(reply, RestoreReply)
    assert reply.as_json() == {"restored": True, "fact_id": 1, "from": status}
    fact = get(1)
    assert (fact.status, fact.merged_into, fact.status_reason) == ("active", None, None)
    assert [hit.fact_id for hit in memory.search("深色").results] == [1]


def test_an_active_fact_cannot_be_restored(memory: Memory, add: Add) -> None:
    add("a fact")
    [refused] = memory.restore(1)
    assert isinstance(refused, Refused)
    assert "is active" in refused.message


def test_a_twin_that_came_meanwhile_is_named(memory: Memory, add: Add) -> None:
    add("a fact")
    memory.remove(1)
    add("A fact!")
    [reply] = memory.restore(1)
    assert isinstance(reply, RestoreReply)
    assert reply.notes == ("fact 2 says the same",)


def test_several_go_and_come_in_one_operation(memory: Memory, add: Add, sql: Sql) -> None:
    for content in ("one", "two", "three"):
        add(content)
    removed = memory.remove(1, 404, 3)
    assert [isinstance(reply, NotFound) for reply in removed] == [False, True, False]
    assert memory.list().total == 1
    restored = memory.restore(3, 2, 1)
    assert [isinstance(reply, Refused) for reply in restored] == [False, True, False]
    kinds = sql("SELECT kind FROM operations WHERE kind <> 'add'")
    assert kinds == [("remove",), ("restore",)]


def test_words_of_a_removed_survivor_go_with_it(memory: Memory, add: Add, sql: Sql) -> None:
    add("likes the dark theme")
    add("prefers midnight colours")
    sql("UPDATE facts SET status = 'merged', merged_into = 1 WHERE fact_id = 2")
    assert [hit.fact_id for hit in memory.search("midnight").results] == [1]
    memory.remove(1)
    assert memory.search("midnight").results == ()
    memory.restore(2)
    assert [hit.fact_id for hit in memory.search("midnight").results] == [2]
