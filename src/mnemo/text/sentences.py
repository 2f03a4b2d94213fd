"""Where sentences end, in Chinese and English, and what of a text fits into a summary.

Knows punctuation only: no grammar, no model. 。！？!? and ； end a sentence, and so does a line
break. An ASCII full stop ends one only before white space, the end of the text or a Han character,
and never inside a number, a version, an address or a file name, nor after an abbreviation. What
must hold: no character other than white space is lost, and a summary is made of whole sentences
that stand in the text.
"""

import re
from collections.abc import Iterator
from typing import Final

from mnemo.text.scripts import HAN

SUMMARY_LIMIT: Final = 150
"""Code points that an automatic summary may have: half of what ranks without a length penalty."""
SUMMARY_SENTENCES: Final = 2
"""Sentences in an automatic summary: the statement and what qualifies it."""

_CLOSING: Final = "\"'”’」』)）】》〉］]}"
_CLOSERS: Final = re.escape(_CLOSING)
_BOUNDARY: Final = re.compile(
    rf"""
      [。！？!?；]+ [{_CLOSERS}]*                        # a terminator, doubled or quoted
    | \.{{1,6}} [{_CLOSERS}]* (?= \s | \Z | [{HAN}] )   # a full stop where a sentence can end
    | …+ [{_CLOSERS}]* (?= \s | \Z )                    # an ellipsis only before a gap
    | [\r\n\u2028\u2029]+
    """,
    re.VERBOSE,
)
_ANNOUNCING: Final = (":", "：")
_WORD_BEFORE: Final = re.compile(r"[^\s(（\[【\"“‘「『,，、:：。！？；]*\Z")
_LONGEST_WORD_BEFORE: Final = 40

# All without their last full stop, in lower case.
_ABBREVIATIONS: Final = frozenset(
    str.split("""
    mr mrs ms dr prof st rev gen col sgt capt lt gov sen rep hon
    vs e.g i.e eg ie cf viz approx ca est resp incl excl dept univ ave blvd
    """)
)
# These stand inside a sentence as well as at its end: a capital after them begins a new one.
_CLOSING_ABBREVIATIONS: Final = frozenset(
    str.split("""
    etc al a.m p.m am pm u.s u.k ph.d inc ltd co corp jr sr mon tue wed thu fri sat sun
    min max avg hr hrs
    """)
)
# These are abbreviations only before a number: "No. 5", "Fig. 2", "Oct. 15"; else "He said no."
_BEFORE_NUMBERS: Final = frozenset(
    str.split("""
    no nos p pp ch sec fig figs eq eqs vol art v ed
    jan feb mar apr jun jul aug sep sept oct nov dec
    """)
)


def split_sentences(text: str) -> list[str]:
    """The sentences of `text` in order, each stripped and with its own punctuation.

    Pieces without a letter or digit join the sentence before them. Empty for blank text.
    """
    sentences: list[str] = []
    for start, end in _spans(text):
        piece = text[start:end].strip()
        if sentences and not _says_something(piece):
            sentences[-1] += piece
        elif piece:
            sentences.append(piece)
    return sentences


def summarise(
    text: str, *, limit: int = SUMMARY_LIMIT, sentences: int = SUMMARY_SENTENCES
) -> str | None:
    """The longest run of whole sentences from the start of `text`, at most `sentences` of them,
    that fits into `limit` code points; None where not even the first one does.

    Sentences are joined as they stand in the text: one space where white space was, else nothing.
    A line that only announces what follows, "Remember:", closes no summary.
    """
    spans = [span for span in _spans(text) if _says_something(text[span[0] : span[1]])]
    for count in range(min(sentences, len(spans)), 0, -1):
        summary = " ".join(text[spans[0][0] : spans[count - 1][1]].split())
        if len(summary) <= limit and not summary.endswith(_ANNOUNCING):
            return summary
    return None


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each sentence, its punctuation included."""
    start = 0
    for mark in _BOUNDARY.finditer(text):
        if _ends_sentence(text, mark, start):
            yield start, mark.end()
            start = mark.end()
    if start < len(text):
        yield start, len(text)


def _ends_sentence(text: str, mark: re.Match[str], start: int) -> bool:
    signs = mark.group()
    if signs[0] in ".!?" and signs[-1] in _CLOSING and text[mark.end() :].lstrip()[:1].islower():
        return False  # (why?) and "Stop." inside a sentence
    if signs[0] in "!?":
        return not _is_inside_word(text, mark)
    if signs[0] != ".":
        return True
    rest = text[mark.end() :].lstrip()
    if not rest:
        return True
    if signs.startswith(".."):
        return not rest[0].islower()
    word = _word_before(text, mark.start())
    if not word or (word.isdigit() and text[start : mark.start()].strip() == word):
        return False  # ".NET", and the number of a step: "1. Install it"
    return not _is_abbreviation(word, rest)


def _is_abbreviation(word: str, rest: str) -> bool:
    lower = word.lower()
    if len(word) == 1 and word.isascii() and word.isupper() and word != "I":
        return rest[0].isupper()  # an initial: "J. Smith"
    if lower in _CLOSING_ABBREVIATIONS:
        return rest[0].isascii() and not rest[0].isupper()
    if lower in _BEFORE_NUMBERS:
        return rest[0].isdigit()
    return lower in _ABBREVIATIONS


def _is_inside_word(text: str, mark: re.Match[str]) -> bool:
    """True for a question or exclamation mark in an address (`?a=1`) or an operator (`!=`)."""
    after = text[mark.end() : mark.end() + 1]
    if not after.isascii() or not after.strip():
        return False
    word = _word_before(text, mark.start())
    return not word or after == "=" or "/" in word or after.islower()


def _word_before(text: str, end: int) -> str:
    found = _WORD_BEFORE.search(text[max(0, end - _LONGEST_WORD_BEFORE) : end])
    return found.group() if found else ""


def _says_something(piece: str) -> bool:
    return any(char.isalnum() for char in piece)
