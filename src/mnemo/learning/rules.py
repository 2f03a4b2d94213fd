"""How trust follows use and time: pure.

Evidence comes in windows. A fact that recalls returned more than thirty times since its trust was
last adjusted is judged by the share of those recalls that somebody called helpful; the next
window begins there, so running the rules again without new recalls changes nothing. A fact that
was once recalled and then not for more than sixty days loses a twentieth, once in sixty days.
Being shown never raises trust, and only an explicit rating lowers it below the floors here.

Clocks go wrong. A recall that lies in the future is no age; a step of ageing that lies there is
taken as made now, so that it neither blocks the next one for ever nor lets it come early.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from math import inf

from mnemo import times


@dataclass(frozen=True)
class LearningKnobs:
    """The numbers of the rules."""

    min_retrievals: int = 30  # a window is judged when it holds more
    low_rate: float = 0.05  # below: demoted
    high_rate: float = 0.3  # above: promoted
    demotion: float = 0.9  # factor
    promotion: float = 0.05  # added
    aging_days: float = 60.0  # more than so many since the last recall, and since the last step
    aging: float = 0.95  # factor
    floor: float = 0.20  # no rule here lowers a rated fact below
    unrated_floor: float = 0.40  # nor a fact that nobody ever rated: no feedback is not a verdict


class TrustRule(StrEnum):
    """Why trust changed; REDATED moves no trust, it only brings a step of ageing out of the
    future.
    """

    PROMOTED = "promoted"
    DEMOTED = "demoted"
    AGED = "aged"
    REDATED = "redated"


@dataclass(frozen=True, slots=True)
class Use:
    """What is known about the use of one fact; counts are of the present window."""

    trust: float
    retrievals: int
    helpful: int
    is_rated: bool
    is_pinned: bool
    last_retrieved_at: datetime | None
    aged_at: datetime | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """The trust that follows, and the rules that moved it, in the order they were applied."""

    trust: float
    rules: tuple[TrustRule, ...]


KNOBS = LearningKnobs()
# Trust is written with so many decimals, which SQLite's fifteen digits of JSON hold exactly.
TRUST_DECIMALS = 12


def judge(use: Use, now: datetime, knobs: LearningKnobs = KNOBS) -> Judgement:
    """The trust of a fact after looking at its use: first the rate of helpful recalls, then age.

    No rules in the judgement means that nothing changes.
    """
    rate = rate_rule(use.retrievals, use.helpful, knobs)
    age = age_rule(use.last_retrieved_at, use.aged_at, now, knobs)
    return moved(
        use.trust, (rate, age), is_rated=use.is_rated, is_pinned=use.is_pinned, knobs=knobs
    )


def rate_rule(retrievals: int, helpful: int, knobs: LearningKnobs = KNOBS) -> TrustRule | None:
    """The rule that the share of helpful recalls in the present window calls for."""
    if retrievals <= knobs.min_retrievals:
        return None
    rate = helpful_rate(helpful, retrievals)
    if rate < knobs.low_rate:
        return TrustRule.DEMOTED
    return TrustRule.PROMOTED if rate > knobs.high_rate else None


def age_rule(
    last_retrieved_at: datetime | None,
    aged_at: datetime | None,
    now: datetime,
    knobs: LearningKnobs = KNOBS,
) -> TrustRule | None:
    """The rule that the time since the last recall, and since the last step, calls for."""
    if aged_at is not None and aged_at > now:
        return TrustRule.REDATED
    before = now - timedelta(days=knobs.aging_days)
    if last_retrieved_at is None or last_retrieved_at >= before:
        return None
    return TrustRule.AGED if aged_at is None or aged_at < before else None


def moved(
    trust: float,
    rules: Iterable[TrustRule | None],
    *,
    is_rated: bool,
    is_pinned: bool,
    knobs: LearningKnobs = KNOBS,
) -> Judgement:
    """What these rules, one after the other, make of a trust; those that change nothing go."""
    lowest = inf if is_pinned else knobs.floor if is_rated else knobs.unrated_floor
    applied: list[TrustRule] = []
    for rule in rules:
        if rule is None:
            continue
        after = _moved(trust, rule, lowest, knobs)
        if round(after - trust, TRUST_DECIMALS):
            trust = round(after, TRUST_DECIMALS)
        elif rule is not TrustRule.REDATED:
            continue
        applied.append(rule)
    return Judgement(trust, tuple(applied))


def _moved(trust: float, rule: TrustRule, lowest: float, knobs: LearningKnobs) -> float:
    match rule:
        case TrustRule.PROMOTED:
            return max(trust, min(1.0, trust + knobs.promotion))
        case TrustRule.DEMOTED:
            return _lowered(trust, knobs.demotion, lowest)
        case TrustRule.AGED:
            return _lowered(trust, knobs.aging, lowest)
        case TrustRule.REDATED:
            return trust


def _lowered(trust: float, factor: float, lowest: float) -> float:
    # A floor stops a fall; it never lifts a fact that is below it already.
    return max(min(trust, lowest), trust * factor)


def helpful_rate(helpful: int, retrievals: int) -> float:
    """The share of recalls that were called helpful: 0 … 1, 0.0 without recalls.

    Ratings can outnumber recalls, since a listed fact can be rated too; more than all is all.
    """
    return min(1.0, max(0, helpful) / max(1, retrievals))


def in_words(use: Use, rules: Iterable[TrustRule], now: datetime) -> str:
    """What a person is told of why these rules applied, such as "40 recalls since the last look,
    1 helpful (2.5 %); not recalled for 75 days".
    """
    return "; ".join(_in_words(rule, use, now) for rule in rules)


def _in_words(rule: TrustRule, use: Use, now: datetime) -> str:
    match rule:
        case TrustRule.PROMOTED | TrustRule.DEMOTED:
            rate = helpful_rate(use.helpful, use.retrievals)
            return (
                f"{use.retrievals} recalls since the last look, {use.helpful} helpful "
                f"({round(100 * rate, 1):g} %)"
            )
        case TrustRule.AGED:
            days = times.age_in_days(use.last_retrieved_at, now)
            return f"not recalled for {int(days)} days"
        case TrustRule.REDATED:
            return "its last ageing lay in the future"
