"""What a person sees at a terminal of eighty columns, and at a narrow one."""

import os
import sys

import pytest

from tests.doors import CommandDoor

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name == "nt", reason="there is no pty"),
]

FACT = "the kettle in the kitchen of the office is red"


def at_terminal(command: CommandDoor, *words: str, width: int) -> str:
    """What the command prints at a terminal of that width."""
    import pty

    child, terminal = pty.fork()
    if child == 0:
        environment = command.environment() | {"TERM": "xterm", "COLUMNS": str(width)}
        os.execve(sys.executable, [sys.executable, "-m", "mnemo", *words], environment)
    shown = b""
    while True:
        try:
            shown += os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, shown.decode()
    return shown.decode().replace("\r", "")


@pytest.mark.parametrize("width", [80, 40])
def test_a_hit_shows_its_fact_and_below_it_the_parts_of_its_score(
    command: CommandDoor, width: int
) -> None:
    command.call("add", content=FACT, category="coding_style")
    shown = " ".join(at_terminal(command, "search", "--explain", "kettle", width=width).split())
    assert FACT in shown
    assert "fts 1.000, jaccard" in shown


@pytest.mark.parametrize("width", [80, 40])
def test_an_event_shows_what_was_done_in_detail(command: CommandDoor, width: int) -> None:
    command.call("add", content=FACT)
    command.call("update", fact_id=1, trust_delta=0.2)
    shown = " ".join(at_terminal(command, "events", width=width).split())
    assert FACT in shown
    assert "trust 0.50 → 0.70" in shown
