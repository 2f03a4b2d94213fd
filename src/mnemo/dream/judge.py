"""Whether a dream would make one fact of two, which of them would go, and what forbids it.

One judgement for the dream, which merges by it, and for `compare`, which only tells. Two facts of
one category become one where their words overlap by more than `MERGE_THRESHOLD`, nothing in them
contrasts, and the longer one says all that the shorter one says. Knows facts as values. What must
hold: the order of the two changes nothing; no pinned or much recalled fact retires.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from mnemo.dream.plan import DreamFact
from mnemo.models import Fact
from mnemo.text.contrast import Contrast, find_contrasts, held_alone, words_alone
from mnemo.text.tokens import jaccard_similarity, tokenize_for_dedup

MERGE_THRESHOLD: Final = 0.6
"""Two facts overlap where the Jaccard similarity of their words is above this."""
PROTECTING_RECALLS: Final = 100
"""A fact that was recalled more often than this is never retired."""


def is_protected(fact: DreamFact | Fact) -> bool:
    """Whether a fact is never retired: it is pinned, or recalled so often."""
    return bool(fact.pinned) or is_much_recalled(fact)


def is_much_recalled(fact: DreamFact | Fact) -> bool:
    """Whether a fact was recalled more often than `PROTECTING_RECALLS`."""
    return fact.retrieval_count > PROTECTING_RECALLS


class Ruling(StrEnum):
    """What a dream would do with two facts: merge them, or keep both for the reason named."""

    MERGE = "merge"
    ELSEWHERE = "elsewhere"
    FEW_SHARED = "few_shared"
    CONTRAST = "contrast"
    PROTECTED = "protected"
    HELD = "held"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What becomes of two facts. `similarity` is 0 … 1; `held` is what a merge would lose."""

    ruling: Ruling
    similarity: float
    contrasts: tuple[Contrast, ...] = ()
    held: tuple[str, ...] = ()


def rank(fact: DreamFact) -> tuple[bool, bool, int, float, int]:
    """Sort key of the better survivor: of two facts, the first in this order is kept.

    The pinned one, else the one recalled more than 100 times, else the longer, the more trusted,
    the older.
    """
    return (
        not fact.pinned,
        not is_much_recalled(fact),
        -len(fact.content),
        -fact.trust,
        fact.fact_id,
    )


def judge_facts(one: DreamFact, other: DreamFact) -> Judgement:
    """The whole judgement of two facts in any order; contrasts run from `one` to `other`."""
    similarity = jaccard_similarity(
        tokenize_for_dedup(one.content), tokenize_for_dedup(other.content)
    )
    contrasts = find_contrasts(one.content, other.content)
    if one.category != other.category:
        return Judgement(Ruling.ELSEWHERE, similarity, contrasts)
    if similarity <= MERGE_THRESHOLD:
        return Judgement(Ruling.FEW_SHARED, similarity, contrasts)
    survivor, fact = sorted((one, other), key=rank)
    return judge_overlap(survivor, fact, similarity, contrasts)


def judge_overlap(
    survivor: DreamFact,
    fact: DreamFact,
    similarity: float,
    contrasts: tuple[Contrast, ...] | None = None,
) -> Judgement:
    """The judgement of two facts of one category that overlap; `survivor` ranks first.

    `contrasts` are looked for where they are not given.
    """
    if contrasts is None:
        contrasts = find_contrasts(survivor.content, fact.content)
    if contrasts:
        return Judgement(Ruling.CONTRAST, similarity, contrasts)
    if is_protected(fact):
        return Judgement(Ruling.PROTECTED, similarity)
    if held := _only_said(survivor.content, fact.content):
        return Judgement(Ruling.HELD, similarity, held=held)
    return Judgement(Ruling.MERGE, similarity)


def _only_said(kept: str, retiring: str) -> tuple[str, ...]:
    """What would be lost: details of the one that retires, and any word of the shorter one.

    The shorter one is asked even where it survives, since a merge raises the survivor's counters:
    what was refused once may not be granted the next time because the roles have changed.
    """
    lost = held_alone(retiring, beside=kept)
    if len(kept) <= len(retiring):
        lost += held_alone(kept, beside=retiring) + words_alone(kept, beside=retiring)
    if len(retiring) <= len(kept):
        lost += words_alone(retiring, beside=kept)
    return tuple(dict.fromkeys(lost))
