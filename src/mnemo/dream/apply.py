"""Writes a plan into the store, step by step, in short transactions of one operation.

Applying decides nothing. A step whose facts are no longer what the plan saw is left out: the next
dream sees them as they are then.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from mnemo.dream.consolidate import PROTECTING_RECALLS
from mnemo.dream.plan import Compression, DreamFact, Merge, Move, Plan
from mnemo.enums import Status
from mnemo.models import Fact
from mnemo.store import Operation, Store

_BATCH = 100  # steps in one transaction
_Step = TypeVar("_Step")


@dataclass
class Applied:
    """The steps that were written."""

    moves: list[Move] = field(default_factory=list[Move])
    merges: list[Merge] = field(default_factory=list[Merge])
    compressions: list[Compression] = field(default_factory=list[Compression])


def apply_plan(
    store: Store,
    operation: Operation,
    plan: Plan,
    seen: Sequence[DreamFact],
    *,
    between: Callable[[], None],
) -> Applied:
    """Write the plan; ``between`` is called after each transaction and may raise to stop there."""
    known = {fact.fact_id: fact for fact in seen}
    applied = Applied()
    for moves in _batches(plan.moves, _BATCH):
        with operation.batch():
            for move in moves:
                facts = _as_seen(store, known, move.fact_id)
                if facts and facts[0].category == move.origin:
                    _move(operation, move)
                    applied.moves.append(move)
        between()
    for merges in _batches(_by_survivor(plan.merges), _BATCH):
        with operation.batch():
            for group in merges:
                facts = _as_seen(store, known, group[0].kept, *(m.removed for m in group))
                if facts and len({fact.category for fact in facts}) == 1:
                    _merge(operation, facts, group)
                    applied.merges += group
        between()
    for compressions in _batches(plan.compressions, _BATCH):
        with operation.batch():
            for compression in compressions:
                if _as_seen(store, known, compression.fact_id):
                    _compress(operation, compression)
                    applied.compressions.append(compression)
        between()
    return applied


def _batches(steps: Sequence[_Step], size: int) -> Iterable[Sequence[_Step]]:
    return (steps[i : i + size] for i in range(0, len(steps), size))


def _as_seen(store: Store, known: dict[int, DreamFact], *fact_ids: int) -> list[Fact]:
    """These facts, if each is still what the plan saw; else none."""
    facts = store.facts.get(fact_ids)
    unchanged = all(_is_unchanged(fact, known[fact.fact_id]) for fact in facts)
    return facts if unchanged and len(facts) == len(fact_ids) else []


def _is_unchanged(fact: Fact, seen: DreamFact) -> bool:
    # Its recalls may go on, but not past the number that protects it.
    return (
        fact.status == Status.ACTIVE
        and fact.content == seen.content
        and (fact.summary or "") == (seen.summary or "").strip()
        and fact.pinned == seen.pinned
        and (fact.retrieval_count > PROTECTING_RECALLS)
        == (seen.retrieval_count > PROTECTING_RECALLS)
    )


def _by_survivor(merges: Iterable[Merge]) -> list[list[Merge]]:
    groups: defaultdict[int, list[Merge]] = defaultdict(list)
    for merge in merges:
        groups[merge.kept].append(merge)
    return list(groups.values())


def _move(operation: Operation, move: Move) -> None:
    # Locked: what one dream moved, no later dream moves again.
    operation.update(move.fact_id, reason="reclassified", category=move.target, category_locked=1)
    operation.event(
        "RECLASSIFY", move.fact_id, origin=move.origin, target=move.target, keyword=move.keyword
    )


def _merge(operation: Operation, facts: Sequence[Fact], merges: Sequence[Merge]) -> None:
    """The survivor, which comes first, keeps its text and inherits what the others earned."""
    survivor, *retired = facts
    operation.update(survivor.fact_id, reason="merged with others", **_inheritance(facts))
    for fact, merge in zip(retired, merges, strict=True):
        operation.update(
            fact.fact_id,
            reason="merged",
            status=Status.MERGED,
            merged_into=survivor.fact_id,
            status_reason=f"says the same as fact {survivor.fact_id}",
        )
        operation.event(
            "MERGE", survivor.fact_id, removed=fact.fact_id, similarity=merge.similarity
        )


def _inheritance(facts: Sequence[Fact]) -> dict[str, Any]:
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


def _compress(operation: Operation, compression: Compression) -> None:
    operation.update(
        compression.fact_id,
        reason="summarised",
        summary=compression.summary,
        summary_source="auto",
    )
    operation.event("COMPRESS", compression.fact_id, summary=compression.summary)
