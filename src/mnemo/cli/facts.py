"""Commands about facts: remember, find, show, change, retire, rate."""

from collections.abc import Sequence
from typing import Any

import click

from mnemo.cli.common import (
    AsJson,
    Ids,
    InCategory,
    MinTrust,
    OfClass,
    OfProject,
    OnTrack,
    WithArchived,
    Words,
    do,
    one_or_several,
    text_of,
)
from mnemo.enums import Detail, Status, Verdict


@click.command()
@Words
@InCategory
@OfClass
@OfProject
@click.option("--tags", help="Comma separated.")
@click.option("--summary", help="A short form; a long fact is ranked on it.")
@click.option("--source", help="Where it comes from.")
@click.option("--date", help="The day it happened, YYYY-MM-DD.")
@OnTrack
@AsJson
def add(words: Sequence[str], as_json: bool, **options: Any) -> None:
    """Remember a statement. A single - reads it from standard input."""
    do("add", as_json=as_json, content=text_of(words), **options)


@click.command()
@Words
@InCategory
@OfClass
@OfProject
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
    do("search", as_json=as_json, query=text_of(words), **options)


@click.command()
@Ids
@AsJson
def get(fact_ids: Sequence[str], as_json: bool) -> None:
    """Show whole facts."""
    do("get", as_json=as_json, fact_ids=list(fact_ids))


@click.command("list")
@InCategory
@OfClass
@OfProject
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
    do("list", as_json=as_json, **options)


@click.command()
@click.argument("fact_id", metavar="ID")
@click.argument("words", nargs=-1)
@click.option("--summary", help="A short form; a long fact is ranked on it.")
@click.option("--tags", help="Comma separated.")
@InCategory
@OfClass
@OfProject
@click.option("--date", help="The day it happened, YYYY-MM-DD.")
@click.option("--trust-delta", type=float, help="Add to the trust.")
@click.option(
    "--clear", multiple=True, metavar="FIELD", help="Empty: summary, tags, date, project_id."
)
@AsJson
def update(words: Sequence[str], as_json: bool, clear: Sequence[str], **options: Any) -> None:
    """Change a fact. Its text, or only what the options name."""
    content = text_of(words) if words else None
    do("update", as_json=as_json, content=content, clear=",".join(clear) or None, **options)


@click.command()
@Ids
@AsJson
def remove(fact_ids: Sequence[str], as_json: bool) -> None:
    """Take facts out of sight; restore brings them back."""
    do("remove", as_json=as_json, **one_or_several(fact_ids))


@click.command()
@Ids
@AsJson
def restore(fact_ids: Sequence[str], as_json: bool) -> None:
    """Bring back facts that were removed, merged or archived."""
    do("restore", as_json=as_json, **one_or_several(fact_ids))


@click.command()
@Ids
@click.option("--reason", metavar="TEXT", help="Why, to be shown with it.")
@AsJson
def pin(fact_ids: Sequence[str], reason: str, as_json: bool) -> None:
    """Keep facts, and list them first. No dream retires them, no learning lowers them."""
    do("pin", as_json=as_json, reason=reason, **one_or_several(fact_ids))


@click.command()
@Ids
@AsJson
def unpin(fact_ids: Sequence[str], as_json: bool) -> None:
    """Let pinned facts be as any other again."""
    do("unpin", as_json=as_json, **one_or_several(fact_ids))


@click.command()
@click.argument("verdict", type=click.Choice([v.value for v in Verdict]))
@Ids
@click.option("--query", metavar="TEXT", help="The search that returned them.")
@AsJson
def feedback(verdict: str, fact_ids: Sequence[str], query: str | None, as_json: bool) -> None:
    """Say whether recalled facts were of use."""
    do(verdict, as_json=as_json, query=query, **one_or_several(fact_ids))


COMMANDS = (add, search, get, list_, update, remove, restore, pin, unpin, feedback)
