"""What the commands share: their options, the tool's call, and how its answer is printed."""

import json
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mnemo.enums import Actor, Category, MemoryClass, Track, Verdict
from mnemo.errors import Refused

if TYPE_CHECKING:
    from mnemo.memory import Memory

AsJson = click.option("--json", "as_json", is_flag=True, help="Print the reply as JSON.")
InCategory = click.option("--category", metavar="NAME", help=", ".join(Category))
OfClass = click.option("--memory-class", metavar="NAME", help=", ".join(MemoryClass))
OfProject = click.option("--project-id", metavar="NAME", help="The project it belongs to.")
OnTrack = click.option(
    "--track", type=click.Choice([t.value for t in Track]), help="Whose words they are."
)
MinTrust = click.option("--min-trust", type=float, help="Only facts with at least this trust.")
WithArchived = click.option("--include-archived", is_flag=True, help="Archived facts too.")
DryRun = click.option("--dry-run", is_flag=True, help="Show what would change; change nothing.")
AsText = click.option("--text", "as_text", is_flag=True, help="Print for a person, also in a pipe.")
Yes = click.option("--yes", is_flag=True, help="Do it without asking.")
Words = click.argument("words", nargs=-1, required=True)
Ids = click.argument("fact_ids", nargs=-1, required=True, metavar="ID...")


@contextmanager
def opened_memory(actor: Actor = Actor.USER) -> Generator["Memory"]:
    """The memory of this command, closed at its end."""
    # Imported here: a server that starts waits for none of it.
    from mnemo.memory import Memory

    memory = Memory(actor=actor)
    try:
        yield memory
    finally:
        memory.close()


def do(
    action: str,
    *,
    as_json: bool,
    for_actor: Actor = Actor.USER,
    meanwhile: str = "",
    **arguments: Any,
) -> None:
    """Make the tool's call and print its answer; ``meanwhile`` is shown to whoever waits."""
    from mnemo.actions import call
    from mnemo.tools import FEEDBACK, STORE

    tool = FEEDBACK if action in tuple(Verdict) else STORE
    if action in _NOTHING_WITHOUT_A_MEMORY:
        existing_memory()
    with opened_memory(for_actor) as memory, _waiting(meanwhile):
        answer = call(memory, tool, {"action": action} | _given(arguments), typed=True)
    show(answer, action, as_json=as_json)
    if answer.get("missing") or any("error" in result for result in answer.get("results", ())):
        sys.exit(1)


# They tell or take back what is there; a mistyped MNEMO_HOME should not become a new memory.
_NOTHING_WITHOUT_A_MEMORY = ("get", "undo", "redo", "events", "history")


def existing_memory() -> Path:
    """Where the memory is. Raises NotFound where there is none."""
    from mnemo.backups import refuse_missing  # as everything that opens a memory
    from mnemo.settings import Settings

    database = Settings.load().database
    refuse_missing(database)
    return database


@contextmanager
def _waiting(text: str) -> Generator[None]:
    """Say to a person at the terminal what is waited for, on a line that goes away again."""
    if not (text and sys.stderr.isatty()):
        yield
        return
    click.echo(text, nl=False, err=True)
    try:
        yield
    finally:
        click.echo("\r\x1b[K", nl=False, err=True)


def show(answer: dict[str, Any], action: str, *, as_json: bool) -> None:
    """Print the answer of that action, as JSON or for a person."""
    if as_json:
        echo_json(answer)
        return
    from mnemo.cli.render import renderer  # only where a person reads

    renderer(action)(answer)


def echo_json(answer: dict[str, Any]) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(answer, ensure_ascii=False, indent=2))


def _given(arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in arguments.items()
        if value is not None and value is not False and value != ""
    }


def text_of(words: Sequence[str]) -> str:
    """The words as one text; a single - stands for what standard input holds."""
    return sys.stdin.read() if list(words) == ["-"] else " ".join(words)


def one_or_several(fact_ids: Sequence[str]) -> dict[str, Any]:
    """The ids as the tool takes them."""
    return {"fact_id": fact_ids[0]} if len(fact_ids) == 1 else {"fact_ids": list(fact_ids)}


def for_a_person(as_text: bool) -> bool:
    """Whether a report is read by a person rather than by a program."""
    return as_text or sys.stdout.isatty()


def ask(question: str) -> None:
    """Go on if the person at the terminal says yes.

    Raises Refused where nobody can be asked, and where the answer is no.
    """
    if not sys.stdin.isatty():
        raise Refused(question, hint="nothing was changed; --yes does it without asking")
    click.echo(question, err=True)
    if not click.confirm("Go on?", err=True):
        raise Refused("it was not to be done", hint="nothing was changed")
