from datetime import date

import pytest

from mnemo.text.dates import (
    dates_as_written,
    day_tokens,
    days_asked_for,
    without_dates,
    without_named_dates,
)

TODAY = date(2026, 5, 14)  # a Thursday


def test_a_day_is_indexed_under_its_year_its_month_and_itself() -> None:
    assert day_tokens(date(2023, 5, 8)) == ("@2023", "@2023-05", "@2023-05-08")


@pytest.mark.parametrize(
    "query",
    ["what happened on 2023-05-08", "8 May 2023", "May 8, 2023", "2023年5月8日的会议", "2023/5/8"],
)
def test_a_day_is_understood_in_every_common_notation(query: str) -> None:
    assert days_asked_for(query, TODAY) == ("@2023", "@2023-05", "@2023-05-08")


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("in May 2023", ("@2023", "@2023-05")),
        ("2023年的旅行", ("@2023",)),
        ("yesterday", ("@2026-05-13",)),
        ("the day before yesterday", ("@2026-05-12",)),
        ("昨天", ("@2026-05-13",)),
        ("前天", ("@2026-05-12",)),
        ("大前天", ("@2026-05-11",)),
        ("3 days ago", ("@2026-05-11",)),
        ("a couple of days ago", ("@2026-05-11", "@2026-05-12", "@2026-05-13")),
        ("one month ago", ("@2026-04",)),
        ("五个月前", ("@2025-12",)),
        ("2 years ago", ("@2024",)),
        ("两年前", ("@2024",)),
        ("last Saturday", ("@2026-05-09",)),
        ("last Thursday", ("@2026-05-07",)),
        ("last weekend", ("@2026-05-09", "@2026-05-10")),
        ("in March", ("@2026-03",)),
        ("since June", ("@2025-06",)),
        ("三天前", ("@2026-05-11",)),
        ("上个月", ("@2026-04",)),
        ("last month", ("@2026-04",)),
        ("去年", ("@2025",)),
        ("this year", ("@2026",)),
    ],
)
def test_days_are_understood_from_where_today_stands(query: str, meant: tuple[str, ...]) -> None:
    assert days_asked_for(query, TODAY) == meant


@pytest.mark.parametrize("query", ["上周的会议", "what did we decide last week"])
def test_last_week_is_its_seven_days(query: str) -> None:
    days = days_asked_for(query, TODAY)
    assert days == tuple(f"@2026-05-{day:02d}" for day in range(4, 11))


@pytest.mark.parametrize("query", ["what did I buy two weeks ago", "两周前买的", "2个星期以前"])
def test_weeks_ago_are_counted_roughly(query: str) -> None:
    around = ("04-28", "04-29", "04-30", "05-01", "05-02")
    assert days_asked_for(query, TODAY) == tuple(f"@2026-{day}" for day in around)


def test_the_week_before_the_last_is_not_the_last() -> None:
    days = days_asked_for("上上周的会议", TODAY)
    assert (days[0], days[-1], len(days)) == ("@2026-04-27", "@2026-05-03", 7)


def test_a_day_without_a_year_is_the_latest_that_is_not_to_come() -> None:
    assert "@2026-03-01" in days_asked_for("3月1日", TODAY)
    assert "@2025-06-13" in days_asked_for("June 13th", TODAY)


@pytest.mark.parametrize("query", ["May I ask", "深色主题", "port 8080", "10.0.3.21", ""])
def test_other_words_and_numbers_are_no_days(query: str) -> None:
    assert days_asked_for(query, TODAY) == ()


def test_what_a_query_says_beside_its_days_is_left() -> None:
    assert without_dates("昨天的会议").strip() == "的会议"
    assert without_dates("8 May 2023").strip() == ""


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("lunch 8 May 2023", "lunch"),
        ("2023年5月8日的会议", "的会议"),
        ("3 days ago lunch", "lunch"),
        ("lunch yesterday", "lunch yesterday"),
        ("may I ask in May", "may I ask in May"),
        ("5月的会议", "5月的会议"),
        ("2023年的旅行", "2023年的旅行"),
        ("the budget of 2023", "the budget of 2023"),
    ],
)
def test_the_days_that_a_query_names_by_number_can_be_set_aside(query: str, left: str) -> None:
    assert without_named_dates(query).strip() == left


@pytest.mark.parametrize(
    "query", ["8 May 2023", "May 8th, 2023", "2023-05-08", "2023/5/8", "2023年5月8日"]
)
def test_a_day_is_known_in_the_common_ways_to_write_it(query: str) -> None:
    written = dates_as_written(query)
    for known in ("8 May 2023", "May 8 2023", "2023-05-08", "2023/5/8", "2023年5月8"):
        assert known in written


def test_a_month_or_a_day_without_a_year_is_known_as_it_may_be_written() -> None:
    assert "May 2023" in dates_as_written("in May 2023")
    assert "2023-05" in dates_as_written("2023年5月")
    assert "5月8" in dates_as_written("8 May")
    assert dates_as_written("3 days ago") == ("3 days ago",)
    assert dates_as_written("yesterday in May") == ()
