"""Fact store: facts come in, are changed, go and come back; nothing is guessed and nothing lost."""

import pytest

from tests.doors import CommandDoor, Door, Reply

pytestmark = pytest.mark.process

CATEGORIES = ("identity", "coding_style", "tool_pref", "workflow", "general")
ACTIONS = ("add", "search", "learn", "audit", "dream")


def test_a_fact_is_added_and_can_be_read_back(door: Door) -> None:
    """WHEN a fact is added without anything but its content, THEN the reply names its id and the
    category general, and it reads back with that content, no tags and the trust 0.5.
    """
    reply = door.call("add", content="The kettle is in the kitchen")

    assert reply == {"fact_id": 1, "status": "added", "category": "general"}
    fact = read(door, 1)
    assert fact["content"] == "The kettle is in the kitchen"
    assert (fact["category"], fact["tags"], fact["trust_score"]) == ("general", [], 0.5)


def test_an_exact_twin_is_the_same_fact(door: Door) -> None:
    """WHEN a text is added that differs from a stored one only in case, width, spaces and closing
    punctuation, THEN the reply gives the id of the stored fact and says that it exists; the stored
    text stays as it is.
    """
    door.call("add", content="User prefers tabs.")

    reply = door.call("add", content="user  PREFERS ｔａｂｓ！")

    assert (reply["fact_id"], reply["status"]) == (1, "exists")
    assert door.sql("SELECT content FROM facts") == [("User prefers tabs.",)]


def test_the_same_text_in_another_category_is_another_fact(door: Door) -> None:
    """WHEN a stored text is added again under another category, THEN it becomes a fact of its
    own.
    """
    door.call("add", content="User prefers tabs.", category="coding_style")

    reply = door.call("add", content="User prefers tabs.", category="tool_pref")

    assert (reply["fact_id"], reply["status"]) == (2, "added")


def test_a_similar_text_is_kept_and_named(door: Door) -> None:
    """WHEN a text is added that says nearly what a stored fact says, THEN it is stored as a fact of
    its own and the reply names the similar one; the stored fact stays as it is.
    """
    door.call("add", content="用户喜欢在晚上写代码")

    reply = door.call("add", content="用户喜欢在晚上写代码和文档")

    assert (reply["fact_id"], reply["status"]) == (2, "added")
    assert [similar["fact_id"] for similar in reply["similar_to"]] == [1]
    assert door.sql("SELECT content FROM facts WHERE fact_id = 1") == [("用户喜欢在晚上写代码",)]


def test_an_unknown_category_is_refused(door: Door) -> None:
    """WHEN a fact is added under a category that does not exist, THEN it is refused with the names
    of the five that do, and nothing is stored.
    """
    refusal = door.refused("add", content="User prefers tabs.", category="codingstyle")

    for category in CATEGORIES:
        assert category in refusal["error"] + refusal["hint"]
    assert door.call("list")["total"] == 0


def test_blank_content_is_refused(door: Door) -> None:
    """WHEN a fact is added whose content is nothing but white space, THEN it is refused and nothing
    is stored.
    """
    refusal = door.refused("add", content=" \n\t ")

    assert refusal["error"]
    assert refusal["hint"]
    assert door.call("list")["total"] == 0


def test_an_update_changes_only_what_is_given(door: Door) -> None:
    """WHEN one field of a fact is updated, THEN that field has the new value and every other one is
    what it was, the category included.
    """
    door.call(
        "add",
        content="User prefers tabs.",
        category="coding_style",
        tags="indent,editor",
        summary="Tabs",
    )
    before = read(door, 1)

    assert door.call("update", fact_id=1, trust_delta=0.2)["updated"] is True
    assert door.call("update", fact_id=1, tags="indent")["updated"] is True

    expected = before | {"trust_score": 0.7, "tags": ["indent"]}
    assert without_stamp(read(door, 1)) == without_stamp(expected)


def test_a_field_can_be_emptied(door: Door) -> None:
    """WHEN an update names the summary as a field to clear, THEN the fact has no summary any more
    and is otherwise unchanged.
    """
    door.call("add", content="User prefers tabs.", summary="Tabs")

    door.call("update", fact_id=1, clear=["summary"])

    fact = read(door, 1)
    assert (fact["content"], fact["summary"]) == ("User prefers tabs.", None)


def test_a_removed_fact_is_gone_until_it_is_restored(door: Door) -> None:
    """WHEN a fact is removed, THEN neither search nor list shows it; WHEN it is restored, THEN it
    is what it was, with its id, its trust and its counters.
    """
    door.call("add", content="The kettle is in the kitchen", tags="tea")
    door.sql("UPDATE facts SET trust_score = 0.9, retrieval_count = 12, helpful_count = 3")
    before = read(door, 1)

    assert door.call("remove", fact_id=1) == {"fact_id": 1, "removed": True}
    assert door.call("search", query="kettle")["results"] == []
    assert door.call("list")["total"] == 0

    restored = door.call("restore", fact_id=1)
    assert restored == {"restored": True, "fact_id": 1, "from": "removed"}
    assert without_stamp(read(door, 1)) == without_stamp(before)
    assert door.call("search", query="kettle")["count"] == 1


