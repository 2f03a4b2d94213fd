"""Commands about who and what the facts name."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from mnemo.cli.common import (
    AsJson,
    InCategory,
    MinTrust,
    OfClass,
    OfProject,
    WithArchived,
    do,
    text_of,
)
from mnemo.enums import Detail

Command = Callable[..., None]

_Name = click.argument("words", nargs=-1, required=True, metavar="NAME")
_NARROWING: tuple[Callable[[Command], Command], ...] = (
    InCategory,
    OfClass,
    OfProject,
    MinTrust,
    click.option("--limit", type=int, help="At most so many facts (default 10)."),
    click.option(
        "--detail", type=click.Choice([d.value for d in Detail]), help="How much of each fact."
    ),
    WithArchived,
    AsJson,
)


def _narrowed(command: Command) -> Command:
    """The command with the options that narrow a recall."""
    for option in reversed(_NARROWING):
        command = option(command)
    return command


@click.command()
@_Name
@_narrowed
def probe(words: Sequence[str], as_json: bool, **options: Any) -> None:
    """Show the facts that name a person or thing."""
    do("probe", as_json=as_json, entity=text_of(words), **options)


@click.command()
@_Name
@_narrowed
def related(words: Sequence[str], as_json: bool, **options: Any) -> None:
    """Show facts that are near a name. They share other names with those that name it."""
    do("related", as_json=as_json, entity=text_of(words), **options)


@click.command()
@click.argument("entities", nargs=-1, required=True, metavar="NAME...")
@_narrowed
def reason(entities: Sequence[str], as_json: bool, **options: Any) -> None:
    """Show facts with all of several names, or with most."""
    do("reason", as_json=as_json, entities=list(entities), **options)


COMMANDS = (probe, related, reason)
