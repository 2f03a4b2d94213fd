"""How a statement comes in.

Adding never overwrites and never merges: an exact twin in the same category is answered with its
id, a similar fact is named beside the new one, and the dream, whose work can be undone, does the
rest.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mnemo.enums import Category, MemoryClass, Status, Track
from mnemo.models import AddReply, Fact
from mnemo.store import Operation, Store
from mnemo.text.normal import cut, normalise
from mnemo.text.secrets import redact
from mnemo.writing import duplicates
from mnemo.writing.checks import (
    checked_category,
    checked_class,
    checked_content,
    checked_date,
    checked_tags,
    checked_track,
    length_warnings,
    summary_hints,
)
from mnemo.writing.classes import infer_class
from mnemo.writing.neighbours import NEAR_DUPLICATE, Neighbours, find_neighbours
from mnemo.writing.quality import flaws_of, hints_about
from mnemo.writing.screening import SCRUTINY, Screened, Scrutiny, screened, with_flags
from mnemo.writing.status import activate, active_twin, existing, known_twin


@dataclass(frozen=True)
class NewFact:
    """A statement that is to be stored, as it was given; blank means not given."""

    content: str
    category: str = ""
    tags: str | Iterable[str] = ()
    summary: str = ""
    source: str = ""
    date: str = ""
    memory_class: str = ""  # blank: told from the text, the source and the track
    track: str = ""  # user: the user's own words
    project_id: str = ""
    dedup: bool = True  # False: stored even beside its exact twin


@dataclass(frozen=True)
class _Checked:
    """The same in its storable form."""

    content: str
    category: Category
    tags: tuple[str, ...]
    summary: str | None
    source: str | None
    date: str | None
    memory_class: MemoryClass
    track: Track
    project_id: str | None
    secrets: str
    found: Screened
    hints: tuple[str, ...]


def _checked(fact: NewFact, scrutiny: Scrutiny) -> _Checked:
    content, track = checked_content(fact.content), checked_track(fact.track)
    summary, project_id = normalise(fact.summary) or None, normalise(fact.project_id) or None
    tags, source = checked_tags(fact.tags), normalise(fact.source) or None
    return _Checked(
        content=content,
        category=checked_category(fact.category) if fact.category else Category.GENERAL,
        tags=tags,
        summary=summary,
        source=source,
        date=checked_date(fact.date) if fact.date else None,
        memory_class=checked_class(fact.memory_class)
        if fact.memory_class
        else infer_class(content, source=fact.source, track=track),
        track=track,
        project_id=project_id,
        secrets=scrutiny.secrets,
        found=screened(
            {
                "content": content,
                "summary": summary,
                "tags": ",".join(tags),
                "source_ref": source,
                "project_id": project_id,
            },
            secrets=scrutiny.secrets,
        ),
        hints=hints_about(flaws_of(content, summary=summary, project_id=project_id), scrutiny.gate),
    )


@dataclass(frozen=True)
class DuplicatePolicy:
    """From which similarity on a fact is a near duplicate (0: none is), and what is done then:
    ``keep``, ``merge`` or ``skip``.
    """

    threshold: float = NEAR_DUPLICATE
    action: str = "keep"


KEEP = DuplicatePolicy()


def add_fact(
    store: Store,
    op: Operation,
    new: NewFact,
    policy: DuplicatePolicy = KEEP,
    scrutiny: Scrutiny = SCRUTINY,
) -> AddReply:
    """Store the fact, unless its exact twin is known in the same category.

    Raises InvalidInput for what cannot be stored.
    """
    fact = _checked(new, scrutiny)
    # Compared before the write lock is taken, since hardly anything depends on it but the reply.
    neighbours = (
        Neighbours()
        if not policy.threshold or active_twin(store, fact.content, fact.category)
        else find_neighbours(store, fact.content, fact.category, threshold=policy.threshold)
    )
    with op.batch():
        if not new.dedup:
            return _insert(op, fact, neighbours)
        twin = known_twin(store, fact.content, fact.category)
        if twin is not None and twin.status == Status.ACTIVE:
            return _keep_twin(op, twin, fact)
        if twin is not None and twin.content == fact.content:
            return _reactivate(op, twin, fact)
        return _folded_in(store, op, fact, neighbours, policy) or _insert(op, fact, neighbours)


def _folded_in(
    store: Store, op: Operation, fact: _Checked, neighbours: Neighbours, policy: DuplicatePolicy
) -> AddReply | None:
    """The reply where the policy has a near duplicate stand for the new fact; else None."""
    if policy.action == "keep" or not neighbours.similar:
        return None
    closest = existing(store, neighbours.similar[0].fact_id)
    if closest.status != Status.ACTIVE:
        return None
    if policy.action == "skip":
        return duplicates.skip(op, closest)
    reply = duplicates.merge(
        op, closest, fact.content, filled=_missing(closest, fact), secrets=fact.secrets
    )
    return reply and _with_findings(reply, fact)


def _insert(op: Operation, fact: _Checked, neighbours: Neighbours) -> AddReply:
    fact_id = op.insert(
        content=fact.content,
        category=fact.category,
        tags=",".join(fact.tags),
        summary=fact.summary,
        summary_source="user" if fact.summary else None,
        source_ref=fact.source or f"session:{op.session}",
        date=fact.date,
        memory_class=fact.memory_class,
        project_id=fact.project_id,
        flags=fact.found.flags,
    )
    op.event(
        "WRITE",
        fact_id,
        category=fact.category,
        memory_class=fact.memory_class,
        track=fact.track,
        content=cut(redact(fact.content), 80),
    )
    return AddReply(
        fact_id=fact_id,
        status="added",
        category=fact.category,
        memory_class=fact.memory_class,
        warnings=(*length_warnings(fact.content, fact.summary), *fact.found.warnings),
        hints=(*summary_hints(fact.summary), *fact.hints),
        similar_to=neighbours.similar,
        conflicts_with=neighbours.conflicting,
    )


def _keep_twin(op: Operation, twin: Fact, fact: _Checked) -> AddReply:
    missing = _missing(twin, fact)
    if missing:
        op.update(twin.fact_id, **with_flags(twin, missing, secrets=fact.secrets))
        op.event("UPDATE", twin.fact_id, filled=sorted(missing))
    return AddReply(
        fact_id=twin.fact_id,
        status="exists",
        category=twin.category,
        memory_class=twin.memory_class,
        warnings=(
            *length_warnings(fact.content, fact.summary or twin.summary),
            *fact.found.warnings,
        ),
    )


def _missing(known: Fact, fact: _Checked) -> dict[str, Any]:
    """The columns that a known fact lacks and the statement brings."""
    missing: dict[str, Any] = {}
    if fact.summary and not known.summary:
        missing |= {"summary": fact.summary, "summary_source": "user"}
    if fact.tags and not known.tags:
        missing["tags"] = ",".join(fact.tags)
    if fact.date and not known.date:
        missing["date"] = fact.date
    return missing


def _with_findings(reply: AddReply, fact: _Checked) -> AddReply:
    return reply.model_copy(update={"warnings": (*reply.warnings, *fact.found.warnings)})


def _reactivate(op: Operation, twin: Fact, fact: _Checked) -> AddReply:
    activate(op, twin, **with_flags(twin, _missing(twin, fact), secrets=fact.secrets))
    return AddReply(
        fact_id=twin.fact_id,
        status="restored",
        category=twin.category,
        memory_class=twin.memory_class,
        reason=f"the same fact was {twin.status}",
        warnings=(
            *length_warnings(fact.content, fact.summary or twin.summary),
            *fact.found.warnings,
        ),
    )
