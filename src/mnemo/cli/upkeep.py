"""Commands that look after the store and say how it stands: learn, dream, audit, compare."""

from collections.abc import Sequence
from typing import Any

import click

from mnemo.cli.common import (
    AsJson,
    AsText,
    DryRun,
    do,
    echo_json,
    existing_memory,
    for_a_person,
    opened_memory,
)
from mnemo.enums import Actor
from mnemo.errors import InvalidInput, Refused


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
    """Report what is wrong with the store. Says what mends it; changes nothing."""
    if as_json:
        do("audit", as_json=True)
        return
    from mnemo.cli.findings import lines, shown_ids  # only where a person reads

    with opened_memory() as memory:
        reply = memory.audit()
        ids = shown_ids(reply)
        facts = memory.get(*ids).facts if ids else ()
    for line in lines(reply, {fact.fact_id: fact for fact in facts}):
        click.echo(line)


@click.command()
@DryRun
@click.option("--plan", metavar="ID", help="Carry out this plan, which a dry run showed.")
@click.option(
    "--except", "except_", multiple=True, metavar="STEPS", help="But for these steps, as 2,5."
)
@click.option("--review", is_flag=True, help="Decide step by step, then carry it out.")
@click.option("--no-resume", is_flag=True, help="Begin anew where a dream was cut short.")
@click.option(
    "--scheduled",
    is_flag=True,
    help="As a clock runs it: repeat nothing that was undone, retire a tenth at most.",
)
@AsText
@AsJson
def dream(
    dry_run: bool,
    plan: str | None,
    except_: Sequence[str],
    review: bool,
    no_resume: bool,
    scheduled: bool,
    as_text: bool,
    as_json: bool,
) -> None:
    """Tidy the store. Backs up, merges overlaps, summarises, mends categories."""
    if scheduled and (plan or except_ or review or no_resume):
        raise click.UsageError("--scheduled goes with --dry-run alone")
    if review:
        from mnemo.cli.review import review_dream  # only where a person reads

        review_dream()
        return
    as_json = as_json or not for_a_person(as_text)
    if scheduled:
        _dream_by_the_clock(as_json=as_json, dry_run=dry_run)
        return
    do(
        "dream",
        as_json=as_json,
        meanwhile="comparing the facts …",
        dry_run=dry_run,
        plan=plan,
        except_=",".join(except_),
        resume="false" if no_resume else None,
    )


def _dream_by_the_clock(*, as_json: bool, dry_run: bool) -> None:
    """A dream that nobody asked for, on a memory that is there. That another one is running is no
    failure: what the clock wanted happens.
    """
    database = existing_memory()
    try:
        do("dream", as_json=as_json, for_actor=Actor.SYSTEM, dry_run=dry_run)
    except Refused as refusal:
        click.echo(f"skipped: {refusal.message}", err=True)
        if as_json:
            echo_json({"skipped": refusal.message, "db_path": str(database)})


@click.command()
@click.argument("pair", nargs=-1, required=True, metavar="A B")
@AsJson
def compare(pair: Sequence[str], as_json: bool) -> None:
    """Show whether a dream would make one of two facts. Takes two ids, or two texts in quotes."""
    if len(pair) != 2:
        raise InvalidInput(
            f"compare takes two, not {len(pair)}",
            hint='give two ids, or two texts, each in quotes: mnemo compare "tea" "green tea"',
        )
    are_ids = [item.isdecimal() for item in pair]
    if any(are_ids) and not all(are_ids):
        raise InvalidInput("a text and an id cannot be compared", hint="give two ids or two texts")
    if as_json:
        given: dict[str, Any] = {"fact_ids" if all(are_ids) else "contents": list(pair)}
        do("compare", as_json=True, **given)
        return
    from mnemo.cli.comparing import show_comparison  # only where a person reads

    with opened_memory() as memory:
        if all(are_ids):
            left, right = map(int, pair)
            reply = memory.compare(left, right)
            texts = [memory.get(fact_id).facts[0].content for fact_id in (left, right)]
        else:
            left, right = texts = list(pair)
            reply = memory.compare(left, right)
    show_comparison(reply.as_json(), texts)


@click.command()
@AsJson
def status(as_json: bool) -> None:
    """Show where the store is and how it stands."""
    do("status", as_json=as_json)


COMMANDS = (learn, audit, dream, compare, status)
