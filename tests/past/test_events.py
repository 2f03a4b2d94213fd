"""What was done can be looked up, by kind, time, fact and caller, and counted."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from mnemo.enums import Verdict
from mnemo.errors import InvalidInput, MnemoError
from mnemo.memory import Memory
from mnemo.past.events import EventGroupsReply, EventsReply
from mnemo.writing.add import NewFact
from mnemo.writing.update import Edit
from tests.store.scratch import Clock, Sql

Add = Callable[..., int]


def listed(memory: Memory, **asked: Any) -> EventsReply:
    reply = memory.events(**asked)
    assert isinstance(reply, EventsReply)
    return reply


def actions(memory: Memory, **asked: Any) -> list[str]:
    return [event.action for event in listed(memory, **asked).events]


def counted(memory: Memory, **asked: Any) -> dict[str, int]:
    reply = memory.events(**asked)
    assert isinstance(reply, EventGroupsReply)
    return {group.key: group.count for group in reply.groups}


@pytest.fixture
def used(memory: Memory, add: Add) -> Memory:
    """A memory with two facts, of which something was done."""
    add("uses pytest")
    add("深色主题")
    memory.update(1, Edit(tags="a"))
    memory.search("pytest")
    memory.search("zeppelin")
    memory.remove(2)
    return memory


def test_events_come_newest_first_with_recalls_among_them(used: Memory) -> None:
    reply = listed(used)
    assert [event.action for event in reply.events] == [
        "REMOVE", "RECALL", "UPDATE", "WRITE", "WRITE",
    ]  # fmt: skip
    assert (reply.count, reply.total) == (5, 5)
    newest = reply.as_json()["events"][0]
    assert newest["t"].startswith("2026-05-14T12:")
    assert {name: newest[name] for name in ("actor", "entry_id", "op")} == {
        "actor": "user",
        "entry_id": 2,
        "op": "op-4",
    }


def test_a_recall_is_one_event_with_the_question_and_the_facts(used: Memory) -> None:
    [recall] = listed(used, action="recall").events
    assert recall.detail == {"query": "pytest", "ids": [1]}
    assert (recall.actor, recall.op) == (None, None)


@pytest.mark.parametrize(("action", "count"), [("write", 2), ("WRITE", 2), ("Nonsense", 0)])
def test_a_kind_is_understood_in_any_case_and_an_unknown_one_is_empty(
    used: Memory, action: str, count: int
) -> None:
    assert len(actions(used, action=action)) == count


def test_what_is_listed_is_what_is_counted_also_where_other_programs_wrote(
    used: Memory, sql: Sql
) -> None:
    for action, actor in (("recall", "agent"), ("Write", "user"), ("WRITE", "agent")):
        sql("INSERT INTO audit_log(t, actor, action) VALUES ('2026-05-14', ?, ?)", actor, action)
    for asked in ({"action": "recall", "actor": "agent"}, {"action": "write"}, {"actor": "agent"}):
        reply = listed(used, limit=100, **asked)
        assert reply.count == reply.total == sum(counted(used, aggregate=True, **asked).values())
        assert reply.count > 0
    assert counted(used, aggregate=True)["WRITE"] == 4


def test_what_may_be_misspelt_is_said_where_nothing_is_found(used: Memory) -> None:
    [note] = listed(used, action="nonsense").notes
    assert note == "no event is of the type nonsense; there are RECALL, REMOVE, UPDATE, WRITE"
    assert listed(used, fact_id=99).notes == ("there is no fact 99",)
    assert used.events(action="nonsense", aggregate=True).notes == (note,)
    assert listed(used, action="write").notes == ()
    with pytest.raises(InvalidInput, match="there is no actor 'nobody'") as refused:
        used.events(actor="nobody")
    assert refused.value.hint == "allowed: agent, user, system"


def test_the_total_is_true_where_fewer_are_listed(used: Memory) -> None:
    reply = listed(used, limit=2)
    assert (reply.count, reply.total) == (2, 5)
    with pytest.raises(InvalidInput, match="limit 0"):
        used.events(limit=0)


def test_events_of_the_last_days(used: Memory, clock: Clock, sql: Sql) -> None:
    sql("UPDATE audit_log SET t = '2026-05-01 00:00:00' WHERE action = 'WRITE'")
    assert actions(used, since_days=7) == ["REMOVE", "RECALL", "UPDATE"]
    assert len(actions(used, since_days=30)) == 5
    for wrong in (-1, float("nan"), 1e12):
        with pytest.raises(InvalidInput, match="number of days"):
            used.events(since_days=wrong)


def test_events_about_a_fact_are_also_those_that_name_many(used: Memory, sql: Sql) -> None:
    sql("UPDATE facts SET retrieval_count = 100 WHERE fact_id = 1")
    used.learn()
    assert actions(used, fact_id=1) == ["LEARN", "RECALL", "UPDATE", "WRITE"]
    assert actions(used, fact_id=2) == ["REMOVE", "WRITE"]


def test_a_merge_is_about_both_facts(memory: Memory) -> None:
    memory.add(
        NewFact("用户喜欢在晚上用深色主题写代码"), NewFact("用户喜欢在晚上用深色主题写代码呢")
    )
    assert memory.dream().deleted == 1
    for fact_id in (1, 2):
        assert "MERGE" in actions(memory, fact_id=fact_id)


def test_events_by_a_caller_are_without_recalls(used: Memory) -> None:
    assert "RECALL" not in actions(used, actor="user")
    assert actions(used, actor="agent") == []


def test_counts_are_true_whatever_they_are_grouped_by(used: Memory) -> None:
    used.search("pytest")
    assert counted(used, aggregate=True) == {"RECALL": 2, "WRITE": 2, "REMOVE": 1, "UPDATE": 1}
    assert counted(used, group_by="action", limit=1) == counted(used, aggregate=True)
    assert counted(used, group_by="day") == {"2026-05-14": 6}
    assert counted(used, group_by="entry") == {"1": 4, "2": 2}
    assert counted(used, group_by="entry", action="recall") == {"1": 2}
    with pytest.raises(InvalidInput, match="week") as refused:
        used.events(group_by="week")
    assert refused.value.hint == "allowed: action, day, entry"


def test_what_another_program_left_in_the_logs_is_no_reason_to_fail(used: Memory, sql: Sql) -> None:
    for results in ("nonsense", "[{broken", '[{"fact":1}]', "[1]", '{"id":1}'):
        sql("INSERT INTO retrieval_log(query, results) VALUES ('q', ?)", results)
    sql("INSERT INTO audit_log(t, actor, action, entry_id, detail) VALUES ('', 'x', 'y', 'z', '(')")
    assert listed(used, limit=100).total >= 6
    assert listed(used, fact_id=1).count == 3
    assert counted(used, group_by="entry")["1"] == 3


def test_five_thousand_searches_are_looked_through_at_once(used: Memory, sql: Sql) -> None:
    results = '[{"id":1,"score":0.5},{"id":2,"score":0.4},{"id":31,"score":0.3}]'
    sql(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4998) "
        "INSERT INTO retrieval_log(query, results) SELECT 'q', ? FROM n",
        results,
    )
    started = time.process_time()
    assert listed(used, fact_id=2, action="recall").total == 4998
    assert counted(used, group_by="entry")["31"] == 4998
    assert time.process_time() - started < 1.0


def test_every_change_of_state_is_an_event(memory: Memory, add: Add, sql: Sql) -> None:
    add("uses pytest")
    add("uses pytest", tags="a")
    memory.update(1, Edit(content="uses nose"))
    memory.feedback(Verdict.HELPFUL, 1)
    memory.remove(1)
    memory.restore(1)
    memory.undo()
    memory.redo()
    sql("UPDATE facts SET retrieval_count = 100")
    memory.learn()
    memory.purge(1)
    silent = sql(
        "SELECT kind FROM operations AS o WHERE NOT EXISTS "
        "(SELECT 1 FROM audit_log AS e WHERE e.op_id = o.op_id)"
    )
    assert silent == []
    assert {event.action for event in listed(memory).events} == {
        "WRITE", "UPDATE", "FEEDBACK", "REMOVE", "RESTORE", "UNDO", "LEARN", "PURGE",
    }  # fmt: skip


def test_looking_changes_nothing(used: Memory, sql: Sql) -> None:
    before = sql("SELECT count(*), max(id) FROM audit_log")
    used.events()
    used.history(1)
    with pytest.raises(MnemoError):
        used.history(9)
    assert sql("SELECT count(*), max(id) FROM audit_log") == before
