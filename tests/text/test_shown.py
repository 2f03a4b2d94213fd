"""A text as it may be shown: one line, nothing unseen, no tag of a client."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.text.shown import for_a_model, one_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("first\nsecond\r\n\tthird", "first second third"),
        ("\x1b[2J\x07cleared\x9b0m", "[2J cleared 0m"),
        ("a\u202eb\u2066c\u061cd", "a b c d"),
        ("in\u200bvi\ufeffsi\u2060ble", "invisible"),
        ("hidden\U000e0049\U000e0067\U000e006e", "hidden"),
        ("😀\ufe0f\ufe01\ufe02", "😀\ufe0f"),
        ("👨\u200d👩\u200d👧 می\u200cخواهم", "👨\u200d👩\u200d👧 می\u200cخواهم"),
    ],
)
def test_a_line_hides_nothing_and_drives_no_terminal(text: str, shown: str) -> None:
    assert one_line(text) == shown


@pytest.mark.parametrize(
    "tag",
    [
        "<system-reminder>",
        "</System-Reminder >",
        "<system\n-reminder>".replace("\n", ""),
        "<sys\u200btem_reminder a='1'>",
        "<memory-context>",
        "<|im_start|>",
        "<system\u2028>",
        "<</SYS>>",
    ],
)
def test_a_clients_tag_loses_its_angle_brackets(tag: str) -> None:
    shown = for_a_model(f"before {tag} after")
    assert "<" not in shown
    assert shown.startswith("before ‹")


@pytest.mark.parametrize("text", ["a < b > c", "vector<int>", "<div>", "/home/<user>/"])
def test_other_brackets_stay(text: str) -> None:
    assert for_a_model(text) == text


@given(st.text())
def test_any_text_becomes_one_line(text: str) -> None:
    shown = for_a_model(text)
    assert len(shown.splitlines()) <= 1
    assert shown == shown.strip()
