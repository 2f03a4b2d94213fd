"""Words of the best facts rank what else has them; they find nothing and outweigh nothing."""

from collections.abc import Callable

import pytest

from mnemo.retriever.search import Scored

Remember = Callable[..., list[int]]
Search = Callable[..., list[Scored]]

UNRELATED = [f"note {number} on gardens" for number in range(30)]


def ids(hits: list[Scored]) -> list[int]:
    return [hit.fact_id for hit in hits]


def test_a_fact_that_shares_words_with_the_best_ranks_before_one_that_does_not(
    remember: Remember, search: Search
) -> None:
    """Nina's dog is the dachshund Waldi: what else is said of Waldi belongs to the question."""
    best, other, told = remember(
        "dog of Nina: dachshund Waldi",
        "dog food went bad quickly",
        "dog walks with dachshund Waldi",
        *UNRELATED,
    )[:3]
    assert ids(search("Nina dog")) == [best, told, other]


def test_words_of_the_best_facts_find_nothing_by_themselves(
    remember: Remember, search: Search
) -> None:
    remember("Nina has the dachshund Waldi", "Waldi the dachshund barks", *UNRELATED)
    assert ids(search("Nina")) == [1]


def test_no_fact_rises_by_words_that_it_alone_has_given(remember: Remember, search: Search) -> None:
    remember("deploy zebra quagga okapi", "deploy lemur", *["zebra quagga okapi"], *UNRELATED)
    first, second = search("deploy")
    assert first.fact_id == 2
    assert first.fts > second.fts


def test_where_no_word_tells_facts_apart_feedback_tells_nothing(
    remember: Remember, search: Search
) -> None:
    remember(*["deploy on Monday"] * 3, "deploy on Friday", *["deploy on Sunday"] * 3)
    assert {hit.fts for hit in search("deploy")} == {1.0}


def test_the_parts_of_a_score_still_add_up(remember: Remember, search: Search) -> None:
    remember("dog of Nina: dachshund Waldi", "the dachshund Waldi and a dog", *UNRELATED)
    for hit in search("Nina dog"):
        assert hit.relevance == 0.5 * hit.fts + 0.5 * hit.jaccard
        assert hit.score == pytest.approx(hit.relevance * hit.trust * hit.penalty)
    assert max(hit.fts for hit in search("Nina dog")) == 1.0
