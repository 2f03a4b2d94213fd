"""Days as tokens, and the days that a question means.

A fact is indexed under its year, its month and its day. A question names days outright (8 May
2023, 2023年5月) or from today's point of view (yesterday, 上周); the second kind needs to know
today. Knows the calendar and the words for it; refuses to know where dates are used.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Final

from mnemo.text import numerals

_NAMED: Final = re.compile(numerals.DATE, re.VERBOSE | re.IGNORECASE)


def day_tokens(day: date) -> tuple[str, str, str]:
    """Return the tokens of a day: year, month and day, as ``@2023``, ``@2023-05``, …"""
    return (f"@{day:%Y}", f"@{day:%Y-%m}", f"@{day:%Y-%m-%d}")


def days_asked_for(query: str, today: date) -> tuple[str, ...]:
    """Return the date tokens that a question means, each once; a day also means its month and
    year, a day without a year the latest one that is not to come.
    """
    return tuple(dict.fromkeys((*_named(query, today), *_relative(query, today))))


def without_dates(query: str) -> str:
    """Return what a query says beside the days that it names."""
    for pattern in (_NAMED, *(p for p, _, _ in _SPAN_PATTERNS), _AGO, *_PERIODS):
        query = pattern.sub(" ", query)
    return query


def _named(query: str, today: date) -> Iterator[str]:
    for match in _NAMED.finditer(query):
        year, month_day = numerals.date_parts(match)
        if not year and len(month_day) < len("05-08"):
            continue  # "May" and 三月 alone are as often names or spans as dates
        year = year or _latest_year(month_day, today)
        yield f"@{year}"
        if month_day:
            yield f"@{year}-{month_day[:2]}"
        if len(month_day) > len("05"):
            yield f"@{year}-{month_day}"


def _latest_year(month_day: str, today: date) -> str:
    return str(today.year if month_day <= f"{today:%m-%d}" else today.year - 1)


# How many days back each begins, and how many days it spans.
_SPANS: Final = (
    (r"大前天", 3, 1),
    (r"\bday before yesterday\b|(?<!大)前天|前日", 2, 1),
    (r"(?<!before )\byesterday\b|昨天|昨日|昨晚|\blast night\b", 1, 1),
    (r"\btoday\b|\btonight\b|今天|今日|今晚|今早", 0, 1),
)
_SPAN_PATTERNS: Final = tuple((re.compile(p, re.IGNORECASE), b, n) for p, b, n in _SPANS)
_LAST_WEEK: Final = re.compile(r"\blast week\b|上个?(?:周|星期|礼拜)", re.IGNORECASE)
_THIS_WEEK: Final = re.compile(r"\bthis week\b|(?:这|本)个?(?:周|星期|礼拜)(?!末)", re.IGNORECASE)
_LAST_MONTH: Final = re.compile(r"\blast month\b|上个?月", re.IGNORECASE)
_THIS_MONTH: Final = re.compile(r"\bthis month\b|(?:这个|本)月", re.IGNORECASE)
_LAST_YEAR: Final = re.compile(r"\blast year\b|去年", re.IGNORECASE)
_THIS_YEAR: Final = re.compile(r"\bthis year\b|今年", re.IGNORECASE)
_AGO: Final = re.compile(
    r"\b(?P<count>\d{1,3}) days? ago\b"
    r"|(?P<tian>\d{1,3}|[一二三四五六七八九十]{1,2})天(?:之?前|以前)",
    re.IGNORECASE,
)
_PERIODS: Final = (_LAST_WEEK, _THIS_WEEK, _LAST_MONTH, _THIS_MONTH, _LAST_YEAR, _THIS_YEAR)


def _relative(query: str, today: date) -> Iterator[str]:
    for pattern, back, span in _SPAN_PATTERNS:
        if pattern.search(query):
            yield from _days(today - timedelta(days=back - i) for i in range(span))
    for match in _AGO.finditer(query):
        said = match["count"] or match["tian"]
        back = int(said) if said.isdigit() else numerals.han_number(said) or 0
        yield from _days([today - timedelta(days=back)])
    monday = today - timedelta(days=today.weekday())
    if _LAST_WEEK.search(query):
        yield from _days(monday - timedelta(days=7 - i) for i in range(7))
    if _THIS_WEEK.search(query):
        yield from _days(monday + timedelta(days=i) for i in range(7))
    if _LAST_MONTH.search(query):
        yield f"@{today.replace(day=1) - timedelta(days=1):%Y-%m}"
    if _THIS_MONTH.search(query):
        yield f"@{today:%Y-%m}"
    if _LAST_YEAR.search(query):
        yield f"@{today.year - 1}"
    if _THIS_YEAR.search(query):
        yield f"@{today.year}"


def _days(days: Iterable[date]) -> Iterator[str]:
    return (day_tokens(day)[2] for day in days)
