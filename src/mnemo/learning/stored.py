"""The rules over values as the store holds them, for one fact or for a hundred thousand.

Stamps are read here, with care, and nowhere below. What must hold: asked about one fact or about
all, the rules say the same.
"""

from datetime import datetime
from functools import lru_cache
from typing import Any

from mnemo import times
from mnemo.learning.rules import LearningKnobs, TrustRule, Use, age_rule, moved, rate_rule
from mnemo.store.evidence import LearningRow
from mnemo.store.trust import Rule, Verdict

_ANSWERS_KEPT = 50_000  # to different questions, while a run lasts


def use_of(row: LearningRow) -> Use:
    """What a row says about the use of its fact."""
    return Use(
        trust=row.trust,
        retrievals=row.retrievals,
        helpful=row.helpful,
        is_rated=row.is_rated,
        is_pinned=row.is_pinned,
        last_retrieved_at=times.parse(row.last_retrieved_at),
        aged_at=times.parse(row.aged_at),
    )


def bulk_rule(now: datetime, knobs: LearningKnobs) -> Rule:
    """The rules for a pass over many facts: what `judge` says, with no question asked twice.

    Its reasons are read by `rules_in`.
    """

    @lru_cache(maxsize=_ANSWERS_KEPT)
    def verdict(
        trust: float,
        rate: TrustRule | None,
        age: TrustRule | None,
        is_rated: bool,
        is_pinned: bool,
    ) -> Verdict | None:
        found = moved(trust, (rate, age), is_rated=is_rated, is_pinned=is_pinned, knobs=knobs)
        if not found.rules:
            return None
        return Verdict(
            found.trust,
            reason_of(found.rules),
            opens_window=found.rules[0] in (TrustRule.PROMOTED, TrustRule.DEMOTED),
            ages=found.rules[-1] in (TrustRule.AGED, TrustRule.REDATED),
        )

    def rule(
        trust: float,
        retrievals: int,
        helpful: int,
        is_rated: bool,
        is_pinned: bool,
        last_retrieved_at: Any,
        aged_at: Any,
    ) -> Verdict | None:
        rate = rate_rule(retrievals, helpful, knobs)
        age = age_rule(times.parse(last_retrieved_at), times.parse(aged_at), now, knobs)
        if rate is None and age is None:
            return None
        return verdict(trust, rate, age, is_rated, is_pinned)

    return rule


def reason_of(rules: tuple[TrustRule, ...]) -> str:
    """The rules as the journal keeps them."""
    return ", ".join(rules)


def rules_in(reason: str) -> tuple[TrustRule, ...]:
    """The rules that a reason in the journal names."""
    return tuple(map(TrustRule, reason.split(", ")))
