"""Commands that no tool has: serving, setting up, and what touches the store as a file."""

import click

from mnemo.cli.common import AsJson, DryRun, Yes, ask, echo_json, opened_memory, show
from mnemo.cli.init import init


@click.command()
def serve() -> None:
    """Serve agents over MCP on standard input and output."""
    from mnemo.server import main as serve_main  # the SDK takes most of a second to import

    serve_main()


@click.command("rebuild-index")
def rebuild_index() -> None:
    """Make the search index anew from the facts."""
    with opened_memory() as memory:
        click.echo(f"indexed {memory.rebuild_index()} facts")


@click.command()
@AsJson
def backup(as_json: bool) -> None:
    """Copy the whole memory now. The copy is verified; prints where it is."""
    with opened_memory() as memory:
        reply = memory.backup()
    if as_json:
        echo_json(reply.as_json())
    else:
        click.echo(reply.backup)


@click.command()
@AsJson
def backups(as_json: bool) -> None:
    """List the backups, newest first."""
    with opened_memory() as memory:
        reply = memory.backups().as_json()
    show(reply, "backups", as_json=as_json)


@click.command("restore-backup")
@click.argument("name", metavar="FILE|NAME")
@DryRun
@Yes
@AsJson
def restore_backup(name: str, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Let the memory be what a backup holds. What it was is backed up before."""
    with opened_memory() as memory:
        reply = memory.restore_backup(name, dry_run=True).as_json()
        if not dry_run:
            if not yes:
                from mnemo.cli.render import restoring_lines  # only where a person reads

                ask("\n".join(restoring_lines(reply)))
            reply = memory.restore_backup(name).as_json()
    show(reply, "restore-backup", as_json=as_json)


COMMANDS = (serve, rebuild_index, backup, backups, restore_backup, init)
