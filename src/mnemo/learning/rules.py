"""How trust follows use and time: pure.

Evidence comes in windows. A fact that recalls returned more than thirty times since its trust was
last adjusted is judged by the share of those recalls that somebody called helpful; the next
window begins there, so running the rules again without new recalls changes nothing. A fact that
was once recalled and then not for more than sixty days loses a twentieth, once in sixty days.
Being shown never raises trust, and only an explicit rating lowers it below the floors here.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

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
    """Why trust changed."""

    PROMOTED = "promoted"
    DEMOTED = "demoted"
    AGED = "aged"


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


def judge(use: Use, now: datetime, knobs: LearningKnobs = KNOBS) -> Judgement:
    """The trust of a fact after looking at its use: first the rate of helpful recalls, then age.

    No rules in the judgement means that nothing changes.
    """
    trust, rules = use.trust, list[TrustRule]()
    for rule in _applicable(use, now, knobs):
        moved = _moved(trust, rule, use, knobs)
        if moved != trust:
            trust = moved
            rules.append(rule)
    return Judgement(trust, tuple(rules))


def helpful_rate(helpful: int, retrievals: int) -> float:
    """The share of recalls that were called helpful: 0 … 1, 0.0 without recalls.

    Ratings can outnumber recalls, since a listed fact can be rated too; more than all is all.
    """
    return min(1.0, max(0, helpful) / max(1, retrievals))


def _applicable(use: Use, now: datetime, knobs: LearningKnobs) -> list[TrustRule]:
    rules: list[TrustRule] = []
    if use.retrievals > knobs.min_retrievals:
        rate = helpful_rate(use.helpful, use.retrievals)
        if rate < knobs.low_rate:
            rules.append(TrustRule.DEMOTED)
        elif rate > knobs.high_rate:
            rules.append(TrustRule.PROMOTED)
    unused = times.age_in_days(use.last_retrieved_at, now) > knobs.aging_days
    if unused and (use.aged_at is None or times.age_in_days(use.aged_at, now) > knobs.aging_days):
        rules.append(TrustRule.AGED)
    return rules


def _moved(trust: float, rule: TrustRule, use: Use, knobs: LearningKnobs) -> float:
    match rule:
        case TrustRule.PROMOTED:
            return max(trust, min(1.0, trust + knobs.promotion))
        case TrustRule.DEMOTED:
            return _lowered(trust, knobs.demotion, use, knobs)
        case TrustRule.AGED:
            return _lowered(trust, knobs.aging, use, knobs)


def _lowered(trust: float, factor: float, use: Use, knobs: LearningKnobs) -> float:
    if use.is_pinned:
        return trust
    floor = knobs.floor if use.is_rated else knobs.unrated_floor
    # A floor stops a fall; it never lifts a fact that is below it already.
    return max(min(trust, floor), trust * factor)
