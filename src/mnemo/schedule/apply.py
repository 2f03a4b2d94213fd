"""The machine's side of a schedule: what is there now, and steps carried out one after the other.

A step that finds something else than was planned for stops there. A file that is written over
leaves a copy of what it held beside it, a crontab in mnemo's folder.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from mnemo.enums import Scheduler
from mnemo.errors import MnemoError, Refused, StoreUnavailable
from mnemo.schedule.plan import (
    NAME,
    Machine,
    Run,
    Step,
    WriteCrontab,
    WriteFile,
    files_of,
)

_PROGRAMS = ("crontab", "systemctl", "launchctl", "schtasks")
_PASSING = re.compile(r"[\\/](?:uv[\\/](?:cache[\\/])?\w+-v\d+|pipx[\\/]\.?cache)[\\/]")
_CARRIED_OVER = ("MNEMO_HOME", "MNEMO_DB_PATH")


def look_around(environment: Mapping[str, str], *, home: Path) -> Machine:
    """What is on this machine now, for every scheduler that it has."""
    found = {name: shutil.which(name, path=environment.get("PATH")) for name in _PROGRAMS}
    machine = Machine(
        home=home,
        programs={name: path for name, path in found.items() if path},
        config_home=Path(environment.get("XDG_CONFIG_HOME") or home / ".config"),
        user_id=os.getuid() if hasattr(os, "getuid") else 0,
    )
    crontab, trouble = "", ""
    if "crontab" in machine.programs:
        try:
            crontab = _crontab(machine.programs["crontab"])
        except Refused as refusal:
            trouble = refusal.message
    files = [file for scheduler in Scheduler for file in files_of(scheduler, machine)]
    return replace(
        machine,
        files={file: text for file in files if (text := _text_of(file)) is not None},
        crontab=crontab,
        crontab_trouble=trouble,
        has_task="schtasks" in machine.programs and _has_task(machine.programs["schtasks"]),
    )


def schedulers(platform: str, environment: Mapping[str, str], machine: Machine) -> list[Scheduler]:
    """The schedulers that this machine can use, the best first."""
    if platform == "win32":
        return [Scheduler.SCHTASKS]
    found: list[Scheduler] = []
    runtime = environment.get("XDG_RUNTIME_DIR")
    if "systemctl" in machine.programs and runtime and (Path(runtime) / "systemd").is_dir():
        found.append(Scheduler.SYSTEMD)
    if platform == "darwin" and "launchctl" in machine.programs:
        found.append(Scheduler.LAUNCHD)
    if "crontab" in machine.programs and not machine.crontab_trouble:
        found.append(Scheduler.CRON)
    return found


def own_command(*words: str) -> tuple[str, ...]:
    """The command that runs this mnemo again, also from elsewhere and without a PATH."""
    # The path as it was used, not where its links lead: that is what an update renews.
    python = Path(os.path.abspath(sys.executable))  # noqa: PTH100
    script = python.with_name("mnemo.exe" if os.name == "nt" else "mnemo")
    if script.is_file():
        return (str(script), *words)
    # -P: a file that happens to lie in the folder where it starts is not taken for ours.
    return (str(python), "-P", "-m", "mnemo", *words)


def is_passing(command: tuple[str, ...]) -> bool:
    """Whether the command lies where tools keep what they run once and then throw away."""
    return bool(_PASSING.search(command[0]))


def carried_over(environment: Mapping[str, str], *, home: Path, database: Path) -> dict[str, str]:
    """The variables that name this memory, where they are set, with absolute paths."""
    paths = dict(zip(_CARRIED_OVER, (home, database), strict=True))
    return {name: str(path) for name, path in paths.items() if environment.get(name)}


# -- carrying out ----------------------------------------------------------------------------


def carry_out(steps: tuple[Step, ...], *, keep_in: Path) -> None:
    """Do the steps, in order. ``keep_in`` is where a crontab that is replaced is kept.

    Raises Refused where something is no longer as planned, StoreUnavailable where a step fails;
    the files that were written before it are as they were then, so that the next run begins anew.
    """
    written: list[WriteFile] = []
    try:
        for step in steps:
            match step:
                case WriteFile():
                    _write_file(step)
                    written.append(step)
                case WriteCrontab():
                    _write_crontab(step, keep_in)
                case Run():
                    _run(step)
                case _:
                    assert_never(step)
    except MnemoError:
        for step in reversed(written):
            _write_file(WriteFile(step.path, text=step.before, before=step.text))
        raise


def _write_file(step: WriteFile) -> None:
    if _text_of(step.path) != step.before:
        raise Refused(f"{step.path} has just been changed", hint="look at it, then try again")
    try:
        if step.text is None:
            step.path.unlink()
        else:
            if step.before is not None:  # somebody may have changed what we wrote
                _write_at_once(step.path.with_name(step.path.name + ".bak"), step.before)
            step.path.parent.mkdir(parents=True, exist_ok=True)
            _write_at_once(step.path, step.text)
    except OSError as error:
        raise StoreUnavailable(
            f"{step.path} could not be written: {error.strerror or error}",
            hint="check the permissions of its folder",
        ) from error


def _write_crontab(step: WriteCrontab, keep_in: Path) -> None:
    if _crontab(step.program) != step.before:
        raise Refused("the crontab has just been changed", hint="look at it, then try again")
    if step.before:
        try:
            keep_in.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write_at_once(keep_in / "crontab.bak", step.before)
        except OSError as error:
            raise StoreUnavailable(
                f"the crontab could not be kept in {keep_in}: {error.strerror or error}",
                hint="nothing was changed; check the permissions of that folder",
            ) from error
    _call((step.program, "-"), text=step.text)


def _run(step: Run) -> None:
    try:
        _call(step.words)
    except StoreUnavailable:
        if not step.may_fail:
            raise


def _write_at_once(path: Path, text: str) -> None:
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.touch(mode=0o600)
    fresh.write_bytes(text.encode("utf-8", "surrogateescape"))
    fresh.replace(path)


# -- looking ---------------------------------------------------------------------------------


def _text_of(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Refused(
            f"{path} cannot be read: {error.strerror or error}", hint="check its permissions"
        ) from error


def _crontab(program: str) -> str:
    """The person's crontab. That there is none is no failure; anything else must not be taken for
    an empty one, which would then be written over it.
    """
    listed = _ask((program, "-l"))
    if listed.returncode == 0:
        return listed.stdout.decode("utf-8", "surrogateescape")
    complaint = listed.stderr.decode("utf-8", "replace")
    if any(words in complaint.lower() for words in ("no crontab", "no such file")):
        return ""
    raise Refused(" ".join(complaint.split()) or f"crontab -l failed ({listed.returncode})")


def _has_task(program: str) -> bool:
    return _ask((program, "/Query", "/TN", NAME)).returncode == 0


def _ask(words: tuple[str, ...]) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={**os.environ, "LC_ALL": "C"},  # its complaints are read
            check=False,
        )
    except OSError as error:
        raise Refused(
            f"{words[0]} cannot be run: {error.strerror or error}", hint="nothing was changed"
        ) from error


def _call(words: tuple[str, ...], *, text: str = "") -> None:
    try:
        called = subprocess.run(
            words,
            input=text.encode("utf-8", "surrogateescape"),
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise StoreUnavailable(f"{words[0]} cannot be run: {error.strerror or error}") from error
    if called.returncode != 0:
        complaint = " ".join((called.stderr or called.stdout).decode("utf-8", "replace").split())
        raise StoreUnavailable(
            f"{' '.join(words)} failed ({called.returncode}): {complaint[:300]}",
            hint="the files are as they were; --using names another scheduler",
        )
