"""How well the store is after a dream: counts, averages, one score.

Knows facts as values and shares as numbers; how duplicates and conflicts are found is not its
concern. The score weighs how far facts have proved themselves against what a dream is there to
mend: facts without a short form, doubles and contradictions.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from mnemo.dream.consolidate import is_long
from mnemo.dream.plan import DreamFact
from mnemo.enums import Category

_TRUST_WEIGHT: Final = 0.4
_SHARE_WEIGHT: Final = 0.2


@dataclass(frozen=True, slots=True)
class Health:
    """The state of the active facts. `avg_trust` 0 … 1 with two decimals, `avg_length` in whole
    code points, `coverage` facts per category with every category present, `score` 0 … 100.
    """

    total: int
    avg_trust: float
    avg_length: int
    coverage: dict[str, int] = field(default_factory=dict[str, int])
    score: int = 0


def health_of(facts: Sequence[DreamFact], in_conflict: int, doubles: int) -> Health:
    """The health of `facts`, of which so many stand in a conflict and have a double."""
    total = max(1, len(facts))
    return evaluate(
        facts,
        long_share=sum(map(is_long, facts)) / total,
        duplicate_share=min(1.0, doubles / total),
        conflict_share=min(1.0, in_conflict / total),
    )


def evaluate(
    facts: Sequence[DreamFact],
    *,
    long_share: float = 0.0,
    duplicate_share: float = 0.0,
    conflict_share: float = 0.0,
) -> Health:
    """The health of `facts`; all zero for none.

    The shares, 0 … 1, are those of the facts that are long without a summary, that have a double
    and that stand in a conflict:
    score = 100 · (0.4 · trust + 0.2 · (1 - long) + 0.2 · (1 - duplicate) + 0.2 · (1 - conflict)).
    """
    coverage = {category.value: 0 for category in Category}
    coverage.update(Counter(fact.category for fact in facts))
    if not facts:
        return Health(total=0, avg_trust=0.0, avg_length=0, coverage=coverage, score=0)
    trust = sum(fact.trust for fact in facts) / len(facts)
    spared = (1 - long_share) + (1 - duplicate_share) + (1 - conflict_share)
    return Health(
        total=len(facts),
        avg_trust=round(trust, 2),
        avg_length=round(sum(len(fact.content) for fact in facts) / len(facts)),
        coverage=coverage,
        score=round(100 * (_TRUST_WEIGHT * trust + _SHARE_WEIGHT * spared)),
    )
