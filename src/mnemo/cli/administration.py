"""Commands that no tool has: serving, and what touches the store as a file."""

import click

from mnemo.cli.common import opened_memory


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


COMMANDS = (serve, rebuild_index)
