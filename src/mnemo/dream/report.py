"""What a dream says it did: the reply, built from the plan and the steps that were written."""

from pathlib import Path

from pydantic import Field

from mnemo.dream.apply import Applied
from mnemo.dream.evaluate import Health
from mnemo.dream.plan import Plan
from mnemo.models import Frozen, Reply


class MergedPair(Frozen):
    """Two facts that became one."""

    kept: int
    removed: int
    similarity: float


class ConflictingPair(Frozen):
    """Two facts that overlap but say different things; ``a`` is the newer."""

    a: int
    b: int
    similarity: float
    contrasts: tuple[dict[str, str], ...]


class UnmergedPair(Frozen):
    """Two facts that overlap, kept apart since one alone holds something."""

    kept: int
    removed: int
    similarity: float
    held: tuple[str, ...]


class LongUnsummarised(Frozen):
    """A long fact of which no whole sentence is short enough for a summary."""

    id: int
    content_length: int


class MovedFact(Frozen):
    """A fact that changed its category, and the word that said so."""

    id: int
    origin: str = Field(serialization_alias="from")
    target: str = Field(serialization_alias="to")
    keyword: str


class UnmovedFact(MovedFact):
    """A fact with another category's word in it, and why it stays."""

    reason: str


class HealthReport(Frozen):
    """The active facts after the dream; ``score`` is 0 … 100."""

    total: int
    avg_trust: float
    avg_length: int
    coverage: dict[str, int]
    score: int


class DreamReply(Reply):
    """``merged`` counts the facts that took others in, ``deleted`` the facts that retired."""

    merged: int
    compressed: int
    reclassified: int
    deleted: int
    merge_pairs: tuple[MergedPair, ...]
    skipped_conflicts: tuple[ConflictingPair, ...]
    unlisted_conflicts: int = 0  # more of them than are listed
    skipped_merges: tuple[UnmergedPair, ...]
    skipped_too_long: tuple[LongUnsummarised, ...]
    reclassified_details: tuple[MovedFact, ...]
    skipped_moves: tuple[UnmovedFact, ...]
    health: HealthReport
    backup: str | None
    dry_run: bool
    db_path: str
    duration_ms: int


def dream_reply(
    db_path: Path,
    plan: Plan,
    applied: Applied,
    health: Health,
    *,
    backup: Path | None,
    dry_run: bool,
    seconds: float,
) -> DreamReply:
    """The report of one dream."""
    return DreamReply(
        merged=len({merge.kept for merge in applied.merges}),
        compressed=len(applied.compressions),
        reclassified=len(applied.moves),
        deleted=len(applied.merges),
        merge_pairs=tuple(
            MergedPair(kept=m.kept, removed=m.removed, similarity=round(m.similarity, 3))
            for m in applied.merges
        ),
        skipped_conflicts=tuple(
            ConflictingPair(
                a=c.a,
                b=c.b,
                similarity=round(c.similarity, 3),
                contrasts=tuple(
                    {"kind": x.kind, "left": x.left, "right": x.right} for x in c.contrasts
                ),
            )
            for c in plan.skipped_conflicts
        ),
        unlisted_conflicts=plan.unlisted_conflicts,
        skipped_merges=tuple(
            UnmergedPair(
                kept=s.kept, removed=s.removed, similarity=round(s.similarity, 3), held=s.held
            )
            for s in plan.skipped_merges
        ),
        skipped_too_long=tuple(
            LongUnsummarised(id=s.fact_id, content_length=s.length) for s in plan.skipped_too_long
        ),
        reclassified_details=tuple(
            MovedFact(id=m.fact_id, origin=m.origin, target=m.target, keyword=m.keyword)
            for m in applied.moves
        ),
        skipped_moves=tuple(
            UnmovedFact(
                id=m.fact_id, origin=m.origin, target=m.target, keyword=m.keyword, reason=m.reason
            )
            for m in plan.skipped_moves
        ),
        health=HealthReport(
            total=health.total,
            avg_trust=health.avg_trust,
            avg_length=health.avg_length,
            coverage=health.coverage,
            score=health.score,
        ),
        backup=None if backup is None else str(backup),
        dry_run=dry_run,
        db_path=str(db_path),
        duration_ms=round(seconds * 1000),
    )
