"""Numbers and dates as they are written in Chinese and English, brought to one form.

四千, 4,000 and 4000 are one number; 六月十三号, 6月13日 and June 13th are one day. Knows notation
only, no arithmetic and no calendar: 3.10 stays apart from 3.1, since it may be a version, and a
date is never resolved against today.
"""

import re
from typing import Final

_DIGITS: Final = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_PLACES: Final = {"十": 10, "百": 100, "千": 1000}
_MYRIADS: Final = {"万": 10_000, "亿": 100_000_000}
HAN_NUMERALS: Final = "零〇一二两三四五六七八九十百千万亿"

HAN_COUNT: Final = re.compile(
    f"(?:[一二两三四五六七八九][十百千万亿]|十(?=[一二三四五六七八九]))[{HAN_NUMERALS}]*"
)
"""A count that is cut out before words are: 八十分钟 is not 八, 十分 and 钟."""
NO_NUMBERS: Final = frozenset(str.split("千万 万一 万千 百万千万 一一 十足"))
"""Chinese words of numerals that count nothing."""

CLASSIFIERS: Final = frozenset(
    "个位条只件张名本台辆份块间家种项人部首支座篇场届次段套层行颗棵头匹双副根枚"
)
"""They stand between a number and what is counted, and say nothing of their own."""
MEASURES: Final = CLASSIFIERS | frozenset(
    """
    点 时 分 刻 分钟 秒 秒钟 小时 天 日 号 周 月 季 年 岁 期 遍 倍 度 元 角 米 里 公里 克 斤 公斤
    口 杯 瓶 批 门 组 班 路 楼 号楼 级 页 章 节 集 句
    """.split()
)
"""What a number may stand before within one Chinese word: 三点, 十五岁, 第三次."""

_UNITS: Final = {
    name: unit
    for unit, names in {
        "mm": "毫米 millimeter millimeters millimetre millimetres",
        "cm": "厘米 公分 centimeter centimeters centimetre centimetres",
        "m": "米 公尺 meter meters metre metres",
        "km": "公里 千米 kilometer kilometers kilometre kilometres",
        "g": "克 gram grams",
        "kg": "公斤 千克 kilogram kilograms kilo kilos",
        "ms": "毫秒 millisecond milliseconds",
        "s": "秒 秒钟 sec secs second seconds",
        "min": "分钟 mins minute minutes",
        "h": "小时 钟头 hr hrs hour hours",
        "day": "天 days",
        "%": "percent",
    }.items()
    for name in names.split()
}


def unit_of(word: str) -> str | None:
    """The sign of a unit of measure that is written out, in lower case: 厘米 → "cm"; else None.

    Only after a number: 天 is a day there and the sky elsewhere.
    """
    return _UNITS.get(word)


_ENGLISH: Final = {
    word: str(number)
    for number, word in enumerate(
        str.split("""
        zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen twenty
        """)
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90"}

_MONTH_NAMES: Final = str.split("jan feb mar apr may jun jul aug sep oct nov dec")
_MONTHS: Final = (
    "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    "|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?"
)
_DAY: Final = r"(?:3[01]|[12]\d|0?[1-9])"
_HAN_DAY: Final = rf"(?:{_DAY}|[一二三四五六七八九十]{{1,3}})"
_ORDINAL: Final = r"(?:st|nd|rd|th)?"

DATE: Final = rf"""
      (?P<y1>\d{{4}})(?P<dash>[-/.])(?P<m1>1[0-2]|0?[1-9])(?P=dash)(?P<d1>{_DAY})(?!\d)
    | (?:(?P<y2>\d{{4}}|[〇零一二三四五六七八九]{{4}})\s?年\s?的?)?
      (?P<m2>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月份?
      (?:\s?的?(?P<d2>{_HAN_DAY})\s?[日号](?![码线召称]))?
    | (?P<y3>\d{{4}}|[〇零一二三四五六七八九]{{4}})\s?年(?![级代龄限])
    | (?P<m4>{_MONTHS})\b\.?\s(?:the\s)?(?P<d4>{_DAY}){_ORDINAL}\b(?!:\d)(?:,?\s(?P<y4>\d{{4}})\b)?
    | (?P<d5>{_DAY}){_ORDINAL}\s(?:of\s)?(?P<m5>{_MONTHS})\b\.?(?:,?\s(?P<y5>\d{{4}})\b)?
    | (?P<m6>{_MONTHS})\b\.?,?\s(?P<y6>\d{{4}})\b
"""
"""A date, for re.VERBOSE; the groups y, m, d and a digit hold its parts."""


HAN_DATE: Final = "[一二三四五六七八九十]{1,2}月|[〇零一二三四五六七八九]{4}年"
"""How a date in Chinese numerals begins, where a run of Han characters has to stop for it."""


HAN_DATE_BEGINS: Final = "〇零一二三四五六七八九十"


def han_number(text: str) -> int | None:
    """The value of a Chinese numeral, or of 二〇二六 read digit by digit; None for other text."""
    if not text or any(c not in HAN_NUMERALS for c in text):
        return None
    if all(c in _DIGITS for c in text):
        return int("".join(str(_DIGITS[c]) for c in text))
    total = section = digit = 0
    next_place = 1  # of a digit that ends the numeral: 三万五 is 35 000, 三万零五 30 005
    for char in text:
        if char in _DIGITS:
            digit = _DIGITS[char]
            next_place = next_place if digit else 1
        elif char in _PLACES:
            section += (digit or 1) * _PLACES[char]
            digit, next_place = 0, _PLACES[char] // 10
        else:
            total = (total + section + digit) * _MYRIADS[char] or _MYRIADS[char]
            section = digit = 0
            next_place = _MYRIADS[char] // 10
    return total + section + digit * next_place


def number_word(word: str) -> str | None:
    """The digits of an English number word in lower case, else None."""
    return _ENGLISH.get(word)


def plain_number(text: str) -> str:
    """A number in digits without its thousands separators; decimals stay as written."""
    return text.replace(",", "")


def date_parts(match: re.Match[str]) -> tuple[str, str]:
    """(year, month-day) of a match of DATE, each "" where it is not said: ("2026", "05-01")."""
    groups = match.groupdict()
    found = {
        part[0]: value
        for part, value in groups.items()
        if value is not None and re.fullmatch(r"[ymd]\d", part)
    }
    year = _digits(found.get("y", ""))
    month = _month(found.get("m", ""))
    day = _digits(found.get("d", "")).zfill(2) if "d" in found else ""
    return year, f"{month}-{day}" if day else month


def _month(text: str) -> str:
    name = text[:3].lower()
    if name in _MONTH_NAMES:
        return f"{_MONTH_NAMES.index(name) + 1:02d}"
    return _digits(text).zfill(2) if text else ""


def _digits(text: str) -> str:
    value = han_number(text)
    return text.lstrip("0") if value is None else str(value)
