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
_MONTH_NAMES: Final = str.split(
    "January February March April May June July August September October November December"
)


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
    for pattern in (
        _NAMED,
        *(pattern for pattern, _, _ in _SPAN_PATTERNS),
        _AGO,
        _LONG_AGO,
        _LAST_WEEKDAY,
        _MONTH_ALONE,
        *_PERIODS,
    ):
        query = pattern.sub(" ", query)
    return query


def without_named_dates(query: str) -> str:
    """Return a query without the days whose numbers it gives, since those numbers alone would
    find versions and sums; yesterday and 上周 stay, and so does a year alone.
    """
    for match in reversed(list(_numbered(query))):
        query = f"{query[: match.start()]} {query[match.end() :]}"
    return query


def dates_as_written(query: str) -> tuple[str, ...]:
    """Return the dates that `without_named_dates` takes out, as they stand there and in the other
    common notations: 8 May 2023, May 8 2023, 2023-05-08, 2023/5/8, 2023年5月8.
    """
    found: dict[str, None] = {}
    for match in _numbered(query):
        found[match[0].rstrip("日号")] = None
        if match.re is _NAMED:
            found |= dict.fromkeys(_notations(*numerals.date_parts(match)))
    return tuple(found)


def _numbered(query: str) -> Iterator[re.Match[str]]:
    found = [m for m in _NAMED.finditer(query) if numerals.date_parts(m)[1] and _is_day(m)]
    yield from sorted([*found, *_AGO.finditer(query)], key=lambda match: match.start())


def _is_day(match: re.Match[str]) -> bool:
    year, month_day = numerals.date_parts(match)
    # "May" and 三月 alone are as often names or spans as dates.
    return bool(year) or len(month_day) == len("05-08")


def _notations(year: str, month_day: str) -> Iterator[str]:
    month, day = month_day[:2], month_day[3:]
    name, m, d = _MONTH_NAMES[int(month) - 1], int(month), day.lstrip("0")
    if year:
        yield "-".join(filter(None, (year, month, day)))
        yield "/".join(filter(None, (year, str(m), d)))
    yield f"{year}年{m}月{d}".removeprefix("年")
    yield " ".join(filter(None, (name, d, year)))
    if day:
        yield f"{d} {name} {year}".strip()


def _named(query: str, today: date) -> Iterator[str]:
    for match in filter(_is_day, _NAMED.finditer(query)):
        year, month_day = numerals.date_parts(match)
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
_LAST_WEEK: Final = re.compile(r"\blast week\b|(?<!上)上个?(?:周|星期|礼拜)", re.IGNORECASE)
_WEEK_BEFORE: Final = re.compile(r"上上个?(?:周|星期|礼拜)")
_LAST_WEEKEND: Final = re.compile(r"\b(?:last|past) weekend\b", re.IGNORECASE)
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
_PERIODS: Final = (
    *(_LAST_WEEK, _WEEK_BEFORE, _THIS_WEEK, _LAST_WEEKEND),
    *(_LAST_MONTH, _THIS_MONTH, _LAST_YEAR, _THIS_YEAR),
)

_COUNTS: Final = {
    word: count
    for count, word in enumerate(
        str.split("one two three four five six seven eight nine ten"), start=1
    )
} | {"a": 1, "an": 1, "a couple of": 2}
_LONG_AGO: Final = re.compile(
    rf"\b(?P<count>\d{{1,2}}|{'|'.join(sorted(_COUNTS, reverse=True))})"
    r" (?P<unit>day|week|month|year)s? ago\b"
    r"|(?P<shu>\d{1,2}|[一二两三四五六七八九十]{1,2})(?P<wei>个?(?:周|星期|礼拜)|个月|年)(?:之?前|以前)",
    re.IGNORECASE,
)
_HAN_UNITS: Final = {"周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}
_WEEKDAYS: Final = str.split("monday tuesday wednesday thursday friday saturday sunday")
_LAST_WEEKDAY: Final = re.compile(rf"\blast ({'|'.join(_WEEKDAYS)})\b", re.IGNORECASE)
_MONTH_ALONE: Final = re.compile(
    rf"\b(?:in|of|since|until|during|last)\s({'|'.join(_MONTH_NAMES)})\b(?!,?\s\d)"
)


def _relative(query: str, today: date) -> Iterator[str]:
    for pattern, back, span in _SPAN_PATTERNS:
        if pattern.search(query):
            yield from _days(today - timedelta(days=back - i) for i in range(span))
    for match in _AGO.finditer(query):
        said = match["count"] or match["tian"]
        back = int(said) if said.isdigit() else numerals.han_number(said) or 0
        yield from _days([today - timedelta(days=back)])
    yield from _some_time_ago(query, today)
    for match in _MONTH_ALONE.finditer(query):
        month = f"{_MONTH_NAMES.index(match[1]) + 1:02}"
        yield f"@{_latest_year(month, today)}-{month}"
    monday = today - timedelta(days=today.weekday())
    if _WEEK_BEFORE.search(query):
        yield from _days(monday - timedelta(days=14 - i) for i in range(7))
    if _LAST_WEEKEND.search(query):
        sunday = today - timedelta(days=today.weekday() + 1)
        yield from _days([sunday - timedelta(days=1), sunday])
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


def _some_time_ago(query: str, today: date) -> Iterator[str]:
    """A week is counted roughly by those who say it, two days more or less; of a month or a year
    that long ago the whole is meant.
    """
    for match in _LONG_AGO.finditer(query):
        said = (match["count"] or match["shu"]).lower()
        count = int(said) if said.isdigit() else _COUNTS.get(said) or numerals.han_number(said) or 0
        unit = match["unit"] or _HAN_UNITS[match["wei"].removeprefix("个")]
        match unit.lower():
            case "day":
                around = 1 if said == "a couple of" else 0
                yield from _around(today - timedelta(days=count), around)
            case "week":
                yield from _around(today - timedelta(weeks=count), 2)
            case "month":
                year, month = divmod(today.year * 12 + today.month - 1 - count, 12)
                yield f"@{year}-{month + 1:02}"
            case _:
                yield f"@{today.year - count}"
    for match in _LAST_WEEKDAY.finditer(query):
        back = (today.weekday() - _WEEKDAYS.index(match[1].lower()) - 1) % 7 + 1
        yield from _around(today - timedelta(days=back), 0)


def _around(day: date, days: int) -> Iterator[str]:
    return _days(day + timedelta(days=i) for i in range(-days, days + 1))


def _days(days: Iterable[date]) -> Iterator[str]:
    return (day_tokens(day)[2] for day in days)
