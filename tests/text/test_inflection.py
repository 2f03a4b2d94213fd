"""Which words are forms of one word, and what time a form speaks of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.text.inflection import Form, akin, is_participle, is_past, same_time

WORDS = st.text(st.sampled_from("abdeinprsty"), min_size=1, max_size=9)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("city", "cities"),
        ("box", "boxes"),
        ("leaf", "leaves"),
        ("play", "playing"),
        ("plays", "played"),
        ("run", "running"),
        ("hope", "hoping"),
        ("hop", "hopped"),
        ("visit", "visited"),
        ("die", "dying"),
        ("go", "went"),
        ("wrote", "writing"),
    ],
)
def test_forms_of_one_word_are_akin(one: str, other: str) -> None:
    assert akin(one, other)
    assert akin(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("import", "important"),
        ("past", "paste"),
        ("universe", "university"),
        ("organ", "organization"),
        ("hopping", "hoping"),
        ("relative", "relativity"),
        ("customer", "custom"),
        ("late", "lately"),
    ],
)
def test_words_that_only_share_a_stem_are_not(one: str, other: str) -> None:
    assert not akin(one, other)


@given(WORDS, WORDS)
def test_being_akin_has_no_direction(one: str, other: str) -> None:
    assert akin(one, one)
    assert akin(one, other) == akin(other, one)


def test_a_past_form_is_told_by_its_ending_or_the_list() -> None:
    assert all(map(is_past, ("painted", "wrote", "kept")))
    assert not any(map(is_past, ("paints", "red", "need", "goes", "lying")))
    assert is_participle("cut")


def test_the_past_is_not_the_present() -> None:
    assert not same_time(Form.PAST, Form.PLAIN)
    assert not same_time(Form.PERFECT, Form.PLAIN)
    assert not same_time(Form.DURING, Form.PAST)
    assert same_time(Form.PASSIVE, Form.PAST)
    assert all(same_time(form, form) for form in Form)
