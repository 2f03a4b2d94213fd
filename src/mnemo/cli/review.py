"""Going through a dream's plan in a terminal, one step after the other.

Asks about each step, then carries out the chosen ones by the plan's id and nothing else; a person
who quits has changed nothing. How a step looks is made here as lines of text; what a step is, and
whether it still holds, is the dream's.
"""

import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import click

from mnemo.cli.common import opened_memory
from mnemo.cli.render import renderer
from mnemo.errors import Refused
from mnemo.text.contrast import words_alone
from mnemo.text.shown import one_line

if TYPE_CHECKING:
    from mnemo.models import Fact

_ACROSS = 80  # columns of a terminal from which on two facts stand side by side
_GAP = " │ "
_SHOWN_CONFLICTS = 20
_SHOWN_WORDS = 8
_KEYS = "y yes · n no · a all the rest · q quit, change nothing"
_PIECES = re.compile(r"[\u2e80-\U000323af]|[^\s\u2e80-\U000323af]+|\s+")

Step = Mapping[str, Any]
Facts = Mapping[int, "Fact"]


def review_dream() -> None:
    """Show the plan step by step, ask, and carry out what was chosen.

    Raises Refused where there is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Refused(
            "a review needs a terminal",
            hint="mnemo dream --dry-run shows the plan, "
            "mnemo dream --plan ID --except 2,5 carries out the rest of it",
        )
    with opened_memory() as memory:
        plan = memory.dream(dry_run=True).as_json()
        steps = steps_of(plan)
        conflicts = plan["skipped_conflicts"][:_SHOWN_CONFLICTS]
        wanted = {fact_id for step in (*steps, *conflicts) for fact_id in _facts_of(step)}
        facts = {f.fact_id: f for f in memory.get(*sorted(wanted)).facts} if wanted else {}
        width = shutil.get_terminal_size().columns
        refused = _ask(steps, facts, width)
        if refused is None:
            click.echo("nothing was changed")
        elif len(refused) < len(steps):
            answer = memory.dream(plan=plan["plan"], except_=refused).as_json()
            renderer("dream")(answer)
        else:
            click.echo("nothing to do" if not steps else "nothing was changed")
    unlisted = len(plan["skipped_conflicts"]) - len(conflicts) + plan.get("unlisted_conflicts", 0)
    for line in conflict_lines(conflicts, facts, width, unlisted=unlisted):
        click.echo(line)


def steps_of(plan: Mapping[str, Any]) -> list[Step]:
    """The numbered steps of a dry run's answer, in order."""
    steps = [
        *plan["reclassified_details"],
        *plan["merge_pairs"],
        *plan.get("compressed_details", ()),
    ]
    return sorted(steps, key=lambda step: step["step"])


def _facts_of(step: Step) -> tuple[int, ...]:
    return tuple(step[key] for key in ("kept", "removed", "a", "b", "id") if key in step)


def _ask(steps: Sequence[Step], facts: Facts, width: int) -> list[int] | None:
    """The numbers of the refused steps; None where the person quits."""
    refused: list[int] = []
    for step in steps:
        for line in step_lines(step, facts, width, of=len(steps)):
            click.echo(line)
        key = _key()
        if key == "q":
            return None
        if key == "a":
            break
        if key == "n":
            refused.append(step["step"])
    return refused


def _key() -> str:
    """One of the keys; whatever else is pressed is passed over."""
    click.echo(click.style(f"  {_KEYS} ", dim=True), nl=False)
    while (key := click.getchar().lower()) not in ("y", "n", "a", "q"):
        if key in ("\x04", "\x1b"):  # end of input, escape
            key = "q"
            break
    click.echo({"y": "yes", "n": "no", "a": "all the rest", "q": "quit"}[key])
    click.echo()
    return key


# ------------------------------------------------------------------------------- how it looks


