"""Rare words choose candidates, common ones rank them, and nothing is lost by it."""

import sys
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.retriever.search import rank_facts, read_question
from mnemo.retriever.words import (
    choosing_words,
    parts_of_names,
    question_weight,
    weights_beside,
)
from mnemo.store import Filter, Store
from mnemo.store.words import Frequencies
from tests.store.scratch import NOW

Remember = Callable[..., list[int]]

KNOWN = Frequencies(100, 8.0, {"rare": 1, "seldom": 5, "often": 60, "always": 100})


def test_the_rarest_words_choose_as_long_as_they_match_few_facts() -> None:
    words = ["always", "often", "rare", "seldom", "unknown"]
    assert choosing_words(words, KNOWN, most=6) == ["rare", "seldom"]
    assert choosing_words(words, KNOWN, most=1000) == ["always", "often", "rare", "seldom"]


def test_the_rarest_word_chooses_however_common_it_is() -> None:
    assert choosing_words(["always", "often"], KNOWN, most=6) == ["often"]
    assert choosing_words(["unknown"], KNOWN, most=6) == []


def test_a_word_that_did_not_choose_still_weighs_what_it_weighs() -> None:
    beside = weights_beside(["rare", "seldom"], ["rare"], KNOWN)
    assert list(beside) == ["seldom"]
    assert sum(beside.values()) < question_weight(["rare", "seldom"], KNOWN)


def test_the_parts_of_a_name_weigh_half_beside_the_whole() -> None:
    known = Frequencies(100, 8.0, {"10.0.3.21": 1, "10": 5, "21": 5, "host": 5})
    words = ["10.0.3.21", "10", "21", "host"]
    assert parts_of_names(words) == {"10", "21"}
    beside = weights_beside(words, words, known)
    assert beside.keys() == {"10", "21"}
    assert beside["10"] == pytest.approx(-question_weight(["10"], known) / 2)


def test_who_asks_for_a_name_gets_what_has_it_before_what_is_more_trusted(
    store: Store, remember: Remember
) -> None:
    remember({"content": "预发数据库在内网 10.0.3.22，端口 5433。", "trust_score": 0.9})
    [wanted] = remember("生产数据库在内网 10.0.3.21，端口 5432。")
    remember("数据库连接池大小为 20", "用户偏好深色主题", "The proxy listens on port 8080")
    ranked = rank_facts(store, read_question("10.0.3.21", NOW.date()), Filter(), limit=3)
    assert ranked[0].fact_id == wanted


def test_a_common_word_has_a_least_weight_beside_rarer_ones_only() -> None:
    assert weights_beside(["rare", "always"], ["rare", "always"], KNOWN)["always"] > 0.49
    assert sum(weights_beside(["always"], ["always"], KNOWN).values()) == 0


def ids(store: Store, query: str, *, most: int, wanted: Filter | None = None) -> Sequence[int]:
    question = read_question(query, NOW.date())
    hits = rank_facts(store, question, wanted or Filter(), limit=20, most_matches=most)
    return [hit.fact_id for hit in hits]


def test_common_words_choose_where_rare_ones_find_too_little(
    store: Store, remember: Remember
) -> None:
    remember(
        "deploy on xylophone", *["deploy on a day"] * 5, {"content": "deploy", "category": "c"}
    )
    assert len(ids(store, "xylophone deploy", most=1)) == 7
    # The rare word has no fact of the wanted kind.
    assert ids(store, "xylophone deploy", most=1, wanted=Filter(category="c")) == [7]


def test_scores_are_the_same_whichever_words_choose(store: Store, remember: Remember) -> None:
    remember(
        *(f"alpha gamma {'alpha ' * (n % 4)} {'and so on ' * (n % 5)}" for n in range(60)),
        *(f"alpha number{n}" for n in range(100)),
        *(f"delta number{n}" for n in range(200)),
    )
    question = read_question("alpha gamma", NOW.date())
    quick, whole = (
        rank_facts(store, question, Filter(), limit=20, most_matches=most)
        for most in (70, sys.maxsize)
    )
    assert [hit.fact_id for hit in quick] == [hit.fact_id for hit in whole]
    assert [hit.score for hit in quick] == pytest.approx([hit.score for hit in whole])


@given(st.lists(st.sampled_from(sorted(KNOWN.with_word)), unique=True), st.integers(0, 200))
def test_known_words_are_never_all_left_out(words: list[str], most: int) -> None:
    chosen = choosing_words(words, KNOWN, most=most)
    assert bool(chosen) == bool(words)
    assert set(chosen) <= set(words)
