"""Reading a text as the row of things it says: words, numbers, dates, names, negations, limits.

Where `tokens.py` makes what can be searched, this room makes what can be compared: each word once,
whole names, numbers in one notation, with the clause it stands in and the small words before it.
Knows how a clause is built as far as punctuation and closed lists tell; a passive with its agent is
turned active, since it says the same. What must hold: the same text always gives the same units,
and a unit's `start` and `end` are its place in the folded text.
"""

import re
import unicodedata
from functools import lru_cache

from mnemo.text import numerals
from mnemo.text.han_row import HanRow
from mnemo.text.pieces import folded, pieces_of
from mnemo.text.roles import PHRASES, Role
from mnemo.text.row import CLAUSE_ENDS
from mnemo.text.units import Reading


@lru_cache(maxsize=4096)
def read(text: str) -> Reading:
    """The units of `text`."""
    return _Reader(folded(text), {}).reading()


@lru_cache(maxsize=256)
def read_wide(text: str) -> Reading:
    """The units of `text` where what follows the agent of a passive is said of the agent."""
    return _Reader(folded(text), {}, wide=True).reading()


def read_again(reading: Reading, words: dict[str, tuple[str, ...]]) -> Reading:
    """The same text where each Han string in `words` is cut as given there."""
    return _Reader(reading.folded, words).reading()


class _Reader(HanRow):
    """Reads one text."""

    def reading(self) -> Reading:
        last = 0
        for match in pieces_of(self._folded):
            start = match.start()
            if self._units and "\n" in self._folded[last:start]:
                self._close("\n")
            last = match.end()
            kind, piece = match.lastgroup, match.group()
            if kind == "han":
                self._add_han(piece, start)
            elif kind == "plain":
                self._add_plain(piece, piece, start)
            elif kind == "word":
                self._add_word(piece, start)
            elif kind == "sign":
                self._add_sign(piece, start)
            elif kind == "number":
                self._add(numerals.plain_number(piece), piece, Role.NUMBER, start)
            elif kind == "range":
                self._add_range(piece, start)
            elif kind == "compound":
                self._add_compound(piece, start)
            elif kind == "date":
                self._add_date(match)
            elif kind == "operator":
                role = Role.WORD if piece == "=" else Role.SIGN
                self._add(piece, piece, role, start)
            elif kind == "flag":
                self._add(piece, piece, Role.NAME, start)
            elif kind == "phrase":
                role, key = PHRASES[" ".join(piece.casefold().split())]
                self._add(key, piece, role, start)
            elif kind == "address":
                address = piece.rstrip(".,;:!?*_~")
                self._add(address, address, Role.NAME, start)
            else:
                self._add(
                    piece.casefold(), piece, Role.NAME if kind == "special" else Role.WORD, start
                )
        self._turn()
        return Reading(
            self._folded,
            tuple(self._units),
            tuple(self._small),
            frozenset(self._borders),
            self._is_passive,
        )

    def _add_range(self, piece: str, start: int) -> None:
        """2008-2009 is 2008 to 2009; 1/2 is 1 by 2."""
        for part in re.finditer(r"[-/]?(\d+)", piece):
            joint = part[0][0]
            if not joint.isdigit():
                self._small.append("p:to" if joint == "-" else "p:by")
            self._add(part[1], part[1], Role.NUMBER, start + part.start(1))

    def _add_date(self, match: re.Match[str]) -> None:
        year, day = numerals.date_parts(match)
        if year:
            self._add(year, match.group(), Role.DATE, match.start())
        if day:
            self._add(f"{day}日", match.group(), Role.DATE, match.start())

    def _add_sign(self, sign: str, start: int) -> None:
        if sign == "?" and len(self._units) > self._sentence_start:
            self._add("?", sign, Role.QUESTION, start)
        if sign == "." and self._folded[start + 1 : start + 2].isalnum():
            return
        if sign in CLAUSE_ENDS:
            self._close(sign)
        elif sign == "、" or sign == "&":
            self._small.append("j:and")
        elif sign in "%‰°" or unicodedata.category(sign) in ("Sm", "Sc"):
            self._add(sign, sign, Role.SIGN, start)
        elif unicodedata.category(sign) == "So":
            self._add(sign, sign, Role.WORD, start)
