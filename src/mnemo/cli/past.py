"""Commands about what was done: take it back, bring it back, show it, erase it."""

import json
from collections.abc import Sequence
from typing import Any

import click

from mnemo.cli.common import AsJson, DryRun, Ids, Yes, ask, do, echo_json, opened_memory
from mnemo.errors import no_id
from mnemo.text.normal import cut

Partial = click.option("--partial", is_flag=True, help="Leave out facts that changed since.")


@click.command()
@click.argument("op", required=False, default="", metavar="[OP]")
@DryRun
@Partial
@AsJson
def undo(op: str, as_json: bool, **options: Any) -> None:
    """Take back the newest operation, or one such as op-7."""
    do("undo", as_json=as_json, op=op, **options)


@click.command()
@DryRun
@Partial
@AsJson
def redo(as_json: bool, **options: Any) -> None:
    """Bring back what the newest undo took back."""
    do("redo", as_json=as_json, **options)


@click.command()
@click.option("--type", metavar="NAME", help="Only this kind, such as MERGE.")
@click.option("--since-days", metavar="DAYS", help="Of the last so many days.")
@click.option("--entry", metavar="ID", help="Only about this fact.")
@click.option("--actor", metavar="NAME", help="Only by agent, user or system.")
@click.option("--limit", type=int, help="At most so many (default 50).")
@click.option("--aggregate", is_flag=True, help="Count them.")
@click.option("--group-by", metavar="WHAT", help="Count them by action, day or entry.")
@AsJson
def events(as_json: bool, **options: Any) -> None:
    """Show what was done, newest first."""
    do("events", as_json=as_json, **options)


@click.command()
@click.argument("fact_id", metavar="ID")
@AsJson
def history(fact_id: str, as_json: bool) -> None:
    """Tell the story of a fact."""
    do("history", as_json=as_json, fact_id=fact_id)


@click.command()
@Ids
@DryRun
@Yes
@AsJson
def purge(fact_ids: Sequence[str], dry_run: bool, yes: bool, as_json: bool) -> None:
    """Erase facts for good. Nothing is kept of them but in a backup that is made before."""
    asked = [_number(fact_id) for fact_id in fact_ids]
    with opened_memory() as memory:
        reply = memory.purge(*asked, dry_run=True)
        if not dry_run:
            if not yes:
                facts = memory.get(*asked).facts
                told = "; ".join(f"fact {f.fact_id} ({cut(f.content, 60)})" for f in facts[:20])
                more = f" and {len(facts) - 20} more" if len(facts) > 20 else ""
                ask(f"This would erase for good: {told}{more}")
            reply = memory.purge(*asked)
    if as_json:
        echo_json(reply.as_json())
        return
    said = "would be erased" if dry_run else "erased for good"
    click.echo(f"fact {', '.join(map(str, reply.purged))} {said}")
    if reply.backup:
        click.echo(f"backup: {reply.backup}")
    for note in reply.notes:
        click.echo(f"  {note}")


def _number(fact_id: str) -> int:
    try:
        return int(fact_id)
    except ValueError:
        raise no_id(json.dumps(fact_id[:40], ensure_ascii=False)) from None


COMMANDS = (undo, redo, events, history, purge)
