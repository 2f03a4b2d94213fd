"""Going through a dream's plan: what a person sees, which keys there are, and what they do."""

import os
import select
import signal
import sys
from time import monotonic

import pytest

from mnemo.cli.review import columns, wrapped
from mnemo.memory import Memory
from mnemo.settings import Settings
from mnemo.writing.add import NewFact
from tests.doors import DEADLINE, CommandDoor

pytestmark = pytest.mark.process

KEYS = "change nothing"


def _filled(command: CommandDoor) -> CommandDoor:
    memory = Memory(Settings.load(command.environment()))
    memory.add(NewFact("编码规范：函数不超过四十行，变量用小写", category="identity"))
    memory.add(NewFact("用户喜欢在晚上写代码"), NewFact("用户喜欢在晚上写代码和文档"))
    memory.add(NewFact("Use tabs for indentation in code"))
    memory.add(NewFact("Use spaces for indentation in code"))
    memory.close()
    return command


def _reviewed(command: CommandDoor, keys: str, *, width: int = 100) -> str:
    """What `mnemo dream --review` shows in a terminal in which these keys are pressed, each as
    soon as it is asked for.
    """
    import fcntl
    import pty
    import struct
    import termios

    child, terminal = pty.fork()
    if child == 0:
        words = [sys.executable, "-m", "mnemo", "dream", "--review"]
        os.execve(sys.executable, words, command.environment() | {"TERM": "xterm"})
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    shown, pressed, deadline = b"", 0, monotonic() + DEADLINE
    while monotonic() < deadline:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                shown += os.read(terminal, 65536)
            except OSError:  # the other end is closed
                break
        listens = not termios.tcgetattr(terminal)[3] & termios.ICANON
        if listens and pressed < min(len(keys), shown.count(KEYS.encode())):
            os.write(terminal, keys[pressed].encode())
            pressed += 1
    else:
        os.kill(child, signal.SIGKILL)
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, shown.decode()
    return shown.decode().replace("\r", "")


needs_terminal = pytest.mark.skipif(os.name == "nt", reason="there is no pty")


@needs_terminal
def test_the_chosen_steps_are_carried_out_and_the_conflicts_shown(command: CommandDoor) -> None:
    shown = _reviewed(_filled(command), "ny")
    assert "step 1 of 2: move fact 1 from identity to coding_style" in shown
    assert "step 2 of 2: merge fact 2 into fact 3" in shown
    assert "用户喜欢在晚上写代码和文档" in shown
    assert "only 3 says: 文档" in shown
    assert "mnemo undo op-" in shown
    assert "mnemo remove 4" in shown, "what would settle the conflict"
    rows = command.sql("SELECT category, status FROM facts ORDER BY fact_id")
    assert rows[:3] == [("identity", "active"), ("general", "merged"), ("general", "active")]


@needs_terminal
def test_whoever_quits_has_changed_nothing(command: CommandDoor) -> None:
    shown = _reviewed(_filled(command), "yq")
    assert "nothing was changed" in shown
    assert not command.sql("SELECT 1 FROM operations WHERE kind = 'dream'")
    assert not (command.home / "backup").exists()


@needs_terminal
def test_all_the_rest_is_one_key_and_a_narrow_terminal_stacks_the_facts(
    command: CommandDoor,
) -> None:
    shown = _reviewed(_filled(command), "a", width=50)
    assert " │ " not in shown
    assert command.sql("SELECT count(*) FROM facts WHERE status = 'merged'") == [(1,)]
    assert command.sql("SELECT category FROM facts WHERE fact_id = 1") == [("coding_style",)]


def test_without_a_terminal_a_review_is_refused_with_a_hint(command: CommandDoor) -> None:
    finished = command.run("dream", "--review")
    assert finished.returncode == 1
    assert "needs a terminal" in finished.stderr
    assert "--dry-run" in finished.stderr


@pytest.mark.parametrize("width", [20, 21, 33, 80])
@pytest.mark.parametrize(
    "text", ["用户喜欢在晚上写代码和文档" * 4, "a word and more " * 9, "x" * 90]
)
def test_a_line_is_no_wider_than_the_terminal(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert all(0 < columns(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
