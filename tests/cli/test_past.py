"""What was done, told to a person."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from mnemo.cli.main import cli
from mnemo.errors import MnemoError

Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command for a person; comes back with what it prints."""
    monkeypatch.setenv("MNEMO_HOME", str(tmp_path))
    monkeypatch.delenv("MNEMO_DB_PATH", raising=False)

    def invoke(*words: str) -> str:
        result = CliRunner().invoke(cli, list(words), standalone_mode=False)
        if result.exception is not None:
            raise result.exception
        return result.output

    return invoke


@pytest.fixture
def changed(run: Run) -> Run:
    run("add", "the", "kettle", "is", "red")
    run("update", "1", "the", "kettle", "is", "blue")
    return run


def test_an_undo_says_what_became_of_which_fact_and_how_to_go_back(changed: Run) -> None:
    told = changed("undo").splitlines()
    assert told[0].startswith("took back op-2 (update by user, ")
    assert told[0].endswith("): 1 fact")
    assert told[1:] == [
        "  fact 1: content the kettle is blue → the kettle is red",
        "mnemo undo op-3 takes that back",
    ]
    assert changed("redo").startswith("brought back op-2 (update by user, ")


def test_a_dry_run_says_that_it_would(changed: Run) -> None:
    assert changed("undo", "--dry-run").startswith("would take back op-2 (update by user")
    changed("undo")
    assert changed("redo", "--dry-run").startswith("would bring back op-2 (update by user")


def test_a_fact_that_stays_is_named(changed: Run) -> None:
    changed("add", "another")
    changed("remove", "1", "2")
    changed("update", "2", "changed")
    told = changed("undo", "op-4", "--partial")
    assert "  left as it is: fact 2, which was changed since by the update op-5" in told


def test_events_are_a_table(changed: Run) -> None:
    told = changed("events", "--type", "update").splitlines()
    assert told[0].split() == ["when", "operation", "who", "what", "fact", "in", "detail"]
    assert told[1].endswith("content the kettle is red → the kettle is blue")
    assert told[2] == "1 of 1"
    assert changed("events", "--group-by", "action").splitlines() == [
        "count  of",
        "1      UPDATE",
        "1      WRITE",
    ]


def test_a_history_is_a_story(changed: Run) -> None:
    changed("search", "kettle")
    changed("undo")
    told = changed("history", "1").splitlines()
    assert told[0] == "fact 1 (active): the kettle is red"
    assert told[1].endswith("op-1 add by user")
    assert told[2] == "    content the kettle is red"
    assert told[3].endswith("op-2 update by user, undone by op-3")
    assert told[4] == "    content the kettle is red → the kettle is blue"
    assert told[5].endswith("op-3 undo of op-2 by user")
    assert told[-1].startswith("recalled once, last ")


def test_a_purge_goes_on_only_with_a_yes(changed: Run) -> None:
    with pytest.raises(MnemoError, match=r"erase for good: fact 1 \(the kettle is blue\)"):
        changed("purge", "1")
    told = changed("purge", "1", "--yes")
    assert "fact 1 erased for good" in told
    assert "a purge cannot be undone" in told


def test_a_purge_can_be_tried(changed: Run) -> None:
    assert "fact 1 would be erased" in changed("purge", "1", "--dry-run")
    assert json.loads(changed("get", "1", "--json"))["count"] == 1
    with pytest.raises(MnemoError, match='"x" is not the id of a fact'):
        changed("purge", "x")
