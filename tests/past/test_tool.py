"""The same through the tool, with its loose arguments."""

from typing import Any

import pytest

from mnemo.actions import call
from mnemo.errors import InvalidInput
from mnemo.memory import Memory
from mnemo.writing.add import NewFact


@pytest.fixture
def filled(memory: Memory) -> Memory:
    memory.add(*(NewFact(f"statement number {number}") for number in range(250)))
    memory.search("statement")
    return memory


def ask(memory: Memory, action: str, **arguments: object) -> dict[str, Any]:
    return call(memory, "fact_store", {"action": action} | arguments, fit=True)


def test_the_quality_report_has_events_only_where_somebody_asks(filled: Memory) -> None:
    assert "events" not in ask(filled, "audit")
    report = ask(filled, "audit", type="recall", limit=5)
    assert [event["action"] for event in report["events"]] == ["RECALL"]
    assert report["total_facts"] == 250
    assert ask(filled, "audit", aggregate=True)["groups"] == [
        {"key": "WRITE", "count": 250},
        {"key": "RECALL", "count": 1},
    ]


@pytest.mark.parametrize("days", [7, "7", "7d", "7D", 0.5])
def test_days_are_understood_as_they_are_written(filled: Memory, days: object) -> None:
    assert ask(filled, "events", sinceDays=days, groupBy="ACTION")["groups"]


def test_an_entry_is_a_fact(filled: Memory) -> None:
    assert [event["action"] for event in ask(filled, "events", entry=250)["events"]] == ["WRITE"]
    with pytest.raises(InvalidInput, match="since_days must be a number"):
        ask(filled, "events", since_days="soon")


def test_an_undo_of_many_facts_fits_into_an_answer(filled: Memory) -> None:
    with pytest.raises(InvalidInput, match="bare number 1"):
        ask(filled, "undo", op=1)
    reply = ask(filled, "undo", op="op-1", dryRun=True)
    assert (reply["count"], len(reply["facts"])) == (250, 200)
    assert "warnings" not in reply
