"""What a dream looks at and what it proposes, as frozen values.

A plan names facts and what would become of them; it changes nothing. Each thing that it would do
is a step, numbered from 1 in the order in which steps are applied. What was seen and left alone is
part of it, with the reason, so that a person or an agent can decide what rules cannot. Knows
neither the store nor the clock.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count

from mnemo.text.contrast import Contrast


@dataclass(frozen=True, slots=True)
class DreamFact:
    """An active fact as the rules see it. `created_at` sorts as text: UTC, one format."""

    fact_id: int
    content: str
    summary: str | None = None
    category: str = "general"
    category_locked: bool = False
    trust: float = 0.5
    retrieval_count: int = 0
    pinned: bool = False
    created_at: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    """A fact that goes to another category, and the word that sent it there."""

    fact_id: int
    origin: str
    target: str
    keyword: str
    step: int = 0


class StayReason(StrEnum):
    """Why a fact stays in its category although another one's word stands in it."""

    LOCKED = "locked"
    OWN_EVIDENCE = "own_evidence"
    WEAK_EVIDENCE = "weak_evidence"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class SkippedMove:
    """A fact in which another category's word was seen, and why it stays where it is."""

    fact_id: int
    origin: str
    target: str
    keyword: str
    reason: StayReason


@dataclass(frozen=True, slots=True)
class Merge:
    """`removed` becomes one with `kept`, which stays as it is. `similarity` is 0 … 1."""

    kept: int
    removed: int
    similarity: float
    step: int = 0


@dataclass(frozen=True, slots=True)
class SkippedConflict:
    """Two facts that overlap but say different things; `a` is the newer one."""

    a: int
    b: int
    similarity: float
    contrasts: tuple[Contrast, ...]


@dataclass(frozen=True, slots=True)
class SkippedMerge:
    """Two facts that overlap, and `held`: what only the one that would retire says."""

    kept: int
    removed: int
    similarity: float
    held: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compression:
    """A long fact that gets a summary."""

    fact_id: int
    summary: str
    step: int = 0


Step = Move | Merge | Compression


@dataclass(frozen=True, slots=True)
class SkippedTooLong:
    """A long fact of which no whole sentence fits into a summary. `length` in code points."""

    fact_id: int
    length: int


@dataclass(frozen=True, slots=True)
class Reclassification:
    """What the category rules propose."""

    moves: tuple[Move, ...] = ()
    skipped: tuple[SkippedMove, ...] = ()


@dataclass(frozen=True, slots=True)
class Overlaps:
    """What the merge rules propose. Of the conflicts the newest are listed, the rest counted."""

    merges: tuple[Merge, ...] = ()
    skipped_conflicts: tuple[SkippedConflict, ...] = ()
    skipped_merges: tuple[SkippedMerge, ...] = ()
    unlisted_conflicts: int = 0


@dataclass(frozen=True, slots=True)
class Compressions:
    """What the summary rules propose."""

    compressions: tuple[Compression, ...] = ()
    skipped_too_long: tuple[SkippedTooLong, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """One dream's proposal, in the order in which it is applied: moves, merges, compressions."""

    moves: tuple[Move, ...] = ()
    merges: tuple[Merge, ...] = ()
    compressions: tuple[Compression, ...] = ()
    skipped_moves: tuple[SkippedMove, ...] = ()
    skipped_conflicts: tuple[SkippedConflict, ...] = ()
    skipped_merges: tuple[SkippedMerge, ...] = ()
    skipped_too_long: tuple[SkippedTooLong, ...] = ()
    unlisted_conflicts: int = 0

    @property
    def steps(self) -> tuple[Step, ...]:
        """Everything that applying the plan would do, in order."""
        return (*self.moves, *self.merges, *self.compressions)

    @property
    def is_empty(self) -> bool:
        """True where applying the plan would change nothing."""
        return not self.steps

    @property
    def in_conflict(self) -> int:
        """Facts that stand in a listed conflict."""
        return len({fact for pair in self.skipped_conflicts for fact in (pair.a, pair.b)})

    @property
    def doubles(self) -> int:
        """Pairs that overlap and are kept apart for what one of them alone holds."""
        return len(self.skipped_merges)

    def numbered(self) -> "Plan":
        """The same plan, its steps numbered from 1."""
        numbers = count(1)
        return replace(
            self,
            moves=tuple(replace(move, step=next(numbers)) for move in self.moves),
            merges=tuple(replace(merge, step=next(numbers)) for merge in self.merges),
            compressions=tuple(replace(c, step=next(numbers)) for c in self.compressions),
        )

    def without(self, steps: AbstractSet[Step]) -> "Plan":
        """The same plan without these steps."""
        return replace(
            self,
            moves=tuple(move for move in self.moves if move not in steps),
            merges=tuple(merge for merge in self.merges if merge not in steps),
            compressions=tuple(c for c in self.compressions if c not in steps),
        )


def facts_of(step: Step) -> tuple[int, ...]:
    """The facts that a step is about, the one that stays first."""
    if isinstance(step, Merge):
        return step.kept, step.removed
    return (step.fact_id,)
