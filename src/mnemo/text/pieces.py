"""What a text is cut into before it is read: addresses, dates, numbers, flags, words, signs.

Knows spelling only. Where `tokens.py` folds what people write loosely, this room keeps what tells
two facts apart: accents, raised digits, minus signs, operators, the case of a flag. What must hold:
every character that is no white space lies in one piece.
"""

import re
from collections.abc import Iterator
from typing import Final

from mnemo.text import normal, numerals
from mnemo.text.roles import PHRASES
from mnemo.text.scripts import HAN, KANA, han_without

_PLAIN_HAN: Final = han_without(numerals.HAN_DATE_BEGINS)
_LETTER: Final = rf"(?![{HAN}{KANA}_])\w"
_JOINT: Final = r"[._/\\@\#+-]+"

_PHRASES: Final = "|".join(PHRASES).replace(" ", r"\s")

_BEGINNINGS: Final = "|".join(sorted({phrase.split()[0] for phrase in PHRASES}))

# Most pieces are plain words: they are told first, without a look at what else they could begin.
# It stays a text, which `re` compiles at its first use: a start that reads no fact pays nothing.
_PIECES: Final = rf"""
      (?P<plain> (?<![^\s(]) (?!(?:{_BEGINNINGS})\b) [a-z]++ (?=[\s,)]) )
    | (?P<address> [A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>()\[\]{{}}`|\u0080-\U0010ffff]+
                 | [A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+ )
    | (?P<date> (?<![A-Za-z0-9_.]) (?: {numerals.DATE} ) )
    | (?P<number> (?:(?<![\w)\]])-)? (?:\d{{1,3}}(?:,\d{{3}})+ | \d{{1,2}}:\d\d(?::\d\d)? | \d+ )
                  (?:\.\d+)? (?![A-Za-z0-9_]|{_JOINT}[A-Za-z0-9_]) )
    | (?P<range> (?<![\w./-]) \d+ (?:[-/]\d+)+ (?![\w/-]) )
    | (?P<special> [A-Za-z]+\d*(?:\+\+|\#)(?!\w) | (?<!\w)\.[Nn][Ee][Tt](?!\w)
                 | (?<!\w)[A-Z]{{1,2}}[+-](?![\w+-]) )
    | (?P<flag> (?<![^\s`"'(=])[-+][A-Za-z]\w*(?![\w-]) | \\[A-Za-z]\b )
    | (?P<compound> (?:[~.]{{0,2}}/|--?|_+)?[A-Za-z0-9]+(?:{_JOINT}[A-Za-z0-9]+)+[_/]?
                  | (?<![\w)])(?:[~.]{{0,2}}/|--|_+)[A-Za-z0-9]+ )
    | (?P<phrase> \b(?i:{_PHRASES})\b )
    | (?P<word> (?:{_LETTER})+(?:['\u2019](?:{_LETTER})+)* )
    | (?P<han> (?:[{_PLAIN_HAN}]++ | (?!{numerals.HAN_DATE})[{HAN}])+ | [{HAN}] )
    | (?P<kana> [{KANA}]+ )
    | (?P<operator> [=<>!+*|&^~/-]*[=<>|^][=<>!+*|&^~/-]* | &&+ | \*+ | [!~](?=[\w/.]) )
    | (?P<sign> \S )
    """

# A sign before a number, which is no dash between two things.
_MINUS: Final = re.compile(r"(?<![A-Za-z0-9_.)\]%])[-\u2212\u2013](?=[0-9])")
# **bold** and *slanted* words; the stars of a cron line or a path stand otherwise.
_EMPHASIS: Final = re.compile(r"(?<![\w*/])(\*{1,3})(?=[^\s*])([^*\n]*[^\s*])\1(?![\w*/])")
_BULLET: Final = re.compile(r"^[ \t]*[*+] ", re.MULTILINE)
_HAS_STAR: Final = re.compile(r"[*+]")


def pieces_of(folded: str) -> Iterator[re.Match[str]]:
    """The pieces of a folded text, each a match whose last group names its kind."""
    return re.finditer(_PIECES, folded, re.VERBOSE)


def folded(text: str) -> str:
    """The text in one spelling, as it is cut: simplified Han, marked signs, no emphasis."""
    if not text.isascii():
        text = normal.fold_spelling(normal.SMALL_DIGITS.sub(r"^\g<0>", text))
    if _HAS_STAR.search(text):
        text = _EMPHASIS.sub(r"\2", _BULLET.sub("", text))
    return _MINUS.sub(" minus ", text)
