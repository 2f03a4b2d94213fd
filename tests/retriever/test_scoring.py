"""The formula that ranks, and what is always true of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.retriever.scoring import (
    FTS_WEIGHT,
    JACCARD_WEIGHT,
    final_score,
    fts_scores,
    length_penalty,
    relevance,
)

UNIT = st.floats(0.0, 1.0)
LENGTHS = st.integers(0, 20_000)


@pytest.mark.parametrize(
    ("relevant", "trust", "length", "score"),
    [
        (0.5, 1.0, 150, 0.5),
        (0.5, 1.0, 1500, 0.1),
        (0.5, 1.0, 50, 0.5),
        (0.6, 0.8, 900, 0.16),
        (1.0, 1.0, 300, 1.0),
        (1.0, 1.0, 0, 1.0),
        (0.0, 1.0, 10, 0.0),
    ],
)
def test_a_score_is_relevance_times_trust_times_the_penalty(
    relevant: float, trust: float, length: int, score: float
) -> None:
    assert final_score(relevant, trust, length) == pytest.approx(score, abs=1e-9)


@pytest.mark.parametrize(
    ("length", "penalty"),
    [(0, 1.0), (1, 1.0), (300, 1.0), (301, 0.9967), (600, 0.5), (3095, 0.0969), (3921, 0.0765)],
)
def test_length_costs_nothing_up_to_three_hundred(length: int, penalty: float) -> None:
    assert length_penalty(length) == pytest.approx(penalty, abs=5e-5)


def test_index_and_overlap_weigh_the_same() -> None:
    assert (FTS_WEIGHT, JACCARD_WEIGHT) == (0.5, 0.5)
    assert relevance(fts=1.0, jaccard=0.0) == relevance(fts=0.0, jaccard=1.0) == 0.5
    assert relevance(fts=0.8, jaccard=0.2) == pytest.approx(0.5)


def test_the_best_hit_of_the_index_has_all_of_its_share() -> None:
    assert fts_scores([-4.0, -2.0, -1.0]) == [1.0, 0.5, 0.25]
    assert fts_scores([]) == []


def test_words_that_every_fact_has_tell_no_fact_from_another() -> None:
    assert fts_scores([-1e-6, -2e-6]) == [1.0, 1.0]
    assert fts_scores([0.0]) == [1.0]


@given(UNIT, UNIT, UNIT, UNIT, LENGTHS, LENGTHS)
def test_more_relevance_more_trust_and_less_length_never_cost_rank(
    r1: float, r2: float, t1: float, t2: float, l1: int, l2: int
) -> None:
    worse = final_score(min(r1, r2), min(t1, t2), max(l1, l2))
    better = final_score(max(r1, r2), max(t1, t2), min(l1, l2))
    assert 0.0 <= worse <= better <= 1.0


@given(st.lists(st.floats(-50.0, 0.0), min_size=1, max_size=20))
def test_shares_lie_between_nothing_and_all_in_the_order_of_the_index(values: list[float]) -> None:
    shares = fts_scores(values)
    assert all(0.0 <= share <= 1.0 for share in shares)
    assert max(shares) == 1.0
    ordered = [share for _, share in sorted(zip(values, shares, strict=True))]
    assert ordered == sorted(shares, reverse=True)
