"""The report of a dream for a person: what was done, what was left alone, what to do about it."""

from collections.abc import Iterator
from typing import Any

from click import echo

from mnemo.text.shown import one_line

_SHOWN = 20  # pairs that were kept apart; one template may make a thousand

Answer = dict[str, Any]


def show_dream(answer: Answer) -> None:
    """Print the report of a dream or of a dry run."""
    for line in (*_done(answer), *_left_alone(answer), *_store(answer), *_next(answer)):
        echo(line)


def _done(answer: Answer) -> Iterator[str]:
    if answer["dry_run"]:
        yield "what would change:"
    else:
        resumed = f", going on with {answer['resumed']}" if answer.get("resumed") else ""
        yield f"dreamed{resumed}:"
    for move in answer["reclassified_details"]:
        yield (
            f"{_number(move)}fact {move['id']} from {move['from']} to {move['to']} "
            f"({one_line(move['keyword'])})"
        )
    for pair in answer["merge_pairs"]:
        yield (
            f"{_number(pair)}fact {pair['removed']} into fact {pair['kept']} "
            f"({pair['similarity']:.2f} alike)"
        )
    for short in answer.get("compressed_details", ()):
        yield f"{_number(short)}fact {short['id']} in short: {one_line(short['summary'])}"
    yield (
        f"  {answer['deleted']} merged away, {answer['compressed']} summarised, "
        f"{answer['reclassified']} moved"
    )


def _number(step: Answer) -> str:
    return f"  {step['step']:>3}. " if step.get("step") else "  "


def _left_alone(answer: Answer) -> Iterator[str]:
    for step in answer.get("stale", ()):
        facts = ", ".join(map(str, step["facts"]))
        yield f"  step {step['step']} not done: fact {facts} changed since the plan was made"
    for said in answer.get("left_undone", ()):
        yield f"  not done again, since it was taken back: {said}"
    conflicts = answer["skipped_conflicts"]
    for pair in conflicts[:_SHOWN]:
        contrast = pair["contrasts"][0]
        yield (
            f"  kept apart: facts {pair['a']} and {pair['b']} "
            f"({contrast['kind']}: {one_line(contrast['left'])} / {one_line(contrast['right'])})"
        )
    more = len(conflicts) - len(conflicts[:_SHOWN]) + answer.get("unlisted_conflicts", 0)
    if more:
        yield f"  and {more} more pairs kept apart"


def _store(answer: Answer) -> Iterator[str]:
    health = answer["health"]
    yield (
        f"{health['total']} facts, trust {health['avg_trust']:.2f} on average, "
        f"{health['avg_length']} characters on average, health {health['score']}/100"
    )
    if answer["backup"]:
        yield f"backup: {answer['backup']}"
    yield f"database: {answer['db_path']}"


def _next(answer: Answer) -> Iterator[str]:
    yield from answer.get("notes", ())
    plan = answer.get("plan")
    if plan and answer["dry_run"]:
        yield f"mnemo dream --plan {plan} does it; --except 2,5 leaves steps out"
    if answer.get("op"):
        yield f"mnemo undo {answer['op']} takes it back"
