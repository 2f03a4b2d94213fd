"""Dream proposals: a dream is shown before it is dreamt, and can be refused step by step."""

import pytest

from tests.doors import CommandDoor, Door, Reply

pytestmark = pytest.mark.process

EVENING = "用户喜欢在晚上写代码"
EVENING_AND_MORE = "用户喜欢在晚上写代码和文档"
MISFILED = "编码规范：函数不超过四十行，变量用小写"
LONG = "旧的版本保留一周。" * 30


def proposal(door: Door) -> Reply:
    """The plan over a fact to move, two to merge and one to summarise."""
    door.call("add", content=MISFILED, category="identity")
    door.call("add", content=EVENING)
    door.call("add", content=EVENING_AND_MORE)
    door.call("add", content=LONG)
    return door.call("dream", dry_run=True)


def test_a_dry_run_names_its_plan_and_numbers_its_steps(door: Door) -> None:
    """WHEN a dream is only tried, THEN the reply names a plan and every step of it has a number:
    each move, each merge, and each summary with its text.
    """
    plan = proposal(door)

    assert plan["plan"].startswith("p-")
    assert [move["step"] for move in plan["reclassified_details"]] == [1]
    assert [(pair["step"], pair["removed"]) for pair in plan["merge_pairs"]] == [(2, 2)]
    assert plan["compressed_details"] == [
        {"id": 4, "summary": "旧的版本保留一周。旧的版本保留一周。", "step": 3}
    ]


def test_a_plan_is_carried_out_but_for_the_refused_steps(door: Door) -> None:
    """WHEN a dream is given a plan and steps to except, THEN it does the rest of exactly that plan,
    and nothing that the store would have offered since.
    """
    plan = proposal(door)
    door.call("add", content="The kettle is red")
    door.call("add", content="The kettle is red and big")

    reply = door.call("dream", plan=plan["plan"], **{"except": [1, 3]})

    counts = ("merged", "compressed", "reclassified", "deleted")
    assert [reply[count] for count in counts] == [1, 0, 0, 1]
    assert door.sql("SELECT fact_id FROM facts WHERE status = 'merged'") == [(2,)]
    assert door.sql("SELECT category, summary FROM facts WHERE fact_id IN (1, 4)") == [
        ("identity", None),
        ("general", None),
    ]


def test_a_step_whose_facts_changed_since_is_not_done(tool: Door) -> None:
    """WHEN a fact of a step has changed since the plan was made, THEN that step is named as stale
    and not done, and the others are.
    """
    plan = proposal(tool)
    tool.call("update", fact_id=3, content="用户喜欢在早上写代码和文档")

    reply = tool.call("dream", plan=plan["plan"])

    assert reply["stale"] == [{"step": 2, "facts": [3, 2]}]
    assert (reply["deleted"], reply["compressed"], reply["reclassified"]) == (0, 1, 1)


def test_a_plan_that_is_not_known_or_has_no_such_step_is_an_error(tool: Door) -> None:
    """WHEN a dream is given a plan that nobody knows, or a step that the plan does not have, THEN
    it is refused with what to do, and nothing is written.
    """
    plan = proposal(tool)
    before = tool.sql("SELECT * FROM facts ORDER BY fact_id")

    unknown = tool.refused("dream", plan="p-000000")
    excepted = tool.refused("dream", plan=plan["plan"], **{"except": [7]})

    assert "dry run" in unknown["hint"]
    assert "7" in excepted["error"]
    assert "1 to 3" in excepted["hint"]
    assert tool.sql("SELECT * FROM facts ORDER BY fact_id") == before


def test_to_look_at_a_plan_changes_nothing_in_the_database(command: CommandDoor) -> None:
    """WHEN a dream is only tried, THEN the database file is byte for byte what it was."""
    proposal(command)
    before = command.database.read_bytes()

    command.call("dream", dry_run=True)

    assert command.database.read_bytes() == before


def test_a_plan_can_be_gone_through_in_a_terminal_only(command: CommandDoor) -> None:
    """WHEN mnemo dream --review is run without a terminal, THEN it is refused, says how to do
    without, and nothing is changed.
    """
    proposal(command)

    finished = command.run("dream", "--review")

    assert finished.returncode == 1
    assert "--plan" in finished.stderr
    assert not command.sql("SELECT 1 FROM operations WHERE kind = 'dream'")


def test_one_undo_takes_a_whole_dream_back(door: Door) -> None:
    """WHEN a dream has run, THEN its reply names the operation, and to undo that makes every fact
    what it was.
    """
    columns = "SELECT content, category, summary, status, merged_into, tags, trust_score FROM facts"
    proposal(door)
    before = door.sql(columns)

    reply = door.call("dream")
    door.call("undo", op=reply["op"])

    assert door.sql(columns) == before
