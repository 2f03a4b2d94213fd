"""What a person sees who asks by name at the command line."""

import pytest

from tests.doors import CommandDoor

pytestmark = pytest.mark.process


def test_a_name_of_several_words_needs_no_quotes_and_the_way_to_a_fact_is_shown(
    command: CommandDoor,
) -> None:
    command.call("add", content="The editor is Visual Studio Code, says Alice")
    command.call("add", content="we like rust for tools")

    probed = command.run("probe", "visual", "studio", "code")
    missing = command.run("reason", "Alice", "rust")

    assert probed.returncode == missing.returncode == 0
    assert "entity" in probed.stdout.splitlines()[1]
    assert "covered" in missing.stdout.splitlines()[0]
    assert "no fact names all of them" in missing.stdout
    assert command.run("probe", "Zoltan").stdout == "nothing found\n"


def test_what_is_asked_wrongly_is_one_line_and_a_code(command: CommandDoor) -> None:
    for words in (("probe",), ("probe", " "), ("reason", "Alice", " ")):
        refused = command.run(*words)
        assert refused.returncode == 2
        assert refused.stderr.startswith("error: ")
        assert len(refused.stderr.splitlines()) == 1
