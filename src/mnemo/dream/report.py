"""What a dream says it did: the reply, built from the plan and the steps that were written."""

from pathlib import Path

from pydantic import Field

from mnemo.dream.apply import Applied
from mnemo.dream.evaluate import Health
from mnemo.dream.plan import Plan, facts_of
from mnemo.models import Frozen, Reply
from mnemo.text.secrets import redact


class MergedPair(Frozen):
    """Two facts that became one; ``step`` is its number in the plan, if it was carried out."""

    kept: int
    removed: int
    similarity: float
    step: int = 0


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
    step: int = 0


class UnmovedFact(MovedFact):
    """A fact with another category's word in it, and why it stays."""

    reason: str


class SummarisedFact(Frozen):
    """A long fact and the summary that it was given."""

    id: int
    summary: str
    step: int = 0


class StaleStep(Frozen):
    """A step of a plan that was not carried out: its facts are no longer what the plan saw."""

    step: int
    facts: tuple[int, ...]


class HealthReport(Frozen):
    """The active facts after the dream; ``score`` is 0 … 100."""

    total: int
    avg_trust: float
    avg_length: int
    coverage: dict[str, int]
    score: int


class DreamReply(Reply):
    """``merged`` counts the facts that took others in, ``deleted`` the facts that retired.

    ``op`` names the operation that undo takes back, ``resumed`` the same where a dream that was cut
    short was gone on with, ``plan`` the proposal. ``left_undone`` says what a dream that nobody
    asked for left alone since it was taken back before.
    """

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
    compressed_details: tuple[SummarisedFact, ...] = ()
    skipped_moves: tuple[UnmovedFact, ...]
    health: HealthReport
    backup: str | None
    dry_run: bool
    db_path: str
    duration_ms: int
    op: str = ""
    resumed: str = ""
    plan: str = ""
    stale: tuple[StaleStep, ...] = ()
    left_undone: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def dream_reply(
    db_path: Path,
    plan: Plan,
    applied: Applied,
    health: Health,
    *,
    seconds: float,
    backup: Path | None = None,
    dry_run: bool = False,
) -> DreamReply:
    """The report of one dream: what was done, and what the plan left alone."""
    return DreamReply(
        merged=len({merge.kept for merge in applied.merges}),
        compressed=len(applied.compressions),
        reclassified=len(applied.moves),
        deleted=len(applied.merges),
        merge_pairs=tuple(
            MergedPair(
                kept=m.kept, removed=m.removed, similarity=round(m.similarity, 3), step=m.step
            )
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
            MovedFact(
                id=m.fact_id, origin=m.origin, target=m.target, keyword=m.keyword, step=m.step
            )
            for m in applied.moves
        ),
        compressed_details=tuple(
            SummarisedFact(id=c.fact_id, summary=redact(c.summary), step=c.step)
            for c in applied.compressions
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
        stale=tuple(StaleStep(step=s.step, facts=facts_of(s)) for s in applied.stale if s.step),
    )
