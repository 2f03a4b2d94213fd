"""Writes a plan into the store, step by step, in short transactions of one operation.

Applying decides nothing. A step whose facts are no longer what the plan saw is left out: the next
dream sees them as they are then. What must hold: a transaction holds whole steps, at most
`BATCH_CHANGES` changed facts, and keeps other writers waiting for about `_BATCH_SECONDS`.
"""

import hashlib
import json
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never

from mnemo.dream.judge import is_protected
from mnemo.dream.plan import Compression, DreamFact, Merge, Move, Plan, Step, facts_of
from mnemo.enums import Status
from mnemo.models import Fact
from mnemo.store import Operation, Store

BATCH_CHANGES = 100
_BATCH_SECONDS = 0.08
_SETTLED_AFTER = 10  # steps, after which a batch looks at what its facts cost the index


@dataclass
class Applied:
    """The steps that were written, and those that were not since their facts had changed."""

    moves: list[Move] = field(default_factory=list[Move])
    merges: list[Merge] = field(default_factory=list[Merge])
    compressions: list[Compression] = field(default_factory=list[Compression])
    stale: list[Step] = field(default_factory=list[Step])

    @property
    def is_empty(self) -> bool:
        """True where nothing was written."""
        return not (self.moves or self.merges or self.compressions)

    def add(self, step: Step) -> None:
        """Note a step that was written."""
        if isinstance(step, Move):
            self.moves.append(step)
        elif isinstance(step, Merge):
            self.merges.append(step)
        else:
            self.compressions.append(step)


def fingerprint(fact: Fact | DreamFact) -> str:
    """A short text that changes with what a plan saw of a fact: content, summary, pin."""
    seen = json.dumps([fact.content, (fact.summary or "").strip(), fact.pinned])
    return hashlib.blake2b(seen.encode("utf-8", "replace"), digest_size=8).hexdigest()


def apply_plan(
    store: Store,
    operation: Operation,
    plan: Plan,
    seen: Mapping[int, str],
    *,
    at_first: Callable[[], None],
    between: Callable[[], None],
) -> Applied:
    """Write the plan whose facts had the fingerprints ``seen``.

    ``at_first`` is called within the first transaction that writes anything, ``between`` after each
    transaction; it may raise to stop there.
    """
    applied = Applied()
    waiting = deque([*plan.moves, *_by_survivor(plan.merges), *plan.compressions])
    while waiting:
        with operation.batch():
            was_empty = applied.is_empty
            _write_batch(store, operation, waiting, seen, applied)
            if was_empty and not applied.is_empty:
                at_first()
        between()
    return applied


def _by_survivor(merges: Sequence[Merge]) -> list[Merge]:
    """The merges, those into one fact next to each other: its words are indexed once a batch."""
    order = {merge.kept: place for place, merge in reversed(list(enumerate(merges)))}
    return sorted(merges, key=lambda merge: order[merge.kept])


def _write_batch(
    store: Store,
    operation: Operation,
    waiting: deque[Step],
    seen: Mapping[int, str],
    applied: Applied,
) -> None:
    deadline = time.monotonic() + _BATCH_SECONDS
    changes = steps = 0
    while waiting and changes + len(facts_of(waiting[0])) <= BATCH_CHANGES:
        step = waiting.popleft()
        facts = _as_seen(store, step, seen)
        if _write(operation, step, facts):
            applied.add(step)
            changes += len(facts)
        else:
            applied.stale.append(step)
        steps += 1
        if steps % _SETTLED_AFTER == 0:
            operation.settle()
        if time.monotonic() > deadline:
            break


def _as_seen(store: Store, step: Step, seen: Mapping[int, str]) -> list[Fact]:
    """The facts of a step in its order, if each is still what the plan saw; else none."""
    wanted = facts_of(step)
    facts = store.facts.get(wanted)
    unchanged = all(
        fact.status == Status.ACTIVE and fingerprint(fact) == seen[fact.fact_id] for fact in facts
    )
    return facts if unchanged and len(facts) == len(wanted) else []


def _write(operation: Operation, step: Step, facts: Sequence[Fact]) -> bool:
    """Write one step; False where its facts, none of which is given if any changed, forbid it."""
    if not facts:
        return False
    match step:
        case Move():
            return facts[0].category == step.origin and _move(operation, step)
        case Merge():
            survivor, retiring = facts
            # Its recalls may have gone on since the plan was made.
            if survivor.category != retiring.category or is_protected(retiring):
                return False
            return _merge(operation, survivor, retiring, step.similarity)
        case Compression():
            return _compress(operation, step)
        case _:
            assert_never(step)


def _move(operation: Operation, move: Move) -> bool:
    # Locked: what one dream moved, no later dream moves again.
    operation.update(move.fact_id, reason="reclassified", category=move.target, category_locked=1)
    operation.event(
        "RECLASSIFY", move.fact_id, origin=move.origin, target=move.target, keyword=move.keyword
    )
    return True


def _merge(operation: Operation, survivor: Fact, retiring: Fact, similarity: float) -> bool:
    """The survivor keeps its text and inherits what the other earned."""
    operation.update(
        survivor.fact_id, reason="merged with others", **_inheritance(survivor, retiring)
    )
    operation.update(
        retiring.fact_id,
        reason="merged",
        status=Status.MERGED,
        merged_into=survivor.fact_id,
        status_reason=f"says the same as fact {survivor.fact_id}",
    )
    operation.event("MERGE", survivor.fact_id, removed=retiring.fact_id, similarity=similarity)
    return True


def _inheritance(*facts: Fact) -> dict[str, Any]:
    tags = dict.fromkeys(tag for fact in facts for tag in fact.tags)
    recalls = [f.last_retrieved_at for f in facts if f.last_retrieved_at]
    return {
        "tags": ",".join(tags),
        "trust_score": max(fact.trust_score for fact in facts),
        "created_at": min((f.created_at for f in facts if f.created_at), default=None),
        "last_retrieved_at": max(recalls, default=None),
    } | {name: sum(getattr(fact, name) for fact in facts) for name in _SUMMED}


# What recalls and ratings left behind, and where the window of evidence began: all add up.
_SUMMED = (
    "retrieval_count",
    "helpful_count",
    "unhelpful_count",
    "discounted",
    "learn_retrievals",
    "learn_helpful",
)


def _compress(operation: Operation, compression: Compression) -> bool:
    operation.update(
        compression.fact_id,
        reason="summarised",
        summary=compression.summary,
        summary_source="auto",
    )
    operation.event("COMPRESS", compression.fact_id, summary=compression.summary)
    return True
