"""The rules of trust, one by one: pure, over values."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.learning.rules import (
    KNOBS,
    Judgement,
    LearningKnobs,
    TrustRule,
    Use,
    helpful_rate,
    in_words,
    judge,
)

NOW = datetime(2026, 5, 14, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
FRESH = Use(
    trust=0.5,
    retrievals=0,
    helpful=0,
    is_rated=True,
    is_pinned=False,
    last_retrieved_at=NOW - DAY,
    aged_at=None,
)
PROMOTED, DEMOTED, AGED = TrustRule.PROMOTED, TrustRule.DEMOTED, TrustRule.AGED
REDATED = TrustRule.REDATED


def rules(use: Use, *, now: datetime = NOW) -> tuple[TrustRule, ...]:
    return judge(use, now).rules


@pytest.mark.parametrize(
    ("retrievals", "helpful", "trust", "expected"),
    [
        # more than thirty are needed
        (30, 0, 0.5, ()),
        (31, 0, 0.45, (DEMOTED,)),
        (30, 30, 0.5, ()),
        (31, 31, 0.55, (PROMOTED,)),
        # below a twentieth, not at it
        (100, 4, 0.45, (DEMOTED,)),
        (100, 5, 0.5, ()),
        (628, 4, 0.45, (DEMOTED,)),
        # above three tenths, not at it
        (100, 30, 0.5, ()),
        (100, 31, 0.55, (PROMOTED,)),
        (50, 20, 0.55, (PROMOTED,)),
        # between the two nothing happens
        (100, 15, 0.5, ()),
        # ratings outnumber recalls, or were taken back by another program
        (31, 100, 0.55, (PROMOTED,)),
        (31, -5, 0.45, (DEMOTED,)),
        # a counter that another program set back
        (-7, 3, 0.5, ()),
        (-70, -3, 0.5, ()),
    ],
)
def test_trust_follows_the_share_of_helpful_recalls(
    retrievals: int, helpful: int, trust: float, expected: tuple[TrustRule, ...]
) -> None:
    judgement = judge(replace(FRESH, retrievals=retrievals, helpful=helpful), NOW)
    assert judgement.rules == expected
    assert judgement.trust == pytest.approx(trust)


@pytest.mark.parametrize(
    ("trust", "expected", "moved"),
    [(0.98, 1.0, True), (1.0, 1.0, False), (0.0, 0.05, True), (1.5, 1.5, False)],
)
def test_promotion_ends_at_one(trust: float, expected: float, moved: bool) -> None:
    judgement = judge(replace(FRESH, retrievals=100, helpful=90, trust=trust), NOW)
    assert judgement.trust == pytest.approx(expected)
    assert judgement.rules == ((PROMOTED,) if moved else ())


@pytest.mark.parametrize(
    ("is_rated", "trust", "expected"),
    [
        (True, 0.5, 0.45),
        (True, 0.21, 0.2),
        (True, 0.2, 0.2),
        (True, 0.1, 0.1),
        (False, 0.5, 0.45),
        (False, 0.42, 0.4),
        (False, 0.4, 0.4),
        (False, 0.3, 0.3),
        (False, 0.0, 0.0),
    ],
)
def test_a_floor_stops_a_fall_and_never_lifts(
    is_rated: bool, trust: float, expected: float
) -> None:
    judgement = judge(replace(FRESH, retrievals=100, is_rated=is_rated, trust=trust), NOW)
    assert judgement.trust == pytest.approx(expected)
    assert judgement.rules == ((DEMOTED,) if expected != trust else ())


def test_a_pinned_fact_is_promoted_and_never_lowered() -> None:
    pinned = replace(FRESH, is_pinned=True, last_retrieved_at=NOW - 100 * DAY)
    assert rules(replace(pinned, retrievals=100)) == ()
    assert rules(replace(pinned, retrievals=100, helpful=90)) == (PROMOTED,)


@pytest.mark.parametrize(
    ("unused", "expected"),
    [
        (timedelta(days=10), ()),
        (timedelta(days=60), ()),
        (timedelta(days=60, seconds=1), (AGED,)),
        (timedelta(days=61), (AGED,)),
        (timedelta(days=3650), (AGED,)),
        (timedelta(days=-400), ()),  # in the future: a clock was wrong
    ],
)
def test_a_fact_ages_after_sixty_days_without_a_recall(
    unused: timedelta, expected: tuple[TrustRule, ...]
) -> None:
    judgement = judge(replace(FRESH, last_retrieved_at=NOW - unused), NOW)
    assert judgement.rules == expected
    assert judgement.trust == pytest.approx(0.475 if expected else 0.5)


def test_a_fact_that_was_never_recalled_does_not_age() -> None:
    assert rules(replace(FRESH, last_retrieved_at=None)) == ()


@pytest.mark.parametrize(
    ("aged", "expected"),
    [(1, ()), (60, ()), (61, (AGED,))],
)
def test_the_next_step_of_age_comes_sixty_days_after_the_last(
    aged: int, expected: tuple[TrustRule, ...]
) -> None:
    use = replace(FRESH, last_retrieved_at=NOW - 400 * DAY, aged_at=NOW - aged * DAY)
    assert rules(use) == expected


@pytest.mark.parametrize("ahead", [timedelta(seconds=1), 30 * DAY, 300_000 * DAY])
def test_a_step_of_age_that_lies_in_the_future_is_taken_as_made_now(ahead: timedelta) -> None:
    ahead_of_time = replace(FRESH, last_retrieved_at=NOW - 400 * DAY, aged_at=NOW + ahead)
    judgement = judge(ahead_of_time, NOW)
    assert judgement == Judgement(0.5, (REDATED,))
    redated = replace(ahead_of_time, aged_at=NOW)
    assert judge(redated, NOW + 60 * DAY).rules == ()
    assert judge(redated, NOW + 61 * DAY).rules == (AGED,)


def test_a_recall_in_the_future_is_no_age() -> None:
    assert rules(replace(FRESH, last_retrieved_at=NOW + 300_000 * DAY)) == ()


def test_trust_is_written_with_no_more_digits_than_json_tells() -> None:
    judgement = judge(replace(FRESH, trust=0.1 + 0.2, retrievals=40, helpful=20), NOW)
    assert judgement.trust == 0.35
    assert float(f"{judgement.trust:.15g}") == judgement.trust


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (
            replace(FRESH, retrievals=40, helpful=1),
            "40 recalls since the last look, 1 helpful (2.5 %)",
        ),
        (
            replace(FRESH, retrievals=50, helpful=70),
            "50 recalls since the last look, 70 helpful (100 %)",
        ),
        (replace(FRESH, last_retrieved_at=NOW - 75 * DAY), "not recalled for 75 days"),
        (
            replace(FRESH, retrievals=31, last_retrieved_at=NOW - 61 * DAY),
            "31 recalls since the last look, 0 helpful (0 %); not recalled for 61 days",
        ),
        (replace(FRESH, aged_at=NOW + DAY), "its last ageing lay in the future"),
    ],
)
def test_a_person_is_told_what_was_seen(use: Use, expected: str) -> None:
    assert in_words(use, rules(use), NOW) == expected


def test_the_rate_is_looked_at_before_the_age() -> None:
    judgement = judge(replace(FRESH, retrievals=100, last_retrieved_at=NOW - 90 * DAY), NOW)
    assert judgement.rules == (DEMOTED, AGED)
    assert judgement.trust == pytest.approx(0.5 * 0.9 * 0.95)


def test_a_rate_is_never_more_than_all_nor_less_than_none() -> None:
    assert helpful_rate(5, 2) == 1.0
    assert helpful_rate(-1, 2) == 0.0
    assert helpful_rate(0, 0) == 0.0
    assert helpful_rate(3, 0) == 1.0
    assert helpful_rate(1, 4) == 0.25


def test_the_numbers_of_the_rules_can_be_given() -> None:
    knobs = LearningKnobs(min_retrievals=2, demotion=0.5, floor=0.0)
    assert judge(replace(FRESH, retrievals=3), NOW, knobs).trust == 0.25
    assert judge(replace(FRESH, retrievals=3), NOW, KNOBS).trust == 0.5


USES = st.builds(
    Use,
    trust=st.floats(0.0, 1.0),
    retrievals=st.integers(-50, 1000),
    helpful=st.integers(-5, 1000),
    is_rated=st.booleans(),
    is_pinned=st.booleans(),
    last_retrieved_at=st.none() | st.integers(-400, 400).map(lambda days: NOW - days * DAY),
    aged_at=st.none() | st.integers(-400, 400).map(lambda days: NOW - days * DAY),
)


@given(USES)
def test_trust_stays_between_nothing_and_all(use: Use) -> None:
    judgement = judge(use, NOW)
    assert 0.0 <= judgement.trust <= 1.0
    assert judgement.rules or judgement.trust == use.trust


@given(USES)
def test_no_rule_lowers_a_fact_below_its_floor(use: Use) -> None:
    floor = KNOBS.floor if use.is_rated else KNOBS.unrated_floor
    assert judge(use, NOW).trust >= min(use.trust, floor)


@given(USES)
def test_a_fact_is_promoted_or_demoted_but_not_both(use: Use) -> None:
    assert not {PROMOTED, DEMOTED} <= set(rules(use))
    assert len(rules(use)) == len(set(rules(use)))
