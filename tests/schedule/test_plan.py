"""The steps for each scheduler, from what is there; nothing of the machine is touched."""

import plistlib
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from mnemo.enums import Scheduler
from mnemo.errors import Refused
from mnemo.schedule.plan import (
    Job,
    Machine,
    Run,
    WriteCrontab,
    WriteFile,
    plan,
    plan_all,
    plan_removal,
    shown,
)
from mnemo.schedule.when import When

DAILY = When(3, 0)
COMMAND = ("/opt/100% mine/bin/mnemo", "dream", "--scheduled")
VARIABLES = {"MNEMO_HOME": '/data/the "$HOME" \\ 记忆'}
JOB = Job(DAILY, COMMAND, VARIABLES)
PLAIN = Job(DAILY, ("/opt/mnemo", "dream"), {})
THEIRS = "MAILTO=me\n# by hand \udcff\n5 4 * * * true\n"
MACHINE = Machine(
    home=Path("/h"),
    programs={name: f"/bin/{name}" for name in ("crontab", "systemctl", "launchctl", "schtasks")},
    config_home=Path("/h/.config"),
    user_id=501,
)


def after(scheduler: Scheduler, job: Job | None, machine: Machine = MACHINE) -> Machine:
    """The machine as it is when the steps were taken."""
    files = dict(machine.files or {})
    crontab = machine.crontab
    for step in plan(scheduler, job, machine):
        if isinstance(step, WriteFile):
            files = {path: text for path, text in files.items() if path != step.path}
            if step.text is not None:
                files[step.path] = step.text
        elif isinstance(step, WriteCrontab):
            crontab = step.text
    return replace(machine, files=files, crontab=crontab)


def cron_line(machine: Machine) -> str:
    [line] = [line for line in machine.crontab.splitlines() if " >/dev/null" in line]
    return line


@pytest.mark.parametrize("scheduler", [Scheduler.SYSTEMD, Scheduler.CRON, Scheduler.LAUNCHD])
def test_a_second_run_has_nothing_to_do(scheduler: Scheduler) -> None:
    assert plan(scheduler, JOB, MACHINE)
    assert plan(scheduler, JOB, after(scheduler, JOB)) == ()
    assert plan(scheduler, replace(JOB, when=When(4, 0)), after(scheduler, JOB))


@pytest.mark.parametrize("scheduler", Scheduler)
def test_what_is_not_there_is_not_removed(scheduler: Scheduler) -> None:
    assert plan(scheduler, None, replace(MACHINE, programs={})) == ()


@pytest.mark.parametrize("scheduler", [Scheduler.SYSTEMD, Scheduler.CRON, Scheduler.LAUNCHD])
def test_removing_leaves_what_was_there_before(scheduler: Scheduler) -> None:
    before = replace(MACHINE, crontab=THEIRS, files={})
    scheduled = after(scheduler, JOB, before)
    assert scheduled != before
    assert after(scheduler, None, scheduled) == before


def test_another_scheduler_takes_over_and_does_not_run_beside_the_first() -> None:
    machine = after(Scheduler.CRON, JOB, replace(MACHINE, crontab=THEIRS))
    steps = plan_all(Scheduler.SYSTEMD, JOB, machine)
    assert WriteCrontab("/bin/crontab", THEIRS, machine.crontab) in steps
    assert plan_removal(machine) == (WriteCrontab("/bin/crontab", THEIRS, machine.crontab),)


def test_a_path_with_a_line_break_is_refused() -> None:
    job = replace(JOB, environment={"MNEMO_HOME": "/a\n* * * * * rm"})
    for scheduler in Scheduler:
        with pytest.raises(Refused, match="line break"):
            plan(scheduler, job, MACHINE)


# -- cron ------------------------------------------------------------------------------------


def test_other_lines_of_a_crontab_stay_as_they_are() -> None:
    scheduled = after(Scheduler.CRON, JOB, replace(MACHINE, crontab=THEIRS))
    assert scheduled.crontab.startswith(THEIRS)
    changed = replace(scheduled, crontab=scheduled.crontab + "# below\n")
    again = after(Scheduler.CRON, replace(JOB, when=When(4, 0)), changed)
    assert again.crontab.startswith(THEIRS)
    assert again.crontab.endswith("# below\n")
    assert cron_line(again).startswith("0 4 * * *")


def test_a_last_line_without_an_end_is_not_run_into() -> None:
    scheduled = after(Scheduler.CRON, JOB, replace(MACHINE, crontab="5 4 * * * true"))
    assert scheduled.crontab.startswith("5 4 * * * true\n# >>>")


def test_cron_gives_the_shell_the_words_as_they_were() -> None:
    line = cron_line(after(Scheduler.CRON, JOB))
    assert "%" not in line.replace(r"\%", "")
    command = line.removeprefix("0 3 * * * ").removesuffix(" >/dev/null").replace(r"\%", "%")
    assert shlex.split(command) == [
        "/usr/bin/env", f"MNEMO_HOME={VARIABLES['MNEMO_HOME']}", *COMMAND
    ]  # fmt: skip


