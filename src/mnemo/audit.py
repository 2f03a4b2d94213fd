"""The quality report: what is wrong with the store, told without touching it.

Reads only; not a byte of the database changes, no log row, no event. Which facts are near
duplicates, and which pairs contrast, is what a dream would say of them; since that takes long
where there are many, it is asked of the newest facts alone.
"""

from datetime import datetime

from mnemo import times
from mnemo.dream.collect import collect
from mnemo.dream.consolidate import merge_overlapping_facts
from mnemo.dream.plan import Overlaps
from mnemo.learning.rules import KNOBS, helpful_rate
from mnemo.models import Frozen, Reply, Stamp
from mnemo.store import Store
from mnemo.store.evidence import LearningRow, Text
from mnemo.store.facts import flags_in
from mnemo.text.injections import injection_findings

LONG_CHARS = 500  # without a summary, a content longer than this is listed
LOW_TRUST = 0.20  # where only explicit feedback can bring a fact
COMPARED_FACTS = 500  # the newest, each with every other: about a second where all are alike
LISTED_CONFLICTS = 100  # the newest; most hold side by side, such as two rooms and their numbers
INJECTION = "injection"  # how the flags begin that say a fact speaks like an order


class UnsummarisedFact(Frozen):
    """A long fact without a summary."""

    id: int
    content_length: int


class LittleHelpFact(Frozen):
    """A fact that recalls return and nobody finds helpful."""

    id: int
    rate: float
    retrieval_count: int


class AgingFact(Frozen):
    """A fact that no recall has returned for long."""

    id: int
    last_retrieved_at: Stamp


class UnseenFact(Frozen):
    """An old fact that no recall ever returned."""

    id: int
    created_at: Stamp


class DistrustedFact(Frozen):
    """A fact that ratings have brought very low."""

    id: int
    trust_score: float


class NearDuplicate(Frozen):
    """Two facts that say nearly the same; a dream keeps ``a`` and merges ``b`` into it, unless
    ``b`` alone ``holds`` something.
    """

    a: int
    b: int
    similarity: float
    holds: tuple[str, ...]


class Conflict(Frozen):
    """Two facts that say nearly the same but for what contrasts; ``a`` is the newer one."""

    a: int
    b: int
    similarity: float
    contrast: str


class FlaggedFact(Frozen):
    """A fact that speaks like an order to whoever reads it."""

    id: int
    flags: tuple[str, ...]


class StaleSummary(Frozen):
    """A fact whose content was changed after its summary was written."""

    id: int


class AuditStats(Frozen):
    """Figures over the whole store."""

    by_category: dict[str, int]
    by_status: dict[str, int]
    by_class: dict[str, int]
    avg_trust: float
    avg_length: int
    pinned: int
    log_rows: int
    compared: int  # of the newest facts, for near duplicates and conflicts


class AuditReply(Reply):
    """The report. Lists hold the worst first."""

    total_facts: int
    long_without_summary: tuple[UnsummarisedFact, ...]
    low_helpful_rate: tuple[LittleHelpFact, ...]
    aging_candidates: tuple[AgingFact, ...]
    never_retrieved: tuple[UnseenFact, ...]
    low_trust: tuple[DistrustedFact, ...]
    near_duplicates: tuple[NearDuplicate, ...]
    conflicts: tuple[Conflict, ...]
    injection_flagged: tuple[FlaggedFact, ...]
    summary_stale: tuple[StaleSummary, ...]
    stats: AuditStats


def run_audit(store: Store, *, now: datetime, compared: int = COMPARED_FACTS) -> AuditReply:
    """What is wrong with the active facts; rates are over their lifetime.

    So many of the newest facts are ``compared`` with each other.
    """
    rows = store.evidence.for_learning()
    texts = list(store.evidence.texts())
    overlaps = merge_overlapping_facts(collect(store)[-compared:])
    return AuditReply(
        total_facts=len(rows),
        long_without_summary=_unsummarised(texts),
        low_helpful_rate=_little_help(rows),
        aging_candidates=_aging(rows, now),
        never_retrieved=_unseen(store, now),
        low_trust=tuple(
            DistrustedFact(id=row.fact_id, trust_score=round(row.trust, 4))
            for row in sorted(rows, key=lambda row: (row.trust, row.fact_id))
            if row.trust < LOW_TRUST
        ),
        near_duplicates=_near_duplicates(overlaps),
        conflicts=_conflicts(overlaps),
        injection_flagged=_flagged(store, texts),
        summary_stale=tuple(StaleSummary(id=i) for i in store.evidence.with_older_summary()),
        stats=_stats(store, rows, texts, compared=min(len(rows), compared)),
    )


