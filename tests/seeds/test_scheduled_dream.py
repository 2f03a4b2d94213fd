"""Scheduled dream: a dream by the clock, in an environment that has nothing, and its set-up."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.doors import DEADLINE, SOURCE, CommandDoor

pytestmark = pytest.mark.process

EVENING = "用户喜欢在晚上写代码"
EVENING_AND_MORE = "用户喜欢在晚上写代码和文档"
THEIRS = b"MAILTO=me\n# by hand \xff\n5 4 * * * true\n"

CRONTAB = """#!/bin/sh
case "$1" in
-l) [ -f "{spool}" ] || {{ echo "no crontab for you" >&2; exit 1; }}
    exec /bin/cat "{spool}" ;;
-)  exec /bin/cat > "{spool}" ;;
esac
"""


class Machine:
    """A machine of its own: a home, and a crontab that is a file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home 100%"
        self.spool = folder / "spool"
        self.home.mkdir()
        programs = folder / "bin"
        programs.mkdir()
        (programs / "crontab").write_text(CRONTAB.format(spool=self.spool))
        (programs / "crontab").chmod(0o755)
        self.environment = {
            "HOME": str(self.home),
            "PATH": str(programs),
            "PYTHONPATH": str(SOURCE),
            "MNEMO_HOME": str(self.home / "记忆"),
        }

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "mnemo", *words],
            env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL,
            capture_output=True, encoding="utf-8", timeout=DEADLINE, check=False,
        )  # fmt: skip

    def run_the_crontab(self) -> "subprocess.CompletedProcess[str]":
        """Run the last line as cron does: by a shell, with a home and nothing else."""
        line = self.spool.read_text(errors="replace").splitlines()[-2]
        command = line.split(maxsplit=5)[5].replace(r"\%", "%")
        return subprocess.run(
            ["/bin/sh", "-c", command],
            env={"HOME": str(self.home), "PYTHONPATH": str(SOURCE)}, cwd=self.home,
            capture_output=True, encoding="utf-8", timeout=DEADLINE, check=False,
        )  # fmt: skip


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def bare(command: CommandDoor, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    """What `env -i HOME=… mnemo …` does."""
    return subprocess.run(
        [sys.executable, "-m", "mnemo", *words],
        env={"HOME": str(command.folder), "PYTHONPATH": str(SOURCE)} | variables,
        cwd="/", stdin=subprocess.DEVNULL, capture_output=True,
        encoding="utf-8", timeout=DEADLINE, check=False,
    )  # fmt: skip


def test_a_dream_needs_nothing_but_a_home(command: CommandDoor) -> None:
    """WHEN a dream runs with HOME as its only variable, THEN it tidies the memory in that home,
    standard output is one JSON document with Chinese in it, and standard error is empty.
    """
    command.call("add", content="编码规范：函数不超过四十行，变量用小写", category="identity")

    finished = bare(command, "dream")

    assert (finished.returncode, finished.stderr) == (0, "")
    report = json.loads(finished.stdout)
    assert report["db_path"] == str(command.database)
    assert "编码规范" in finished.stdout


def test_a_dream_by_the_clock_makes_no_new_memory(command: CommandDoor) -> None:
    """WHEN a scheduled dream finds no memory where it looks, THEN it fails with the path and what
    to do, and makes none.
    """
    finished = bare(command, "dream", "--scheduled", MNEMO_HOME=str(command.folder / "nowhere"))

    assert (finished.returncode, finished.stdout) == (1, "")
    assert str(command.folder / "nowhere" / "facts.db") in finished.stderr
    assert "MNEMO_HOME" in finished.stderr
    assert not (command.folder / "nowhere" / "facts.db").exists()


def test_a_dream_by_the_clock_is_mnemos_own_and_retires_a_tenth_at_most(
    command: CommandDoor,
) -> None:
    """WHEN a scheduled dream could merge more than a tenth of the facts, THEN it retires one tenth,
    at least one, and the journal says that nobody asked for it.
    """
    for number in range(3):
        command.call("add", content=f"{EVENING}第{number}章")
        command.call("add", content=f"{EVENING_AND_MORE}第{number}章")

    finished = bare(command, "dream", "--scheduled")

    assert finished.returncode == 0, finished.stderr
    assert json.loads(finished.stdout)["deleted"] == 1
    assert command.sql("SELECT actor FROM operations WHERE kind = 'dream'") == [("system",)]


def test_a_second_dream_by_the_clock_is_no_failure(command: CommandDoor) -> None:
    """WHEN a scheduled dream starts while another dream runs, THEN it says so on standard error and
    in its one JSON document, changes nothing, and exits with 0; without --scheduled it is refused.
    """
    command.call("add", content=EVENING)
    held = {"host": "elsewhere", "pid": 1, "process": "p", "holder": "h"}
    command.sql(
        "INSERT INTO meta(k, v) VALUES ('lock:dream', json_set(?, '$.expires', "
        "datetime('now', '+9 minutes')))",
        json.dumps(held),
    )

    finished = bare(command, "dream", "--scheduled")

    assert finished.returncode == 0
    assert finished.stderr == "skipped: another dream is running\n"
    assert json.loads(finished.stdout)["skipped"] == "another dream is running"
    assert bare(command, "dream").returncode == 1


def test_a_person_who_waits_is_told_and_the_report_stays_clean(command: CommandDoor) -> None:
    """WHEN standard error is a terminal and standard output is not, THEN the terminal shows what is
    waited for, and standard output is still one JSON document.
    """
    command.call("add", content=EVENING)
    ours, theirs = pty.openpty()
    try:
        finished = subprocess.run(
            [sys.executable, "-m", "mnemo", "dream"],
            env=command.environment(), stdout=subprocess.PIPE, stderr=theirs,
            stdin=subprocess.DEVNULL, encoding="utf-8", timeout=DEADLINE, check=False,
        )  # fmt: skip
        told = os.read(ours, 4096).decode()
    finally:
        os.close(theirs)
        os.close(ours)

    assert json.loads(finished.stdout)["dry_run"] is False
    assert "comparing the facts" in told
    assert told.endswith("\r\x1b[K")


def test_a_schedule_is_shown_and_asked_for_before_it_is_written(machine: Machine) -> None:
    """WHEN a schedule is asked for in a dry run, or where nobody can be asked, THEN the lines that
    would be written are shown and nothing is written.
    """
    tried = machine.run("init", "--schedule", "daily@03:00", "--dry-run")
    refused = machine.run("init", "--schedule", "daily@03:00")

    assert (tried.returncode, refused.returncode) == (0, 1)
    for finished in (tried, refused):
        assert "+ 0 3 * * * " in finished.stdout
    assert "--yes" in refused.stderr
    assert not machine.spool.exists()


def test_a_schedule_runs_the_same_memory_and_leaves_other_lines_alone(machine: Machine) -> None:
    """WHEN a schedule was written into a crontab that has lines already, in a home with a percent
    sign, THEN those lines stay byte for byte and the new one dreams on the same memory.
    """
    machine.spool.write_bytes(THEIRS)
    machine.run("add", EVENING)

    written = machine.run("init", "--schedule", "weekly@sun,03:00", "--yes")

    assert written.returncode == 0, written.stderr
    assert machine.spool.read_bytes().startswith(THEIRS)
    dreamed = machine.run_the_crontab()
    assert (dreamed.returncode, dreamed.stdout, dreamed.stderr) == (0, "", "")
    assert json.loads(machine.run("status", "--json").stdout)["last_dream_at"]
    kept = (machine.home / "记忆" / "crontab.bak").read_bytes()
    assert kept == THEIRS


def test_a_schedule_is_written_once_and_changed_in_its_place(machine: Machine) -> None:
    """WHEN the same schedule is asked for twice, THEN the second run finds nothing to do; another
    time takes the place of the first.
    """
    machine.run("init", "--schedule", "daily@03:00", "--yes")
    once = machine.spool.read_bytes()

    twice = machine.run("init", "--schedule", "daily@03:00")

    assert (twice.returncode, machine.spool.read_bytes()) == (0, once)
    assert "nothing to do" in twice.stdout
    machine.run("init", "--schedule", "daily@04:30", "--yes")
    assert machine.spool.read_bytes() == once.replace(b"\n0 3 *", b"\n30 4 *")


def test_a_schedule_that_is_removed_leaves_what_was_there(machine: Machine) -> None:
    """WHEN a schedule is removed, THEN the crontab is byte for byte what it was before, and
    removing it once more finds nothing to do.
    """
    machine.spool.write_bytes(THEIRS)
    machine.run("init", "--schedule", "daily@03:00", "--yes")

    removed = machine.run("init", "--remove", "--yes")

    assert removed.returncode == 0, removed.stderr
    assert machine.spool.read_bytes() == THEIRS
    assert "nothing to do" in machine.run("init", "--remove").stdout


def test_a_schedule_that_is_none_is_refused_with_the_forms(machine: Machine) -> None:
    """WHEN the words name no moment, THEN the error shows the forms that are allowed, with exit
    code 2.
    """
    for words in ("daily", "03:00", "daily@25:00", "sometimes"):
        finished = machine.run("init", "--schedule", words, "--yes")
        assert finished.returncode == 2
        assert "daily@03:00 or weekly@sun,03:00" in finished.stderr
    assert not machine.spool.exists()
