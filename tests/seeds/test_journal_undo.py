"""Journal and undo: what was done can be looked up, taken back and brought back."""

import pytest

from tests.doors import CommandDoor, Door

pytestmark = pytest.mark.process


def contents(door: Door) -> list[str]:
    return sorted(fact["content"] for fact in door.call("list")["facts"])


def test_the_newest_operation_is_taken_back_and_then_the_one_before(door: Door) -> None:
    """WHEN a fact was added and changed and undo is called twice, THEN the first undo brings the
    old text back and the second takes the fact out of sight.
    """
    door.call("add", content="The kettle is red")
    door.call("update", fact_id=1, content="The kettle is blue")

    first = door.call("undo")

    assert (first["undone"], first["kind"], first["facts"]) == ("op-2", "update", [1])
    assert contents(door) == ["The kettle is red"]
    assert door.call("undo")["undone"] == "op-1"
    assert contents(door) == []
    assert door.call("get", fact_id=1)["facts"][0]["status"] == "removed"


def test_redo_brings_back_what_undo_took_back(door: Door) -> None:
    """WHEN a removal was undone and redo is called, THEN the fact is removed again, and undo can
    take that back once more.
    """
    door.call("add", content="The kettle is red")
    door.call("remove", fact_id=1)
    door.call("undo")

    redone = door.call("redo")

    assert (redone["redone"], redone["undone"]) == ("op-2", "op-3")
    assert contents(door) == []
    assert door.call("undo")["undone"] == "op-2"
    assert contents(door) == ["The kettle is red"]


def test_a_fact_that_changed_since_keeps_the_whole_operation(door: Door) -> None:
    """WHEN one of two removed facts was changed since, THEN the undo of the removal is refused with
    the fact and the operation named, and nothing is undone; in part, the other fact comes back.
    """
    door.call("add", content="The kettle is red")
    door.call("add", content="The lamp is green")
    door.call("remove", fact_ids=[1, 2])
    door.call("update", fact_id=2, summary="a lamp")

    refused = door.refused("undo", op="op-3")

    assert "fact 2" in refused["error"]
    assert "op-4" in refused["error"]
    assert "partial" in refused["hint"]
    assert contents(door) == []
    reply = door.call("undo", op="op-3", partial=True)
    assert reply["facts"] == [1]
    assert [fact["fact_id"] for fact in reply["blocked"]] == [2]
    assert contents(door) == ["The kettle is red"]


def test_recalls_since_stand_in_no_way_and_stay_counted(door: Door) -> None:
    """WHEN a fact was rated and then recalled, THEN undoing the rating gives the trust back, and
    the recall stays counted.
    """
    door.call("add", content="The kettle is red")
    door.call("helpful", fact_id=1)
    door.call("search", query="kettle")

    door.call("undo")

    (fact,) = door.call("get", fact_id=1)["facts"]
    assert (fact["trust_score"], fact["helpful_count"], fact["retrieval_count"]) == (0.5, 0, 1)


def test_a_bare_number_names_the_fact_and_the_operation(door: Door) -> None:
    """WHEN undo is asked for a bare number, THEN it is refused, and the error names the fact and
    the operation of that number.
    """
    door.call("add", content="The kettle is red")

    refused = door.refused("undo", op="1")

    assert "fact 1" in refused["error"]
    assert "op-1" in refused["error"]
    assert contents(door) == ["The kettle is red"]


def test_a_dry_run_changes_nothing(door: Door) -> None:
    """WHEN undo is called as a dry run, THEN the reply names what would be undone, and
    nothing is.
    """
    door.call("add", content="The kettle is red")

    reply = door.call("undo", dry_run=True)

    assert (reply["undone"], reply["facts"], reply["dry_run"]) == ("op-1", [1], True)
    assert contents(door) == ["The kettle is red"]


def test_events_are_listed_newest_first_and_counted(door: Door) -> None:
    """WHEN facts were added, found and removed, THEN the events are listed newest first, those of a
    kind or a fact alone where asked, and their counts are true whatever the limit is.
    """
    door.call("add", content="The kettle is red")
    door.call("add", content="The lamp is green")
    door.call("search", query="kettle")
    door.call("remove", fact_id=2)

    reply = door.call("events", limit=2)

    assert reply["events"][0]["action"] == "REMOVE"
    assert (reply["count"], reply["total"]) == (2, 4)
    recalls = door.call("events", type="recall", since_days="7d")["events"]
    assert recalls[0]["detail"] == {"query": "kettle", "ids": [1]}
    about = door.call("events", entry=2)["events"]
    assert [event["action"] for event in about] == ["REMOVE", "WRITE"]
    groups = door.call("events", group_by="action", limit=1)["groups"]
    assert {group["key"]: group["count"] for group in groups} == {
        "WRITE": 2, "REMOVE": 1, "RECALL": 1,
    }  # fmt: skip
    assert door.call("events", type="nonsense")["events"] == []
    assert "day" in door.refused("events", group_by="week")["hint"]


def test_a_fact_tells_its_story(door: Door) -> None:
    """WHEN a fact was added, changed, found and the change undone, THEN its history tells each of
    these operations, oldest first, with what changed from what to what, and how it was recalled.
    """
    door.call("add", content="The kettle is red")
    door.call("update", fact_id=1, content="The kettle is blue")
    door.call("search", query="kettle")
    door.call("undo")

    reply = door.call("history", fact_id=1)

    assert [entry["kind"] for entry in reply["history"]] == ["add", "update", "undo"]
    changed = reply["history"][1]
    assert changed["changes"] == [
        {"field": "content", "from": "The kettle is red", "to": "The kettle is blue"}
    ]
    assert (changed["op"], changed["undone_by"]) == ("op-2", "op-3")
    assert reply["recalls"]["count"] == 1


def test_a_purged_fact_is_gone_for_good(command: CommandDoor) -> None:
    """WHEN a fact is purged, THEN it asks for a yes first, makes a backup, and afterwards neither
    the facts nor the journal hold a word of it, and undo cannot bring it back.
    """
    command.call("add", content="The kettle is xylophone red")
    command.call("add", content="The lamp is green")
    unasked = command.run("purge", "1")
    assert unasked.returncode != 0
    assert contents(command) == ["The kettle is xylophone red", "The lamp is green"]

    reply = command.call("purge", fact_ids=[1], yes=True)

    assert reply["purged"] == [1]
    assert command.sql("SELECT fact_id FROM facts") == [(2,)]
    for table, columns in (("changes", "before, after"), ("audit_log", "detail")):
        rows = command.sql(f"SELECT {columns} FROM {table}")
        assert "xylophone" not in str(rows)
    assert "for good" in command.refused("undo", op="op-3")["error"]
