"""``mnemo init``: what is set up once, outside of mnemo, shown before it is written."""

import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemo.cli.common import DryRun, Yes, ask
from mnemo.enums import Scheduler
from mnemo.errors import InvalidInput, Refused

if TYPE_CHECKING:
    from mnemo.schedule.plan import Machine, Step
    from mnemo.settings import Settings

_BY_HAND = """\
To give the memory to a client, tell the client this command:

  {command}

Claude Code:  claude mcp add --scope user mnemo -- {command}
most others, in their own file:

  {entry}

To have it dream by the clock:  mnemo init --schedule daily@03:00"""


@click.command()
@click.option("--schedule", metavar="WHEN", help="Dream daily@03:00 or weekly@sun,03:00.")
@click.option(
    "--using",
    type=click.Choice([s.value for s in Scheduler]),
    help="The scheduler, where not the usual.",
)
@click.option("--remove", is_flag=True, help="Take the schedule away.")
@DryRun
@Yes
def init(schedule: str | None, using: str | None, remove: bool, dry_run: bool, yes: bool) -> None:
    """Set up clients, and a dream by the clock.

    Without options, shows how to give the memory to a client. With --schedule, the system's own
    scheduler runs a dream; shows what it would write, and asks before it does.
    """
    if schedule and remove:
        raise click.UsageError("--schedule and --remove exclude each other")
    if not schedule and not remove:
        if using:
            raise click.UsageError("--using belongs to --schedule or --remove")
        _tell_how_to_register()
        return
    # Imported here: no other command needs what starts other programs.
    from mnemo.schedule.apply import carry_out, look_around
    from mnemo.schedule.plan import shown
    from mnemo.settings import Settings

    settings = Settings.load()
    machine = look_around(os.environ, home=_home())
    steps, result = (
        _removal(using, machine)
        if schedule is None
        else _installation(schedule, using, machine, settings)
    )
    if not steps:
        if schedule is None and using is None:
            _refuse_unseen(machine)
        click.echo(f"nothing to do: {result}")
        return
    click.echo("\n".join(map(shown, steps)))
    if dry_run:
        return
    if not yes:
        ask("these steps wait for a yes")
    carry_out(steps, keep_in=settings.home)
    click.echo(f"done: {result}")
    if using is None:
        _refuse_unseen(machine)


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError as error:
        raise InvalidInput("no home folder is known", hint="set HOME") from error


def _installation(
    schedule: str, using: str | None, machine: "Machine", settings: "Settings"
) -> tuple[tuple["Step", ...], str]:
    from mnemo.schedule.apply import carried_over, is_passing, own_command
    from mnemo.schedule.plan import Job, plan_all
    from mnemo.schedule.when import parse_when

    when = parse_when(schedule)
    command = own_command("dream", "--scheduled")
    variables = carried_over(os.environ, home=settings.home, database=settings.database)
    chosen = Scheduler(using) if using else _usual(machine)
    steps = plan_all(chosen, Job(when, command, variables), machine)
    if not settings.database.exists():
        _note(f"there is no memory at {settings.database} yet; until there is, no dream can run")
    if is_passing(command):
        _note(f"{command[0]} is a copy that may be thrown away; install mnemo, then run this again")
    if chosen != Scheduler.CRON and machine.crontab_trouble:
        _note(f"the crontab could not be looked at: {machine.crontab_trouble}")
    if chosen == Scheduler.SYSTEMD:
        _note("systemd runs it while you are logged in; loginctl enable-linger makes that always")
    return steps, f"{chosen} runs a dream {when.in_words}"


def _removal(using: str | None, machine: "Machine") -> tuple[tuple["Step", ...], str]:
    from mnemo.schedule.plan import plan, plan_removal

    steps = plan(Scheduler(using), None, machine) if using else plan_removal(machine)
    return steps, f"{using or 'no scheduler'} runs {'no' if using else 'a'} dream of mnemo's"


def _refuse_unseen(machine: "Machine") -> None:
    """Raise Refused where a dream of ours may stand that nobody could see: where the crontab
    cannot be read, nothing was taken out of it.
    """
    if machine.crontab_trouble:
        raise Refused(
            f"the crontab could not be looked at: {machine.crontab_trouble}",
            hint="what it holds was left as it is; crontab -l shows it to whom it belongs",
        )


def _usual(machine: "Machine") -> "Scheduler":
    from mnemo.schedule.apply import schedulers

    found = schedulers(sys.platform, os.environ, machine)
    if not found:
        raise Refused(
            "no scheduler was found on this machine: neither a systemd session nor crontab",
            hint="let whatever there is run: mnemo dream --scheduled",
        )
    return found[0]


def _tell_how_to_register() -> None:
    from mnemo.schedule.apply import own_command

    program, *words = own_command("serve")
    entry = {"mcpServers": {"mnemo": {"command": program, "args": words}}}
    click.echo(
        _BY_HAND.format(
            command=shlex.join([program, *words]), entry=json.dumps(entry, ensure_ascii=False)
        )
    )


def _note(text: str) -> None:
    click.echo(f"note: {text}", err=True)
