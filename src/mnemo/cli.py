"""The command line: one action a command, the same words as the tool.

A command gathers its arguments, makes the tool's call and prints the answer: as one JSON document
with ``--json``, else for a person. Every failure is one line on stderr and an exit code that is
not zero. Nothing here imports the MCP SDK, except when it is told to serve.
"""

import json
import os
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from mnemo import __version__
from mnemo.enums import Category, Detail, Status, Verdict
from mnemo.errors import MnemoError

if TYPE_CHECKING:
    from mnemo.memory import Memory

AsJson = click.option("--json", "as_json", is_flag=True, help="Print the reply as JSON.")
InCategory = click.option("--category", metavar="NAME", help=", ".join(Category))
MinTrust = click.option("--min-trust", type=float, help="Only facts with at least this trust.")
WithArchived = click.option("--include-archived", is_flag=True, help="Archived facts too.")
DryRun = click.option("--dry-run", is_flag=True, help="Show what would change; change nothing.")
AsText = click.option("--text", "as_text", is_flag=True, help="Print for a person, also in a pipe.")
Words = click.argument("words", nargs=-1, required=True)
Ids = click.argument("fact_ids", nargs=-1, required=True, metavar="ID...")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mnemo")
def cli() -> None:
    """The memory of your coding agents: short facts in one file on this machine."""


@cli.command()
def serve() -> None:
    """Serve agents over MCP on standard input and output."""
    from mnemo.server import main as serve_main  # the SDK takes most of a second to import

    serve_main()


@cli.command()
@Words
@InCategory
@click.option("--tags", help="Comma separated.")
@click.option("--summary", help="A short form; a long fact is ranked on it.")
@click.option("--source", help="Where it comes from.")
@click.option("--date", help="The day it happened, YYYY-MM-DD.")
@AsJson
def add(words: Sequence[str], as_json: bool, **options: Any) -> None:
    """Remember a statement. A single - reads it from standard input."""
    _do("add", as_json=as_json, content=_text(words), **options)


@cli.command()
@Words
@InCategory
@MinTrust
@click.option("--limit", type=int, help="At most so many hits (default 10).")
@click.option(
    "--detail", type=click.Choice([d.value for d in Detail]), help="How much of each hit."
)
@click.option("--explain", is_flag=True, help="Show the parts of each score.")
@WithArchived
@AsJson
def search(words: Sequence[str], as_json: bool, **options: Any) -> None:
    """Find the facts that answer a question."""
    _do("search", as_json=as_json, query=_text(words), **options)


@cli.command()
@Ids
@AsJson
def get(fact_ids: Sequence[str], as_json: bool) -> None:
    """Show whole facts."""
    _do("get", as_json=as_json, fact_ids=list(fact_ids))


@cli.command("list")
@InCategory
@MinTrust
@click.option("--limit", type=int, help="At most so many (default 50).")
@click.option("--offset", type=int, help="Skip so many.")
@click.option("--status", type=click.Choice([s.value for s in Status]), help="Default: active.")
@WithArchived
@click.option("--q", metavar="TEXT", help="Only facts with this text in them.")
@click.option("--pinned", is_flag=True, help="Only pinned facts.")
@AsJson
def list_(as_json: bool, **options: Any) -> None:
    """List facts: pinned first, then the most trusted."""
    _do("list", as_json=as_json, **options)


@cli.command()
@click.argument("fact_id", metavar="ID")
@click.argument("words", nargs=-1)
@click.option("--summary", help="A short form; a long fact is ranked on it.")
@click.option("--tags", help="Comma separated.")
@InCategory
@click.option("--date", help="The day it happened, YYYY-MM-DD.")
@click.option("--trust-delta", type=float, help="Add to the trust.")
@click.option("--clear", multiple=True, metavar="FIELD", help="Empty: summary, tags, date.")
@AsJson
def update(words: Sequence[str], as_json: bool, clear: Sequence[str], **options: Any) -> None:
    """Change a fact: its text, or only what the options name."""
    content = _text(words) if words else None
    _do("update", as_json=as_json, content=content, clear=",".join(clear) or None, **options)


@cli.command()
@Ids
@AsJson
def remove(fact_ids: Sequence[str], as_json: bool) -> None:
    """Take facts out of sight; restore brings them back."""
    _do("remove", as_json=as_json, **_one_or_several(fact_ids))


