"""Pins change a flag and its reason, and nothing else."""

from collections.abc import Callable

from mnemo.errors import NotFound
from mnemo.memory import Memory
from mnemo.models import AddReply, Fact, PinReply
from tests.store.scratch import Clock, Sql, table

Add = Callable[..., AddReply]
Get = Callable[[int], Fact]


def test_a_pin_changes_flag_and_reason_alone(
    memory: Memory, add: Add, clock: Clock, sql: Sql
) -> None:
    add("a fact", summary="short", tags="a")
    [before] = table(sql, "facts")
    clock.pass_by(days=3)
    assert memory.pin(1, reason=" 很重要 ") == (PinReply(fact_id=1, pinned=True),)
    [pinned] = table(sql, "facts")
    assert pinned == before | {"pinned": 1, "pin_reason": "很重要"}
    assert memory.unpin(1) == (PinReply(fact_id=1, pinned=False),)
    assert table(sql, "facts") == [before]
    events = sql("SELECT action, entry_id, detail FROM audit_log ORDER BY id")[1:]
    assert events == [("PIN", "1", '{"reason":"很重要"}'), ("UNPIN", "1", "{}")]
    assert sql("SELECT kind FROM operations ORDER BY op_id")[1:] == [("pin",), ("unpin",)]


def test_pinning_again_is_said_and_changes_nothing(memory: Memory, add: Add, sql: Sql) -> None:
    add("a fact")
    [never] = memory.unpin(1)
    memory.pin(1, reason="why")
    [again], [same] = memory.pin(1), memory.pin(1, reason="why")
    assert [reply.note for reply in (never, again, same) if isinstance(reply, PinReply)] == [
        "it was not pinned",
        "it was pinned before",
        "it was pinned before",
    ]
    assert sql("SELECT count(*) FROM operations") == [(2,)]


def test_pinning_again_for_another_reason_changes_the_reason(
    memory: Memory, add: Add, get: Get
) -> None:
    add("a fact")
    memory.pin(1, reason="why")
    [reply] = memory.pin(1, reason="another")
    assert reply == PinReply(fact_id=1, pinned=True)
    assert get(1).pin_reason == "another"


def test_an_id_that_no_fact_has_stops_no_other(memory: Memory, add: Add, get: Get) -> None:
    add("a fact")
    unknown, known = memory.pin(7, 1)
    assert isinstance(unknown, NotFound)
    assert known == PinReply(fact_id=1, pinned=True)
    assert get(1).pinned


def test_undo_takes_a_pin_back(memory: Memory, add: Add, get: Get) -> None:
    add("a fact")
    memory.pin(1, reason="why")
    memory.undo()
    assert (get(1).pinned, get(1).pin_reason) == (False, None)
    memory.redo()
    assert (get(1).pinned, get(1).pin_reason) == (True, "why")
