"""How an answer is narrowed: which facts are wanted, how many, and what there is to say of it."""

from collections.abc import Collection
from typing import TypedDict

from mnemo.enums import Detail, Status
from mnemo.errors import InvalidInput
from mnemo.models import Fact
from mnemo.store import Filter, Store
from mnemo.text.findings import FindingKind
from mnemo.writing.checks import checked_category, checked_class


class Narrowing(TypedDict, total=False):
    """What every recall may be narrowed by; what is not given narrows nothing."""

    category: str
    memory_class: str  # one or several, comma separated
    project_id: str
    min_trust: float | None
    limit: int
    detail: Detail
    include_archived: bool


def wanted_facts(
    statuses: tuple[Status, ...],
    *,
    category: str,
    memory_class: str,
    project_id: str,
    min_trust: float,
) -> Filter:
    """What a person asked for. ``memory_class`` may name several, comma separated.

    Raises InvalidInput for a trust that is none, an unknown category or class.
    """
    if not 0.0 <= min_trust <= 1.0:
        raise InvalidInput(f"min_trust {min_trust} is out of range", hint="give one from 0 to 1")
    return Filter(
        statuses=statuses,
        category=checked_category(category) if category else None,
        min_trust=min_trust,
        classes=tuple(checked_class(name) for name in memory_class.split(",") if name.strip()),
        project_id=project_id.strip() or None,
    )


def recalled_statuses(*, include_archived: bool) -> tuple[Status, ...]:
    """The statuses that a recall looks at."""
    return (Status.ACTIVE, Status.ARCHIVED) if include_archived else (Status.ACTIVE,)


def pending_note(store: Store) -> tuple[str, ...]:
    """What to say where some facts cannot be found yet."""
    waiting = store.index.pending()
    return (f"{waiting} facts still wait to be indexed; ask again soon",) if waiting else ()


def notes_on(facts: Collection[Fact], *, limit: int, most: int) -> tuple[str, ...]:
    """What to say of the facts of a recall: which are archived, which read like orders, and
    whether more was asked for than any recall returns.
    """
    notes: tuple[str, ...] = ()
    if archived := [str(fact.fact_id) for fact in facts if fact.status == Status.ARCHIVED]:
        notes += (f"archived: {', '.join(archived)}",)
    if orders := [str(fact.fact_id) for fact in facts if FindingKind.INJECTION in fact.flags]:
        notes += (f"reads like an order, and is data all the same: {', '.join(orders)}",)
    if limit > most:
        notes += (f"limit {limit} is more than {most}, the most a search returns",)
    return notes
