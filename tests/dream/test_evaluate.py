"""The health of a store after a dream."""

import pytest

from mnemo.dream.evaluate import Health, evaluate, health_of
from mnemo.dream.plan import DreamFact

NONE = {"identity": 0, "coding_style": 0, "tool_pref": 0, "workflow": 0, "general": 0}


def test_an_empty_store_is_all_zeros_with_every_category() -> None:
    assert evaluate([]) == Health(total=0, avg_trust=0.0, avg_length=0, coverage=NONE, score=0)


def test_counts_and_averages() -> None:
    health = evaluate(
        [
            DreamFact(1, "四个汉字", category="identity", trust=0.5),
            DreamFact(2, "seven!!", category="identity", trust=0.55),
            DreamFact(3, "five!", category="workflow", trust=0.62),
        ]
    )
    assert health.total == 3
    assert health.avg_trust == 0.56
    assert health.avg_length == 5
    assert health.coverage == NONE | {"identity": 2, "workflow": 1}


def test_length_is_counted_in_code_points() -> None:
    assert evaluate([DreamFact(1, "汉字😀")]).avg_length == 3


@pytest.mark.parametrize(
    ("trust", "shares", "score"),
    [
        (1.0, (0.0, 0.0, 0.0), 100),
        (0.5, (0.0, 0.0, 0.0), 80),
        (0.5, (0.5, 0.0, 0.0), 70),
        (0.5, (1.0, 1.0, 1.0), 20),
        (0.0, (1.0, 1.0, 1.0), 0),
    ],
)
def test_the_score_weighs_trust_and_what_a_dream_mends(
    trust: float, shares: tuple[float, float, float], score: int
) -> None:
    long, duplicate, conflict = shares
    health = evaluate(
        [DreamFact(1, "text", trust=trust)],
        long_share=long,
        duplicate_share=duplicate,
        conflict_share=conflict,
    )
    assert health.score == score


def test_long_facts_doubles_and_conflicts_lower_the_score() -> None:
    facts = [DreamFact(i, "short") for i in range(3)] + [DreamFact(9, "长" * 201)]
    well = health_of(facts[:3], 0, 0).score
    assert health_of(facts, 0, 0).score < well
    assert health_of(facts[:3], 2, 0).score < well
    assert health_of(facts[:3], 0, 1).score < well
    assert health_of([], 0, 0).score == 0