def _unsummarised(texts: list[Text]) -> tuple[UnsummarisedFact, ...]:
    long = [t for t in texts if len(t.content) > LONG_CHARS and not t.summary.strip()]
    return tuple(
        UnsummarisedFact(id=text.fact_id, content_length=len(text.content))
        for text in sorted(long, key=lambda text: (-len(text.content), text.fact_id))
    )


def _little_help(rows: list[LearningRow]) -> tuple[LittleHelpFact, ...]:
    rated = [(helpful_rate(r.lifetime_helpful, r.lifetime_retrievals), r) for r in rows]
    return tuple(
        LittleHelpFact(id=row.fact_id, rate=round(rate, 4), retrieval_count=row.lifetime_retrievals)
        for rate, row in sorted(rated, key=lambda p: (-p[1].lifetime_retrievals, p[1].fact_id))
        if row.lifetime_retrievals > KNOBS.min_retrievals and rate < KNOBS.low_rate
    )


def _aging(rows: list[LearningRow], now: datetime) -> tuple[AgingFact, ...]:
    ages = [(times.age_in_days(times.parse(r.last_retrieved_at), now), r) for r in rows]
    return tuple(
        AgingFact(id=row.fact_id, last_retrieved_at=row.last_retrieved_at)
        for age, row in sorted(ages, key=lambda pair: (-pair[0], pair[1].fact_id))
        if age > KNOBS.aging_days
    )


def _unseen(store: Store, now: datetime) -> tuple[UnseenFact, ...]:
    ages = [
        (times.age_in_days(times.parse(created_at), now), fact_id, created_at)
        for fact_id, created_at in store.evidence.never_retrieved()
    ]
    return tuple(
        UnseenFact(id=fact_id, created_at=created_at)
        for age, fact_id, created_at in sorted(ages, key=lambda found: (-found[0], found[1]))
        if age > KNOBS.aging_days
    )


def _near_duplicates(overlaps: Overlaps) -> tuple[NearDuplicate, ...]:
    found = [
        *(
            NearDuplicate(a=m.kept, b=m.removed, similarity=m.similarity, holds=())
            for m in overlaps.merges
        ),
        *(
            NearDuplicate(a=m.kept, b=m.removed, similarity=m.similarity, holds=m.held)
            for m in overlaps.skipped_merges
        ),
    ]
    return tuple(sorted(found, key=lambda pair: (-pair.similarity, pair.a, pair.b)))


def _conflicts(overlaps: Overlaps) -> tuple[Conflict, ...]:
    return tuple(
        Conflict(
            a=pair.a,
            b=pair.b,
            similarity=pair.similarity,
            contrast="; ".join(f"{c.kind}: {c.left} / {c.right}" for c in pair.contrasts),
        )
        for pair in overlaps.skipped_conflicts[:LISTED_CONFLICTS]
    )


def _flagged(store: Store, texts: list[Text]) -> tuple[FlaggedFact, ...]:
    stored = {fact_id: flags_in(flags) for fact_id, flags in store.evidence.flagged()}
    found = {
        fact_id: flags
        for fact_id, flags in stored.items()
        if any(flag.startswith(INJECTION) for flag in flags)
    }
    for text in texts:
        # Nobody looked over what other programs wrote, or mnemo before it looked.
        told = (text.content, text.summary)
        if text.fact_id not in found and any(any(injection_findings(t)) for t in told):
            found[text.fact_id] = (INJECTION, *stored.get(text.fact_id, ()))
    return tuple(FlaggedFact(id=fact_id, flags=found[fact_id]) for fact_id in sorted(found))


def _stats(
    store: Store, rows: list[LearningRow], texts: list[Text], *, compared: int
) -> AuditStats:
    total = max(1, len(rows))
    return AuditStats(
        by_category=store.facts.counts_by("category", active_only=True),
        by_status=store.facts.counts_by("status", active_only=False),
        by_class=store.facts.counts_by("memory_class", active_only=True),
        avg_trust=round(sum(row.trust for row in rows) / total, 2),
        avg_length=round(sum(len(text.content) for text in texts) / total),
        pinned=sum(row.is_pinned for row in rows),
        log_rows=store.retrievals.count(),
        compared=compared,
    )
