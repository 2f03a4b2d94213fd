"""How each scheduler is told to dream, and how it is told no longer to.

Pure: from what is there now and what is wanted to the steps that lead there. What is there already
needs no step, so that a second run does nothing. A crontab keeps every byte that is not between our
two markers; a file that we did not write is never touched. Each scheduler splits and expands a
command in a way of its own, so each has its own way of quoting.
"""

import plistlib
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import ndiff
from pathlib import Path
from subprocess import list2cmdline

from mnemo.enums import Scheduler
from mnemo.errors import Refused
from mnemo.schedule.when import When

NAME = "mnemo-dream"
_OURS = "Written by mnemo init, which takes it away again when it is told to."

_CRON_BEGIN = f"# >>> {NAME}: {_OURS}"
_CRON_END = f"# <<< {NAME}"
_CRON_BLOCK = re.compile(
    rf"^# >>> {NAME}\b[^\n]*\n.*?^{re.escape(_CRON_END)}[^\n]*\n", re.MULTILINE | re.DOTALL
)
_CRON_MARKER = re.compile(rf"^# (?:>>>|<<<) {NAME}\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Job:
    """What is to run: the words of the command, and the variables that it needs."""

    when: When
    command: tuple[str, ...]
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WriteFile:
    """Let the file hold ``text``; None: take it away. ``before`` is what it holds now."""

    path: Path
    text: str | None
    before: str | None


@dataclass(frozen=True, slots=True)
class WriteCrontab:
    """Let the person's crontab be ``text``. ``before`` is what it is now."""

    program: str
    text: str
    before: str


@dataclass(frozen=True, slots=True)
class Run:
    """Run a command. ``may_fail``: it undoes what may not be there."""

    words: tuple[str, ...]
    may_fail: bool = False


Step = WriteFile | WriteCrontab | Run


@dataclass(frozen=True, slots=True)
class Machine:
    """What a plan needs to know: where things are, and what is there now.

    ``files`` holds the text of those of `files_of` that exist, ``crontab`` the person's crontab,
    byte for byte (bytes that are no UTF-8 as surrogates).
    """

    home: Path
    programs: Mapping[str, str]  # name → absolute path
    config_home: Path
    user_id: int = 0
    files: Mapping[Path, str] | None = None
    crontab: str = ""
    crontab_trouble: str = ""  # why it could not be read
    has_task: bool = False


def plan(scheduler: Scheduler, job: Job | None, machine: Machine) -> tuple[Step, ...]:
    """The steps after which that scheduler runs the job, or, for None, runs nothing of ours.

    Raises Refused where what is there cannot be understood, or the job cannot be written down.
    """
    if job is not None:
        for text in (*job.command, *job.environment.values()):
            if any(character < " " for character in text):
                raise Refused(
                    f"a schedule cannot name {text!r}, which holds a line break or a control "
                    "character",
                    hint="rename that folder",
                )
    match scheduler:
        case Scheduler.CRON:
            return _cron(job, machine)
        case Scheduler.SYSTEMD:
            return _systemd(job, machine)
        case Scheduler.LAUNCHD:
            return _launchd(job, machine)
        case Scheduler.SCHTASKS:
            return _schtasks(job, machine)


def plan_all(chosen: Scheduler, job: Job, machine: Machine) -> tuple[Step, ...]:
    """The steps after which the chosen scheduler runs the job, and no other one does."""
    return (*plan(chosen, job, machine), *plan_removal(machine, besides=chosen))


def plan_removal(machine: Machine, *, besides: Scheduler | None = None) -> tuple[Step, ...]:
    """The steps after which no scheduler but ``besides`` runs anything of ours."""
    steps: list[Step] = []
    for scheduler in Scheduler:
        if scheduler == besides or (scheduler == Scheduler.CRON and machine.crontab_trouble):
            continue
        steps += plan(scheduler, None, machine)
    return tuple(steps)


def shown(step: Step) -> str:
    """A step as a person reads it before it is taken."""
    match step:
        case Run():
            return f"run {shlex.join(step.words)}"
        case WriteFile(text=None):
            return f"delete {step.path}"
        case WriteFile():
            lines = (step.text or "").splitlines()
            return "\n".join([f"write {step.path}", *(f"  {line}".rstrip() for line in lines)])
        case WriteCrontab():
            changes = ndiff(step.before.splitlines(), step.text.splitlines())
            return "\n".join(
                ["change the crontab", *(f"  {line}" for line in changes if line[0] in "+-")]
            )


def files_of(scheduler: Scheduler, machine: Machine) -> tuple[Path, ...]:
    """The files that this scheduler reads our job from."""
    if scheduler == Scheduler.SYSTEMD:
        folder = machine.config_home / "systemd" / "user"
        return folder / f"{NAME}.service", folder / f"{NAME}.timer"
    if scheduler == Scheduler.LAUNCHD:
        return (machine.home / "Library" / "LaunchAgents" / f"{NAME}.plist",)
    return ()


# -- cron ------------------------------------------------------------------------------------


def _cron(job: Job | None, machine: Machine) -> tuple[Step, ...]:
    if machine.crontab_trouble:
        # It must not be taken for an empty one, which would then be written over it.
        raise Refused(
            f"the crontab cannot be read: {machine.crontab_trouble}",
            hint="crontab -l must work; nothing was changed",
        )
    before = machine.crontab
    if len(_CRON_MARKER.findall(before)) != 2 * len(_CRON_BLOCK.findall(before)):
        raise Refused(
            f"the crontab has a line '# >>> {NAME}' or '# <<< {NAME}' without the other",
            hint="mend it with crontab -e; nothing was changed",
        )
    # In the place of the block that is there, else at the end.
    place = match.start() if (match := _CRON_BLOCK.search(before)) else len(before)
    above, below = before[:place], _CRON_BLOCK.sub("", before[place:])
    if job is not None and above and not above.endswith("\n"):
        above += "\n"
    text = above + ("" if job is None else _cron_block(job)) + below
    return () if text == before else (WriteCrontab(_program("crontab", machine), text, before),)


def _cron_block(job: Job) -> str:
    when, day = job.when, job.when.day_from_sunday
    words = [*job.command]
    if job.environment:
        # Not every shell that cron may be told to use takes a variable before a command.
        words = ["/usr/bin/env", *(f"{k}={v}" for k, v in job.environment.items()), *words]
    # cron makes a line break of a percent sign, unless a backslash stands before it.
    command = shlex.join(words).replace("%", r"\%")
    # The report is of no use there; what goes wrong is still said, and cron sends it on.
    line = f"{when.minute} {when.hour} * * {'*' if day is None else day} {command} >/dev/null"
    return f"{_CRON_BEGIN}\n{line}\n{_CRON_END}\n"


# -- systemd ---------------------------------------------------------------------------------


def _systemd(job: Job | None, machine: Machine) -> tuple[Step, ...]:
    service, timer = files_of(Scheduler.SYSTEMD, machine)
    writes = (
        (*_gone(service, machine), *_gone(timer, machine))
        if job is None
        else (
            *_written(service, _service(job), machine),
            *_written(timer, _timer(job.when), machine),
        )
    )
    if not writes:
        return ()
    control = (_program("systemctl", machine), "--user")
    if job is None:
        # Without a session of systemd there is nobody to tell, and nothing that runs.
        stop = Run((*control, "disable", "--now", timer.name), may_fail=True)
        return (stop, *writes, Run((*control, "daemon-reload"), may_fail=True))
    return (
        *writes,
        Run((*control, "daemon-reload")),
        Run((*control, "enable", timer.name)),
        Run((*control, "restart", timer.name)),
    )


def _service(job: Job) -> str:
    variables = "".join(
        f"Environment={_systemd_quoted(f'{name}={value}')}\n"
        for name, value in job.environment.items()
    )
    # A dollar sign would be a variable there; in an Environment= line it is not.
    command = " ".join(_systemd_quoted(word).replace("$", "$$") for word in job.command)
    return (
        f"# {_OURS}\n"
        "[Unit]\n"
        "Description=mnemo tidies the memory of your coding agents\n"
        "\n"
        "[Service]\n"
        "Type=oneshot\n"
        "Nice=10\n"
        f"{variables}"
        f"ExecStart={command}\n"
    )


def _timer(when: When) -> str:
    return (
        f"# {_OURS}\n"
        "[Unit]\n"
        f"Description=mnemo dreams {when.in_words}\n"
        "\n"
        "[Timer]\n"
        f"OnCalendar={f'{when.day} '.lstrip()}*-*-* {when.hour:02}:{when.minute:02}:00\n"
        "# A dream that the machine slept through is made up for.\n"
        "Persistent=true\n"
        "\n"
        "[Install]\n"
        "WantedBy=timers.target\n"
    )


def _systemd_quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


# -- launchd ---------------------------------------------------------------------------------


def _launchd(job: Job | None, machine: Machine) -> tuple[Step, ...]:
    (file,) = files_of(Scheduler.LAUNCHD, machine)
    writes = _gone(file, machine) if job is None else _written(file, _property_list(job), machine)
    if not writes:
        return ()
    control, domain = _program("launchctl", machine), f"gui/{machine.user_id}"
    unload = Run((control, "bootout", f"{domain}/{NAME}"), may_fail=True)
    if job is None:
        return (unload, *writes)
    return (*writes, unload, Run((control, "bootstrap", domain, str(file))))


def _property_list(job: Job) -> str:
    when = {"Hour": job.when.hour, "Minute": job.when.minute}
    if job.when.day_from_sunday is not None:
        when["Weekday"] = job.when.day_from_sunday
    values = {
        "Label": NAME,
        "ProgramArguments": list(job.command),
        "EnvironmentVariables": dict(job.environment),
        "StartCalendarInterval": when,
        "ProcessType": "Background",
        "StandardOutPath": "/dev/null",
    }
    if not job.environment:
        del values["EnvironmentVariables"]
    text = plistlib.dumps(values, sort_keys=False).decode("utf-8")
    return text.replace("<plist ", f"<!-- {_OURS} -->\n<plist ", 1)


# -- schtasks --------------------------------------------------------------------------------


def _schtasks(job: Job | None, machine: Machine) -> tuple[Step, ...]:
    if job is None and not machine.has_task:
        return ()
    control = _program("schtasks", machine)
    if job is None:
        return (Run((control, "/Delete", "/F", "/TN", NAME)),)
    command = list2cmdline(job.command)
    if job.environment:
        sets = "".join(f'set "{name}={value}"&& ' for name, value in job.environment.items())
        command = f'cmd /d /s /c "{sets}{command}"'
    when = ("/SC", "DAILY")
    if job.when.day:
        when = ("/SC", "WEEKLY", "/D", job.when.day.upper())
    start = f"{job.when.hour:02}:{job.when.minute:02}"
    # /F writes over a task of that name, so a second run changes nothing.
    return (Run((control, "/Create", "/F", "/TN", NAME, "/TR", command, *when, "/ST", start)),)


# -- what they share -------------------------------------------------------------------------


def _program(name: str, machine: Machine) -> str:
    if name not in machine.programs:
        raise Refused(
            f"there is no {name} on this machine",
            hint="--using names another scheduler: " + ", ".join(Scheduler),
        )
    return machine.programs[name]


def _written(path: Path, text: str, machine: Machine) -> tuple[Step, ...]:
    before = _present(path, machine)
    return () if before == text else (WriteFile(path, text, before),)


def _gone(path: Path, machine: Machine) -> tuple[Step, ...]:
    before = _present(path, machine)
    return () if before is None else (WriteFile(path, None, before),)


def _present(path: Path, machine: Machine) -> str | None:
    text = (machine.files or {}).get(path)
    if text is not None and _OURS not in text:
        raise Refused(
            f"{path} is there and was not written by mnemo", hint="move it away; it was left as is"
        )
    return text
