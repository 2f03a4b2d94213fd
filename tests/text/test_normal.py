"""What counts as the same text: for storing, for matching, for telling twins."""

import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mnemo.text.normal import cut, exact_key, fold, fold_keeping_case, folding_name, normalise

ANY_TEXT = st.text(st.characters())


@given(ANY_TEXT)
@example("\ud83d\ude00 \ud83d \0")
@settings(deadline=None)
def test_a_normalised_text_can_be_stored_and_stays_as_it_is(text: str) -> None:
    stored = normalise(text)
    stored.encode()
    assert "\0" not in stored
    assert stored == stored.strip()
    assert normalise(stored) == stored


def test_normalising_joins_surrogate_pairs_and_replaces_lone_ones() -> None:
    assert normalise("ok \ud83d\ude00") == "ok 😀"
    assert normalise("hi \ud83d") == "hi \ufffd"
    assert normalise("a\0b\0") == "ab"
    assert normalise(" cafe\u0301\n") == "café"


def test_normalising_keeps_case_width_and_script() -> None:
    assert normalise("Ｐｙｔｈｏｎ３ 編輯器") == "Ｐｙｔｈｏｎ３ 編輯器"


@given(ANY_TEXT)
@example("\u0345\u03b1")
@example("\u1e9e\u0130\u0149")
@example("\u1100\u0301\u1161")
@example("か\u0301\u3099")
@settings(deadline=None)
def test_folding_twice_is_folding_once(text: str) -> None:
    folded = fold(text)
    assert fold(folded) == folded


@given(ANY_TEXT)
@settings(deadline=None)
def test_folding_does_not_see_the_unicode_form(text: str) -> None:
    for form in ("NFC", "NFD"):
        assert fold(unicodedata.normalize(form, text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Straße", "strasse"),
        ("STRASSE", "strasse"),
        ("Café RÉSUMÉ", "cafe resume"),
        ("cafe\u0301", "cafe"),
        ("κόσμος", "κοσμοσ"),
        ("ΚΟΣΜΟΣ", "κοσμοσ"),
        ("Ёжик", "ежик"),
        ("Łódź Ørsted", "lodz orsted"),
        ("ﬁle №１", "file no1"),
        ("Ｐｙｔｈｏｎ３", "python3"),
        ("ｶﾞ", "ガ"),
        ("がパ", "がパ"),
        ("か\u3099", "が"),
        ("각", "각"),
        ("編輯器與資料庫", "编辑器与资料库"),
        ("臺灣", "台湾"),
        ("soft\u00adware zero\u200bwidth", "software zerowidth"),
    ],
)
def test_folding_brings_what_reads_alike_together(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize(("one", "other"), [("か", "が"), ("は", "ぱ"), ("C", "C++"), ("क", "कि")])
def test_folding_keeps_what_reads_differently_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(ANY_TEXT)
@settings(deadline=None)
def test_folding_may_keep_the_case(text: str) -> None:
    assert fold(fold_keeping_case(text)) == fold(text)


def test_case_is_kept_where_humps_are_wanted() -> None:
    assert fold_keeping_case("ＧｅｔÉtat 設定") == "GetEtat 设定"


def test_the_table_of_traditional_characters_has_a_name() -> None:
    assert folding_name().startswith("ts-")


@given(ANY_TEXT, st.integers(0, 40))
@settings(deadline=None)
def test_a_cut_text_is_a_beginning_of_the_text(text: str, limit: int) -> None:
    short = cut(text, limit)
    assert text.startswith(short)
    assert len(short) <= limit or short == text


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("abc", 3, "abc"),
        ("abc", 2, "ab"),
        ("深色主题", 2, "深色"),
        ("abe\u0301", 3, "ab"),
        ("a👨‍👩‍👧", 3, "a"),
        ("a👨‍👩‍👧", 4, "a"),
        ("a👨‍👩‍👧b", 6, "a👨‍👩‍👧"),
        ("a👍🏽", 2, "a"),
        ("a❤️", 2, "a"),
        ("🇨🇳🇯🇵", 3, "🇨🇳"),
        ("🇨🇳🇯🇵", 2, "🇨🇳"),
        ("👨‍👩‍👧", 2, "👨\u200d"),
        ("abc", 0, ""),
    ],
)
def test_a_cut_does_not_tear_a_visible_character(text: str, limit: int, short: str) -> None:
    assert cut(text, limit) == short


@given(ANY_TEXT)
@settings(deadline=None)
def test_a_key_is_its_own_key(text: str) -> None:
    key = exact_key(text)
    assert exact_key(key) == key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("用户偏好 VS Code", "用户偏好VS Code。"),
        ("用户偏好\u3000VS  Code ", "用户偏好ＶＳ Code"),
        ("Uses dark theme", "uses  dark\ntheme."),
        ("cafe\u0301", "CAFÉ!"),
        ("先写测试， 再写代码", "先写测试，再写代码。"),
    ],
)
def test_twins_share_a_key(one: str, other: str) -> None:
    assert exact_key(one) == exact_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("café", "cafe"),
        ("10 20", "1020"),
        ("the rapist", "therapist"),
        ("port 80", "port 8080"),
        ("Likes C++", "Likes C"),
        ("用户喜欢香菜", "用户不喜欢香菜"),
        ("他来了", "他来了？"),
        ("...", "!!!"),
        ("か", "が"),
    ],
)
def test_texts_that_say_different_things_have_different_keys(one: str, other: str) -> None:
    assert exact_key(one) != exact_key(other)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Delete with git branch -d", "Delete with git branch -D"),
        ("The limit is 10⁵", "The limit is 105"),
        ("The working directory is .", "The working directory is ~"),
        (r"The regex is \\d in the parser", r"The regex is \\D in the parser"),
        ("link speed is 100 Mb per second", "link speed is 100 MB per second"),
        ("The API token is aB3xY9", "The API token is Ab3Xy9"),
    ],
)
def test_what_case_or_a_raised_digit_tells_apart_is_no_twin(left: str, right: str) -> None:
    assert exact_key(left) != exact_key(right)