def step_lines(step: Step, facts: Facts, width: int, *, of: int) -> Iterator[str]:
    """What a person decides a step by, as lines of at most ``width`` columns."""
    head = f"step {step['step']} of {of}: "
    if "kept" in step:
        yield _bold(
            f"{head}merge fact {step['removed']} into fact {step['kept']} "
            f"({step['similarity']:.2f} alike)"
        )
        yield from pair_lines(
            facts[step["kept"]], facts[step["removed"]], width, titles=("stays", "retires")
        )
        return
    fact = facts[step["id"]]
    if "summary" in step:
        yield _bold(f"{head}summarise fact {step['id']}")
        yield from _indented(one_line(fact.content), width)
        yield "  summary:"
        yield from _indented(one_line(step["summary"]), width)
        return
    yield _bold(
        f"{head}move fact {step['id']} from {step['from']} to {step['to']} "
        f"(it says {one_line(step['keyword'])})"
    )
    yield from _indented(one_line(fact.content), width)


def pair_lines(
    left: "Fact", right: "Fact", width: int, *, titles: tuple[str, str]
) -> Iterator[str]:
    """Two facts, side by side where there is room, and what each alone says."""
    heads = [
        f"{title}: {fact.fact_id} · {fact.category} · trust {fact.trust_score:.2f} · "
        f"found {fact.retrieval_count} times"
        for title, fact in zip(titles, (left, right), strict=True)
    ]
    texts = [one_line(left.content), one_line(right.content)]
    if width < _ACROSS:
        for head, text in zip(heads, texts, strict=True):
            yield from _indented(head, width)
            yield from _indented(text, width, by=4)
    else:
        room = (width - 2 - len(_GAP)) // 2
        columns = [
            [*wrapped(h, room), *wrapped(t, room)] for h, t in zip(heads, texts, strict=True)
        ]
        for one, other in zip_longest(*columns, fillvalue=""):
            yield f"  {padded(one, room)}{_GAP}{other}".rstrip()
    for one, other in ((left, right), (right, left)):
        words = words_alone(one.content, beside=other.content)[:_SHOWN_WORDS]
        if words:
            yield from _indented(f"only {one.fact_id} says: {one_line(', '.join(words))}", width)


def conflict_lines(
    conflicts: Sequence[Step], facts: Facts, width: int, *, unlisted: int = 0
) -> Iterator[str]:
    """The pairs that were kept apart, and what would settle each."""
    if conflicts:
        yield ""
        yield _bold("kept apart, since they say different things:")
    for pair in conflicts:
        newer, older = pair["a"], pair["b"]
        yield ""
        yield from pair_lines(facts[newer], facts[older], width, titles=("newer", "older"))
        yield from _indented(
            f"only the newer holds: mnemo remove {older}    only the older: mnemo remove {newer}",
            width,
        )
    if unlisted:
        yield ""
        yield f"and {unlisted} more: mnemo dream --dry-run --json lists the newest thousand"


def _bold(text: str) -> str:
    return click.style(text, bold=True)


def _indented(text: str, width: int, *, by: int = 2) -> Iterable[str]:
    return (" " * by + line for line in wrapped(text, max(20, width - by)))


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most ``width`` columns, broken at spaces and between Han signs."""
    lines: list[str] = []
    line = ""
    for piece in _PIECES.findall(text):
        if columns(line) + columns(piece.rstrip()) > width and line:
            lines.append(line.rstrip())
            line = ""
        while columns(piece) > width and piece.strip():
            cut = _fitting(piece, width)
            lines.append(piece[:cut])
            piece = piece[cut:]
        if line or piece.strip():
            line += piece
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _fitting(piece: str, width: int) -> int:
    """How many characters of a long word fit, at least one."""
    taken = 0
    for at, char in enumerate(piece):
        taken += columns(char)
        if taken > width:
            return max(1, at)
    return len(piece)


def padded(text: str, width: int) -> str:
    """The text, filled with spaces up to ``width`` columns."""
    return text + " " * (width - columns(text))


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(_columns_of(char) for char in text)


def _columns_of(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
