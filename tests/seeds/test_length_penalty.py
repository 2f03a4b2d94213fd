"""Length penalty: what a match text of more than 300 characters costs.

The facts here are alone in their store, so that their rank in the index is 1; they repeat five
words, so that one of those words as a question overlaps by one fifth. Their relevance is
0.5 · 1 + 0.5 · 0.2 = 0.6 whatever their length, and their trust sets the rest.
"""

import pytest

from tests.doors import Door, Reply

pytestmark = pytest.mark.process

RELEVANCE = 0.6


def test_a_short_fact_pays_nothing(door: Door) -> None:
    """WHEN a fact of 150 characters has the raw score 0.5, THEN its final score is 0.5."""
    door.call("add", content=five_words(150))

    assert scored(door, raw=0.5)["score"] == 0.5


def test_a_long_fact_pays_in_proportion_to_its_length(door: Door) -> None:
    """WHEN a fact of 1500 characters has the raw score 0.5, THEN its final score is 0.1: five times
    the free length, one fifth of the score.
    """
    door.call("add", content=five_words(1500))

    assert scored(door, raw=0.5)["score"] == 0.1


def test_a_summary_lifts_the_penalty_of_a_long_content(door: Door) -> None:
    """WHEN a fact has a content of 2000 characters and a summary of 50, and the raw score 0.5, THEN
    its final score is 0.5, since the summary is what is matched.
    """
    door.call("add", content=five_words(2000), summary=five_words(50))

    assert scored(door, raw=0.5)["score"] == 0.5


def test_three_hundred_characters_are_free_and_one_more_is_not(door: Door) -> None:
    """WHEN facts have exactly 300 and exactly 301 characters, THEN the factor of the first is 1 and
    that of the second 300/301.
    """
    door.call("add", content=five_words(300), category="general")
    door.call("add", content=five_words(301), category="workflow")

    hits = door.call("search", query="bravo", explain=True)["results"]

    assert {hit["factId"]: hit["penalty"] for hit in hits} == {1: 1.0, 2: 0.9967}


def test_the_penalty_is_applied_after_trust(door: Door) -> None:
    """WHEN a fact of 900 characters has the relevance 0.6 and the trust 0.8, THEN its final score
    is 0.6 × 0.8 × 300/900 = 0.16, and the trust that is shown is still 0.8.
    """
    door.call("add", content=five_words(900))

    hit = scored(door, raw=RELEVANCE * 0.8)

    assert hit["relevance"] == RELEVANCE
    assert hit["trustScore"] == 0.8
    assert hit["score"] == 0.16


def five_words(length: int) -> str:
    words = "alpha bravo delta kappa sigma "
    text = (words * (length // len(words) + 1))[: (length + 1) // 6 * 6 - 1]
    return text + "." * (length - len(text))


def scored(door: Door, *, raw: float) -> Reply:
    """The only hit, after its trust was set so that relevance × trust is `raw`."""
    door.sql("UPDATE facts SET trust_score = ?", raw / RELEVANCE)
    (hit,) = door.call("search", query="bravo", explain=True)["results"]
    return hit