@cli.command()
@Ids
@AsJson
def restore(fact_ids: Sequence[str], as_json: bool) -> None:
    """Bring back facts that were removed, merged or archived."""
    _do("restore", as_json=as_json, **_one_or_several(fact_ids))


@cli.command()
@click.argument("verdict", type=click.Choice([v.value for v in Verdict]))
@Ids
@AsJson
def feedback(verdict: str, fact_ids: Sequence[str], as_json: bool) -> None:
    """Say whether recalled facts were of use."""
    _do(verdict, as_json=as_json, **_one_or_several(fact_ids))


@cli.command()
@DryRun
@AsText
@AsJson
def learn(dry_run: bool, as_text: bool, as_json: bool) -> None:
    """Let trust follow the evidence of use."""
    _do("learn", as_json=as_json or not _for_a_person(as_text), dry_run=dry_run)


@cli.command()
@AsJson
def audit(as_json: bool) -> None:
    """Report what is wrong with the store; change nothing."""
    _do("audit", as_json=as_json)


@cli.command()
@DryRun
@AsText
@AsJson
def dream(dry_run: bool, as_text: bool, as_json: bool) -> None:
    """Tidy the store: back up, merge overlaps, summarise, mend categories."""
    _do("dream", as_json=as_json or not _for_a_person(as_text), dry_run=dry_run)


@cli.command()
@AsJson
def status(as_json: bool) -> None:
    """Show where the store is and how it stands."""
    _do("status", as_json=as_json)


@cli.command("rebuild-index")
def rebuild_index() -> None:
    """Make the search index anew from the facts."""
    with _memory() as memory:
        click.echo(f"indexed {memory.rebuild_index()} facts")


@contextmanager
def _memory() -> Generator["Memory"]:
    # Imported here: a server that starts waits for none of it.
    from mnemo.memory import Memory

    memory = Memory()
    try:
        yield memory
    finally:
        memory.close()


def _do(action: str, *, as_json: bool, **arguments: Any) -> None:
    """Make the tool's call and print its answer."""
    from mnemo.actions import call
    from mnemo.tools import FEEDBACK, STORE

    tool = FEEDBACK if action in tuple(Verdict) else STORE
    with _memory() as memory:
        answer = call(memory, tool, {"action": action} | _given(arguments), typed=True)
    _printer(action, as_json=as_json)(answer)
    if any("error" in result for result in answer.get("results", ())):
        sys.exit(1)


def _printer(action: str, *, as_json: bool) -> Callable[[dict[str, Any]], None]:
    if as_json:
        return _print_json
    from mnemo.render import renderer  # only where a person reads

    return renderer(action)


def _print_json(answer: dict[str, Any]) -> None:
    click.echo(json.dumps(answer, ensure_ascii=False, indent=2))


def _given(arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in arguments.items()
        if value is not None and value is not False and value != ""
    }


def _text(words: Sequence[str]) -> str:
    return sys.stdin.read() if list(words) == ["-"] else " ".join(words)


def _one_or_several(fact_ids: Sequence[str]) -> dict[str, Any]:
    return {"fact_id": fact_ids[0]} if len(fact_ids) == 1 else {"fact_ids": list(fact_ids)}


def _for_a_person(as_text: bool) -> bool:
    return as_text or sys.stdout.isatty()


def main() -> None:
    """Run the command line; every failure is one line on stderr."""
    for name in ("stdout", "stderr"):
        # Where a stream is closed, what is said is not heard; a terminal that cannot show a
        # character gets an escape. Neither is a crash.
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        getattr(sys, name).reconfigure(errors="backslashreplace")
    code: object = 0
    try:
        code = cli(standalone_mode=False)
    except MnemoError as error:
        sys.exit(_failed(error.message, error.hint, error.exit_code))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
    except click.ClickException as error:
        sys.exit(_failed(error.format_message(), "mnemo --help", error.exit_code))
    except click.Abort:
        sys.exit(_failed("interrupted", "", 130))
    except BrokenPipeError:
        # Whoever read has gone; what is still unsaid has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(141)
    except (OSError, UnicodeError) as error:
        sys.exit(_failed(f"{type(error).__name__}: {error}", "", 1))
    sys.exit(code if isinstance(code, int) else 0)


def _failed(message: str, hint: str, code: int) -> int:
    line = f"error: {message}" + (f" ({hint})" if hint else "")
    click.echo(" ".join(line.split()), err=True)
    return code
