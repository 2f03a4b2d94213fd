"""A name in a text: whole words, in any spelling that folds to the same."""

import pytest

from mnemo.text.mentions import entities_version, stands_in


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rust", "User prefers Rust."),
        ("RUST", "rust-lang"),
        ("Some Project", "some-project is late"),
        ("C++", "(C++)"),
        ("café", "The CAFE opens at 8"),
        ("张伟", "新来的張偉負責後端"),
        ("rust", "我们用Rust写工具"),
        ("10.0.3.21", "staging is at 10.0.3.21:5432"),
    ],
)
def test_a_name_stands_where_it_is_a_whole_word(name: str, text: str) -> None:
    assert stands_in(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rust", "We trust nobody, and it is rusty"),
        ("Al", "Alice and Walter"),
        ("1.2", "version 11.25"),
        ("张伟", "张小伟"),
        ("", "anything"),
        (" ", "any thing"),
        ("rust", ""),
    ],
)
def test_a_part_of_a_word_is_no_name(name: str, text: str) -> None:
    assert not stands_in(name, text)


def test_the_second_place_counts_where_the_first_is_a_part_of_a_word() -> None:
    assert stands_in("rust", "trust rust")


def test_the_rules_for_names_have_a_version() -> None:
    assert entities_version().startswith("entities-")
