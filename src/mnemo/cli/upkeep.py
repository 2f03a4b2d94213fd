"""Commands that look after the store: learn, dream, and what they and others did."""

import click

from mnemo.cli.common import AsJson, AsText, DryRun, do, for_a_person


@click.command()
@DryRun
@AsText
@AsJson
def learn(dry_run: bool, as_text: bool, as_json: bool) -> None:
    """Let trust follow the evidence of use."""
    do("learn", as_json=as_json or not for_a_person(as_text), dry_run=dry_run)


@click.command()
@AsJson
def audit(as_json: bool) -> None:
    """Report what is wrong with the store; change nothing."""
    do("audit", as_json=as_json)


@click.command()
@DryRun
@AsText
@AsJson
def dream(dry_run: bool, as_text: bool, as_json: bool) -> None:
    """Tidy the store: back up, merge overlaps, summarise, mend categories."""
    do("dream", as_json=as_json or not for_a_person(as_text), dry_run=dry_run)


@click.command()
@AsJson
def status(as_json: bool) -> None:
    """Show where the store is and how it stands."""
    do("status", as_json=as_json)


COMMANDS = (learn, audit, dream, status)
