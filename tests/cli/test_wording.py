"""What the command line says where something was mistyped, and how it lists its commands."""

import json

import pytest

from mnemo.cli.main import cli
from tests.doors import CommandDoor

WIDTH_OF_A_LINE = 55


def test_every_command_is_listed_with_a_whole_sentence() -> None:
    for name, command in cli.commands.items():
        assert "..." not in command.get_short_help_str(limit=WIDTH_OF_A_LINE), name


@pytest.mark.process
class TestAtTheCommandLine:
    """What is printed, and the exit code."""

    def test_a_dash_in_a_text_is_explained(self, command: CommandDoor) -> None:
        finished = command.run("add", "I", "should", "consider", "using", "-v", "flags")
        assert finished.returncode == 2
        assert "quote the text, or put -- before it; mnemo add --help" in finished.stderr
        assert "(mnemo search --help)" in command.run("search").stderr
        assert command.run("add", "--", "use", "-v").returncode == 0

    @pytest.mark.parametrize("verb", ["get", "remove", "history", "purge"])
    def test_a_wrong_id_is_one_sentence_everywhere(self, command: CommandDoor, verb: str) -> None:
        command.call("add", content="the kettle is red")
        finished = command.run(verb, "abc")
        assert finished.returncode == 2
        assert finished.stderr == (
            'error: fact_id "abc" is not the id of a fact (give ids as numbers, such as 12)\n'
        )

    def test_an_id_that_no_fact_has_is_an_error_beside_the_facts(
        self, command: CommandDoor
    ) -> None:
        command.call("add", content="the kettle is red")
        finished = command.run("get", "1", "99")
        assert finished.returncode == 1
        assert "the kettle is red" in finished.stdout
        assert "99" not in finished.stdout
        assert finished.stderr.startswith("error: there is no fact 99 (")
        finished = command.run("get", "1", "99", "--json")
        assert finished.returncode == 1
        assert json.loads(finished.stdout)["missing"] == [99]

    @pytest.mark.parametrize(
        "words", [("get", "1"), ("undo",), ("redo",), ("events",), ("history", "1")]
    )
    def test_what_only_tells_or_takes_back_makes_no_memory(
        self, command: CommandDoor, words: tuple[str, ...]
    ) -> None:
        finished = command.run(*words)
        assert finished.returncode == 1
        assert "there is no memory at" in finished.stderr
        assert not command.database.exists()

    def test_trust_that_is_held_is_said(self, command: CommandDoor) -> None:
        command.call("add", content="the kettle is red")
        told = command.run("update", "1", "--trust-delta", "5").stdout
        assert "trust 0.50 to 1.00, trust is held to 0 to 1" in told
        told = command.run("update", "1", "--trust-delta", "5").stdout
        assert "unchanged; trust is held to 0 to 1" in told

    def test_a_comparison_shows_the_words_as_they_stand(self, command: CommandDoor) -> None:
        told = command.run("compare", "The user prefers dark modes", "The users prefers notes")
        lines = told.stdout.splitlines()
        assert lines[0].split() == ["both", "say", "The", "user", "prefers"]
        assert lines[1].split() == ["only", "the", "first", "dark", "modes"]

    def test_a_close_fact_says_what_the_figure_counts(self, command: CommandDoor) -> None:
        command.call("add", content="the user prefers dark mode")
        told = command.run("add", "the user prefers dark mode at night").stdout
        assert "much like fact 1: all words of the shorter one are in both" in told

    def test_a_backup_that_is_not_there_says_how_to_list_them(self, command: CommandDoor) -> None:
        command.call("add", content="the kettle is red")
        finished = command.run("restore-backup", "foo.db")
        assert f"no backup named foo.db in {command.home / 'backup'}" in finished.stderr
        assert "mnemo backups lists them" in finished.stderr
        name = command.run("backup").stdout.strip()
        finished = command.run("restore-backup", name)
        assert "would restore 1 fact of" in finished.stderr

    def test_the_state_is_told_in_words(self, command: CommandDoor) -> None:
        command.call("add", content="the kettle is red")
        assert "last dreamed: never" in command.run("status").stdout
        assert command.run("events", "--type", "nonsense").stdout.startswith("no events\n")
