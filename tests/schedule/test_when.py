import pytest

from mnemo.errors import InvalidInput
from mnemo.schedule.when import When, parse_when


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("daily@03:00", When(3, 0)),
        ("daily@3:05", When(3, 5)),
        (" Daily @ 23:59 ", When(23, 59)),
        ("weekly@sun,04:30", When(4, 30, 6)),
        ("weekly@monday,0:00", When(0, 0, 0)),
        ("weekly@thurs,12:00", When(12, 0, 3)),
    ],
)
def test_a_moment_is_read_in_a_few_plain_forms(text: str, when: When) -> None:
    assert parse_when(text) == when


@pytest.mark.parametrize(
    "text",
    ["", "daily", "03:00", "hourly", "daily@3", "daily@24:00", "daily@03:60", "daily@٣:00",
     "weekly@03:00", "weekly@t,03:00", "weekly@moonday,03:00", "daily@03:00\n* * * * * rm"],
)  # fmt: skip
def test_any_other_text_is_refused_with_the_forms_that_are_allowed(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_when(text)
    assert "daily@03:00 or weekly@sun,03:00" in caught.value.hint


def test_a_moment_is_told_in_words() -> None:
    assert When(3, 5).in_words == "every day at 03:05"
    assert When(3, 5, 6).in_words == "every Sunday at 03:05"
