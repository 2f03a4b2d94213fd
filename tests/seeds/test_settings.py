"""Settings: one readable file, typed, and never lost, misread or ignored in silence."""

import json
import stat
from collections.abc import Mapping

import pytest

from tests.doors import CommandDoor, Door, Reply

pytestmark = pytest.mark.process


def test_a_setting_is_set_shown_and_reset(command: CommandDoor) -> None:
    """WHEN a setting is set, shown and reset, THEN the file, which is its owner's alone, the reply
    and what holds agree each time.
    """
    assert config(command, "path")["path"] == str(command.home / "config.json")
    assert config(command, "get", "max_query_results")["settings"] == {"max_query_results": 20}

    reply = config(command, "set", "max_query_results", "3")

    assert reply["settings"] == {"max_query_results": 3}
    assert reply["changed"] == ["max_query_results"]
    assert in_file(command) == {"max_query_results": 3}
    assert stat.S_IMODE((command.home / "config.json").stat().st_mode) == 0o600
    assert config(command, "get")["settings"]["max_query_results"] == 3
    assert command.run("config", "get", "max_query_results").stdout == "3\n"

    reply = config(command, "reset", "max_query_results")

    assert reply["settings"] == {"max_query_results": 20}
    assert in_file(command) == {}


def test_what_else_is_in_the_file_stays(command: CommandDoor) -> None:
    """WHEN a setting is set in a file that has it in camelCase beside entries of a person's own,
    THEN the key keeps its spelling and every other entry stays.
    """
    write(command, {"note": "我的", "minTrust": 0.1, "auto_dream_days": 3})

    config(command, "set", "min_trust", "0.3")

    assert in_file(command) == {"note": "我的", "minTrust": 0.3, "auto_dream_days": 3}


def test_a_change_of_settings_leaves_an_event(command: CommandDoor) -> None:
    """WHEN a setting is changed, and then set to what it is, THEN the audit log has one event
    CONFIG with the key, what it was and what it became.
    """
    config(command, "set", "near_duplicate_action", "skip")
    config(command, "set", "near_duplicate_action", "skip")

    [(actor, detail)] = command.sql("SELECT actor, detail FROM audit_log WHERE action = 'CONFIG'")
    assert actor == "user"
    assert json.loads(detail) == {"near_duplicate_action": {"from": "keep", "to": "skip"}}


def test_a_wrong_value_is_refused_and_nothing_changes(command: CommandDoor) -> None:
    """WHEN a setting is given an empty text, a word, a negative number or a name that is not among
    its names, THEN the refusal names the key and what is allowed, and the setting is what it was.
    """
    config(command, "set", "auto_dream_days", "3")
    for key, value, allowed in (
        ("auto_dream_days", "", "a number, 0 or more"),
        ("auto_dream_days", "soon", "a number, 0 or more"),
        ("auto_dream_days", "-1", "a number, 0 or more"),
        ("near_duplicate_action", "eat", "keep, merge, skip"),
        ("max_query_results", "2.5", "a whole number from 1 to 100"),
    ):
        refused = command.run("config", "set", key, value)
        assert refused.returncode == 2
        assert f"error: {key} cannot be" in refused.stderr
        assert f"(allowed: {allowed})" in refused.stderr
    assert in_file(command) == {"auto_dream_days": 3}


def test_a_misspelt_key_is_answered_with_the_nearest(command: CommandDoor) -> None:
    """WHEN a key is misspelt, THEN it is refused with the key that was probably meant."""
    for words in (("get", "min_trus"), ("set", "min_trus", "0.2"), ("reset", "min_trus")):
        refused = command.run("config", *words)
        assert refused.returncode == 2
        assert "did you mean min_trust?" in refused.stderr
    assert not (command.home / "config.json").exists()


def test_a_broken_file_is_left_as_it_is(command: CommandDoor) -> None:
    """WHEN the file is no JSON, THEN commands answer with the defaults in force and a line on
    standard error, setting something is refused, and the file stays as it is.
    """
    file = command.home / "config.json"
    file.write_text("{ auto_dream_days: 3 }")

    status = command.run("status", "--json")
    refused = command.run("config", "set", "auto_dream_days", "3")

    assert status.returncode == 0
    assert "config.json" in status.stderr
    assert "settings" not in json.loads(status.stdout)
    assert refused.returncode == 1
    assert "left as it is" in refused.stderr.splitlines()[-1]
    assert file.read_text() == "{ auto_dream_days: 3 }"


def test_wrong_entries_are_named_and_the_others_hold(command: CommandDoor) -> None:
    """WHEN the file has a value of the wrong kind and an unknown key beside a sound one, THEN both
    are named on standard error, and the sound one holds.
    """
    write(command, {"autoDreamDays": "7", "half_live": 3, "minTrust": 0.2})

    shown = command.run("config", "get", "--json")

    assert 'auto_dream_days cannot be "7"' in shown.stderr
    assert "half_live" in shown.stderr
    settings = json.loads(shown.stdout)["settings"]
    assert (settings["auto_dream_days"], settings["min_trust"]) == (7, 0.2)


def test_a_running_server_follows_a_change(tool: Door) -> None:
    """WHEN a setting is changed while a server runs, THEN the server's next answer follows it."""
    tool.call("add", contents=[f"The kettle number {n} is blue" for n in range(4)])
    assert tool.call("search", query="kettle")["count"] == 4

    write(tool, {"max_query_results": 2})

    assert tool.call("search", query="kettle")["count"] == 2


def test_the_status_names_what_differs(command: CommandDoor) -> None:
    """WHEN settings are as they come, THEN the status says nothing of them; WHEN one is changed,
    THEN it names the one.
    """
    assert "settings" not in command.call("status")

    config(command, "set", "auto_dream_days", "0")

    assert command.call("status")["settings"] == {"auto_dream_days": 0}


def test_a_profile_sets_defaults_alone(tool: Door) -> None:
    """WHEN the profile is biomemory, THEN a near duplicate is merged into the stored fact; WHEN
    the action is set to keep besides, THEN it is kept.
    """
    tool.call("add", contents=["用户喜欢在晚上写代码", "The backup runs on the old server"])
    write(tool, {"profile": "biomemory"})

    merged = tool.call("add", content="用户喜欢在晚上写代码和文档")
    write(tool, {"profile": "biomemory", "nearDuplicateAction": "keep"})
    kept = tool.call("add", content="The backup runs on the old server daily")

    assert (merged["fact_id"], merged["status"]) == (1, "updated")
    assert kept["status"] == "added"


def test_a_search_returns_at_most_what_is_asked_and_set(tool: Door) -> None:
    """WHEN many facts answer a search that is asked for five, THEN it returns five; WHEN it is
    asked for a hundred, THEN it returns as many as the setting allows, and says so.
    """
    tool.call("add", contents=[f"The kettle number {n} is blue" for n in range(30)])

    assert tool.call("search", query="kettle", topK=5)["count"] == 5
    most = tool.call("search", query="kettle", limit=100)
    assert most["count"] == 20
    assert "20" in most["notes"][0]


def config(door: CommandDoor, *words: str) -> Reply:
    finished = door.run("config", *words, "--json")
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


def write(door: Door, entries: Mapping[str, object]) -> None:
    """Write the file as a person with an editor would."""
    (door.home / "config.json").write_text(json.dumps(entries), "utf-8")


def in_file(door: Door) -> Reply:
    return json.loads((door.home / "config.json").read_text("utf-8"))