def test_adding_the_text_of_a_removed_fact_brings_it_back(door: Door) -> None:
    """WHEN the text of a removed fact is added again, THEN the reply says restored and gives the id
    that the fact had.
    """
    door.call("add", content="The kettle is in the kitchen")
    door.call("remove", fact_id=1)

    reply = door.call("add", content="The kettle is in the kitchen")

    assert (reply["fact_id"], reply["status"]) == (1, "restored")
    assert door.call("list")["total"] == 1


def test_a_pin_changes_the_pin_alone(door: Door) -> None:
    """WHEN a fact is pinned with a reason and then unpinned, THEN it is listed before a more
    trusted one while it is pinned, its trust and all else is what it was, and each left an event.
    """
    door.call("add", content="The kettle is in the kitchen")
    door.call("add", content="The ladder is in the cellar")
    door.call("helpful", fact_id=2)
    before = read(door, 1)

    pinned = door.call("pin", fact_id=1, reason="asked for daily")

    assert pinned == {"fact_id": 1, "pinned": True}
    first, _ = door.call("list")["facts"]
    assert first == before | {"pinned": True, "pin_reason": "asked for daily"}

    assert door.call("unpin", fact_id=1) == {"fact_id": 1, "pinned": False}
    assert read(door, 1) == before
    events = door.sql("SELECT action, entry_id FROM audit_log WHERE action LIKE '%PIN' ORDER BY id")
    assert events == [("PIN", "1"), ("UNPIN", "1")]


def test_pinning_again_is_said_and_an_unknown_fact_refused(tool: Door) -> None:
    """WHEN a pinned fact is pinned again together with an id that no fact has, THEN the reply says
    that it was pinned before, and the unknown id is an error.
    """
    tool.call("add", content="The kettle is in the kitchen")
    tool.call("pin", fact_id=1)

    known, unknown = tool.call("pin", fact_ids=[1, 7])["results"]

    assert known == {"fact_id": 1, "pinned": True, "note": "it was pinned before"}
    assert "7" in unknown["error"]
    assert "7" in tool.refused("unpin", fact_id=7)["error"]


def test_a_list_without_a_category_shows_all(door: Door) -> None:
    """WHEN facts of every category are listed without naming one, THEN all are shown, the most
    trusted first; with a category named, those of that category.
    """
    for category in CATEGORIES:
        door.call("add", content=f"A fact about {category}", category=category)
    door.sql("UPDATE facts SET trust_score = 0.9 WHERE category = 'workflow'")

    everything = door.call("list")
    some = door.call("list", category="identity")

    assert everything["total"] == everything["count"] == 5
    assert {fact["category"] for fact in everything["facts"]} == set(CATEGORIES)
    assert everything["facts"][0]["category"] == "workflow"
    assert [fact["category"] for fact in some["facts"]] == ["identity"]


def test_feedback_moves_trust_and_is_counted(door: Door) -> None:
    """WHEN a fact is rated helpful, THEN its trust rises by 0.05 and the rating is counted; WHEN
    one is rated unhelpful, THEN its trust falls by 0.10.
    """
    door.call("add", content="The kettle is in the kitchen")
    door.call("add", content="Cups are on the shelf")

    helpful = door.call("helpful", fact_id=1)
    unhelpful = door.call("unhelpful", fact_id=2)

    assert helpful == {"fact_id": 1, "oldTrust": 0.5, "newTrust": 0.55, "helpfulCount": 1}
    assert unhelpful == {"fact_id": 2, "oldTrust": 0.5, "newTrust": 0.4, "helpfulCount": 0}
    assert read(door, 2)["unhelpful_count"] == 1


def test_an_unknown_id_is_refused(door: Door) -> None:
    """WHEN a call names a fact that does not exist, THEN it is refused and the error names the
    id.
    """
    door.call("add", content="The kettle is red")
    for action, more in (("get", {}), ("update", {"tags": "x"}), ("restore", {}), ("helpful", {})):
        assert "4711" in door.refused(action, fact_id=4711, **more)["error"]


def test_an_unknown_action_is_refused(tool: Door) -> None:
    """WHEN a tool is called with an action that does not exist, THEN it is refused with the names
    of those that do.
    """
    refusal = tool.refused("forget")

    for action in ACTIONS:
        assert action in refusal["error"] + refusal["hint"]


def test_an_unknown_command_is_refused(command: CommandDoor) -> None:
    """WHEN a command is typed that does not exist, THEN it is refused as wrong usage, and the hint
    names the help, which lists those that do.
    """
    assert "mnemo --help" in command.refused("forget")["hint"]

    assert command.run("forget").returncode == 2
    listed = command.run("--help").stdout
    for action in ACTIONS:
        assert action in listed


def read(door: Door, fact_id: int) -> Reply:
    (fact,) = door.call("get", fact_id=fact_id)["facts"]
    return fact


def without_stamp(fact: Reply) -> Reply:
    """The fact without the time of its last change."""
    return {name: value for name, value in fact.items() if name != "updated_at"}