def test_cron_counts_its_days_from_sunday() -> None:
    for weekday, day in ((0, "1"), (5, "6"), (6, "0")):
        job = replace(PLAIN, when=When(3, 0, weekday))
        assert cron_line(after(Scheduler.CRON, job)).split()[:5] == ["0", "3", "*", "*", day]


@pytest.mark.parametrize("marker", ["# >>> mnemo-dream", "# <<< mnemo-dream"])
def test_a_marker_without_its_other_half_is_refused(marker: str) -> None:
    for job in (JOB, None):
        with pytest.raises(Refused, match="without the other"):
            plan(Scheduler.CRON, job, replace(MACHINE, crontab=f"{THEIRS}{marker}\n5 5 * * * a\n"))


def test_a_crontab_that_cannot_be_read_is_not_taken_for_an_empty_one() -> None:
    machine = replace(MACHINE, crontab_trouble="not allowed")
    with pytest.raises(Refused, match="cannot be read: not allowed"):
        plan(Scheduler.CRON, JOB, machine)
    assert plan_all(Scheduler.SYSTEMD, JOB, machine)


# -- systemd ---------------------------------------------------------------------------------


def test_systemd_gets_a_service_and_a_timer_that_is_started() -> None:
    service, timer, *runs = plan(Scheduler.SYSTEMD, JOB, MACHINE)
    assert isinstance(service, WriteFile)
    assert isinstance(timer, WriteFile)
    assert service.path == Path("/h/.config/systemd/user/mnemo-dream.service")
    assert service.text is not None
    assert '\nExecStart="/opt/100%% mine/bin/mnemo" "dream" "--scheduled"\n' in service.text
    variable = r'"MNEMO_HOME=/data/the \"$HOME\" \\ 记忆"'
    assert f"\nEnvironment={variable}\n" in service.text
    assert "\nOnCalendar=*-*-* 03:00:00\n" in (timer.text or "")
    control = ("/bin/systemctl", "--user")
    assert runs == [
        Run((*control, "daemon-reload")),
        Run((*control, "enable", "mnemo-dream.timer")),
        Run((*control, "restart", "mnemo-dream.timer")),
    ]


def test_systemd_does_not_expand_a_dollar_sign() -> None:
    job = replace(PLAIN, command=("/opt/mnemo", "$HOME"))
    service = plan(Scheduler.SYSTEMD, job, MACHINE)[0]
    assert 'ExecStart="/opt/mnemo" "$$HOME"' in shown(service)


def test_systemd_names_the_day_of_a_week() -> None:
    timer = plan(Scheduler.SYSTEMD, replace(JOB, when=When(3, 0, 6)), MACHINE)[1]
    assert "OnCalendar=Sun *-*-* 03:00:00" in shown(timer)


def test_a_file_of_somebody_else_is_not_touched() -> None:
    path = Path("/h/.config/systemd/user/mnemo-dream.timer")
    machine = replace(MACHINE, files={path: "[Timer]\nOnCalendar=hourly\n"})
    for job in (JOB, None):
        with pytest.raises(Refused, match="was not written by mnemo"):
            plan(Scheduler.SYSTEMD, job, machine)


# -- launchd and schtasks --------------------------------------------------------------------


def test_launchd_gets_a_property_list() -> None:
    job = replace(JOB, when=When(3, 5, 6))
    write, unload, load = plan(Scheduler.LAUNCHD, job, MACHINE)
    assert isinstance(write, WriteFile)
    assert write.path == Path("/h/Library/LaunchAgents/mnemo-dream.plist")
    values = plistlib.loads((write.text or "").encode())
    assert values["ProgramArguments"] == list(COMMAND)
    assert values["EnvironmentVariables"] == VARIABLES
    assert values["StartCalendarInterval"] == {"Hour": 3, "Minute": 5, "Weekday": 0}
    assert unload == Run(("/bin/launchctl", "bootout", "gui/501/mnemo-dream"), may_fail=True)
    assert load == Run(("/bin/launchctl", "bootstrap", "gui/501", str(write.path)))


def test_schtasks_gets_a_task_that_replaces_the_one_before() -> None:
    job = Job(When(3, 5, 6), (r"C:\my programs\mnemo.exe", "dream", "--scheduled"), {})
    [run] = plan(Scheduler.SCHTASKS, job, MACHINE)
    assert isinstance(run, Run)
    assert run.words == (
        "/bin/schtasks", "/Create", "/F", "/TN", "mnemo-dream",
        "/TR", r'"C:\my programs\mnemo.exe" dream --scheduled',
        "/SC", "WEEKLY", "/D", "SUN", "/ST", "03:05",
    )  # fmt: skip
    [remove] = plan(Scheduler.SCHTASKS, None, replace(MACHINE, has_task=True))
    assert remove == Run(("/bin/schtasks", "/Delete", "/F", "/TN", "mnemo-dream"))


def test_a_step_is_shown_as_what_it_changes() -> None:
    [step] = plan(Scheduler.CRON, PLAIN, replace(MACHINE, crontab=THEIRS))
    lines = shown(step).splitlines()
    assert lines[0] == "change the crontab"
    assert [line[:4] for line in lines[1:]] == ["  + "] * 3
    assert shown(Run(("/bin/a b", "c"))) == "run '/bin/a b' c"
    assert shown(WriteFile(Path("/x"), None, "there")) == "delete /x"
