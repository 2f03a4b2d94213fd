"""The story of one fact: each operation that changed it, oldest first, and what its use was.

Changes nothing.
"""

from typing import Any

from mnemo import times
from mnemo.errors import NotFound, no_such_fact
from mnemo.models import Fact, Frozen, Reply, Stamp
from mnemo.past.told import Difference, differences
from mnemo.store import Asked, Chapter, Store, operation_name
from mnemo.text.secrets import redact


class StoryEntry(Frozen):
    """What one operation did to the fact; ``changes`` without mnemo's own bookkeeping."""

    op: str
    t: Stamp
    actor: str
    kind: str
    reason: str
    changes: tuple[Difference, ...]
    took_in: tuple[int, ...]  # facts that were merged into this one
    undoes: str
    undone_by: str

    def as_json(self) -> dict[str, Any]:
        """The entry as plain JSON values, without what it has nothing to say about."""
        told = self.model_dump(mode="json", exclude={"changes"})
        told["changes"] = [change.as_json() for change in self.changes]
        return {name: value for name, value in told.items() if value not in ("", [])}


class Recalls(Frozen):
    """How often searches returned the fact, and when they last did."""

    count: int
    last: Stamp


class HistoryReply(Reply):
    """What was done to a fact; ``notes`` where the journal does not reach back to its beginning."""

    fact_id: int
    content: str
    status: str
    created_at: Stamp
    history: tuple[StoryEntry, ...]
    recalls: Recalls
    merged_into: int | None = None
    absorbed: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The answer as plain JSON values."""
        return super().as_json() | {"history": [entry.as_json() for entry in self.history]}


def tell_story(store: Store, fact_id: int) -> HistoryReply:
    """The story of the fact. Raises NotFound where there is none with that id."""
    found = store.facts.get([fact_id])
    if not found:
        raise _purged(store, fact_id) or no_such_fact(fact_id)
    [fact] = found
    chapters = store.history.chapters(fact_id)
    took_in = store.history.took_in(fact_id)
    return HistoryReply(
        fact_id=fact_id,
        content=redact(fact.content),
        status=fact.status,
        created_at=fact.created_at,
        history=tuple(_entry(chapter, took_in.get(chapter.op_id, ())) for chapter in chapters),
        recalls=Recalls(count=fact.retrieval_count, last=fact.last_retrieved_at),
        merged_into=fact.merged_into,
        absorbed=store.facts.absorbed([fact_id]).get(fact_id, ()),
        notes=_notes(fact, chapters),
    )


def _purged(store: Store, fact_id: int) -> NotFound | None:
    events = store.events.newest(Asked(action="PURGE", fact_id=fact_id), limit=1)
    if not events:
        return None
    return NotFound(
        f"fact {fact_id} was purged on {times.shown(events[0].t)}",
        hint=f"events about fact {fact_id} still say when what was done to it",
    )


def _entry(chapter: Chapter, took_in: tuple[int, ...]) -> StoryEntry:
    return StoryEntry(
        op=operation_name(chapter.op_id),
        t=chapter.started_at,
        actor=chapter.actor,
        kind=chapter.kind,
        reason=chapter.reason,
        changes=differences(chapter.before, chapter.after),
        took_in=took_in,
        undoes=_name(chapter.undoes),
        undone_by=_name(chapter.undone_by),
    )


def _name(op_id: int | None) -> str:
    return "" if op_id is None else operation_name(op_id)


def _notes(fact: Fact, chapters: list[Chapter]) -> tuple[str, ...]:
    if chapters and chapters[0].before is None:
        return ()
    return (f"what was done to fact {fact.fact_id} before that is not recorded",)
