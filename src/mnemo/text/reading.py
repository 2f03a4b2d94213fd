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
from typing import Final

from mnemo.text import han, normal, numerals
from mnemo.text.roles import (
    BEINGS,
    MEASURES,
    NOT,
    Role,
    base_form,
    is_hollow,
    is_participle,
    role_of,
)
from mnemo.text.tokens import index_tokens
from mnemo.text.units import Reading, Unit, preposed, turned_active

_HAN: Final = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_KANA: Final = "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff"
_LETTER: Final = rf"(?![{_HAN}{_KANA}_])\w"
_JOINT: Final = r"[._/\\@\#+-]+"

_PIECES: Final = re.compile(
    rf"""
      (?P<address> [A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>()\[\]{{}}`|\u0080-\U0010ffff]+
                 | [A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+ )
    | (?P<date> (?<![A-Za-z0-9_.]) (?: {numerals.DATE} ) )
    | (?P<number> (?:(?<![\w)\]])-)? (?:\d{{1,3}}(?:,\d{{3}})+ | \d{{1,2}}:\d\d(?::\d\d)? | \d+ )
                  (?:\.\d+)? (?![A-Za-z0-9_]|{_JOINT}[A-Za-z0-9_]) )
    | (?P<special> [A-Za-z]+\d*(?:\+\+|\#)(?!\w) | (?<!\w)\.[Nn][Ee][Tt](?!\w) )
    | (?P<compound> (?:[~.]{{0,2}}/|--?|_+)?[A-Za-z0-9]+(?:{_JOINT}[A-Za-z0-9]+)+[_/]?
                  | (?<![\w)])(?:[~.]{{0,2}}/|--|_+)[A-Za-z0-9]+ )
    | (?P<word> (?:{_LETTER})+(?:['\u2019](?:{_LETTER})+)* )
    | (?P<han> (?:(?!{numerals.HAN_DATE})[{_HAN}])+ | [{_HAN}] )
    | (?P<kana> [{_KANA}]+ )
    | (?P<sign> \S )
    """,
    re.VERBOSE,
)
_AMOUNT: Final = re.compile(r"(\d+(?:\.\d+)?)([A-Za-z]*)")
_TO: Final = re.compile(r"\s+to\b", re.IGNORECASE)
_ORDINAL_ENDINGS: Final = frozenset({"st", "nd", "rd", "th"})
_UNITS: Final = frozenset(
    str.split("""
    ms s sec min h hr hrs d mm cm m km g kg mg t kb mb gb tb kib mib gib px em rem pt hz khz mhz ghz
    w kw v mv a ma am pm fps rpm ml l inch in ft mph
    """)
)
_SENTENCE_ENDS: Final = frozenset(".。!?;\n")
_CLAUSE_ENDS: Final = frozenset(",:…—–()[]{}") | _SENTENCE_ENDS
# They bound a number before them; elsewhere they are words like others: 以下代码.
_BOUNDS: Final = frozenset(str.split("以上 以下 以内 左右"))
_RELATIVES: Final = frozenset({"who", "which", "that"})
# After a number they are its unit, whatever word they could begin.
_COUNTED: Final = frozenset("点个岁")


@lru_cache(maxsize=4096)
def read(text: str) -> Reading:
    """The units of `text`."""
    return _Reader(_folded(text), {}).reading()


@lru_cache(maxsize=256)
def read_wide(text: str) -> Reading:
    """The units of `text` where what follows the agent of a passive is said of the agent."""
    return _Reader(_folded(text), {}, wide=True).reading()


def read_again(reading: Reading, words: dict[str, tuple[str, ...]]) -> Reading:
    """The same text where each Han string in `words` is cut as given there."""
    return _Reader(reading.folded, words).reading()


# A sign before a number, which is no dash between two things.
_MINUS = re.compile(r"(?<![A-Za-z0-9_.)\]%])[-\u2212\u2013](?=[0-9])")
_DENYING_VERBS = frozenset(
    "dont doesnt didnt isnt arent wasnt werent havent hasnt cant wont couldnt shouldnt".split()
)


def _folded(text: str) -> str:
    return _MINUS.sub(" minus ", normal.fold_keeping_case(text))


class _Reader:
    """Collects the units of one text; used once."""

    def __init__(
        self, folded: str, forced: dict[str, tuple[str, ...]], *, wide: bool = False
    ) -> None:
        self._folded = folded
        self._forced = forced
        self._units: list[Unit] = []
        self._borders: set[int] = set()
        self._small: list[str] = []
        self._owned = ""
        self._article = ""
        self._clause = 0
        self._sentence = 0
        self._clause_start = 0
        self._sentence_start = 0
        self._being = -1
        self._verb: int | None = None
        self._agent: int | None = None
        self._is_passive = False
        self._wide = wide
        self._relative = False
        self._added: int | None = None

    def reading(self) -> Reading:
        last = 0
        for match in _PIECES.finditer(self._folded):
            start = match.start()
            if self._units and "\n" in self._folded[last:start]:
                self._close("\n")
            last = match.end()
            kind, piece = match.lastgroup, match.group()
            if kind == "han":
                self._add_han(piece, start)
            elif kind == "word":
                self._add_word(piece, start)
            elif kind == "sign":
                self._add_sign(piece, start)
            elif kind == "number":
                self._add(numerals.plain_number(piece), piece, Role.NUMBER, start)
            elif kind == "compound":
                self._add_compound(piece, start)
            elif kind == "date":
                self._add_date(match)
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

    def _add(self, key: str, text: str, role: Role, start: int, name: str = "") -> None:
        self._units.append(
            Unit(
                key,
                text,
                role,
                self._clause,
                self._sentence,
                tuple(self._small),
                self._owned,
                self._article,
                name,
                start,
                start + len(text),
            )
        )
        if self._small:
            self._small = []
        self._owned = self._article = ""

    def _add_listed(self, role: Role, key: str, text: str, start: int) -> None:
        """A word of the closed lists: small words are kept for the unit that follows."""
        if role is Role.LIGHT:
            return
        if role is Role.WEAK:
            self._small.append(key)
        elif role is Role.ARTICLE and self._is_article(text):
            self._article = key
        elif key in _BOUNDS and not self._follows_amount():
            self._add(key, text, Role.WORD, start)
        elif key == "few" and self._article == "a":
            self._add("some", text, role, start)
        elif role is Role.POSSESSIVE:
            self._owned = key
        elif role is Role.TIME and self._follows_every():
            every = self._units.pop()
            self._small, self._owned = list(every.small), every.owned
            text = self._folded[every.start : start + len(text)]
            self._add(f"{every.key} {key}", text, Role.TIME, every.start)
        else:
            self._add(key, text, Role.WORD if role is Role.ARTICLE else role, start)

    def _follows_amount(self) -> bool:
        return any(unit.role is Role.NUMBER for unit in self._units[self._clause_start :][-2:])

    def _is_article(self, text: str) -> bool:
        """False for the name in "project A"."""
        return text[0] != "A" or len(self._units) == self._sentence_start

    def _follows_every(self) -> bool:
        if len(self._units) <= self._clause_start or self._small or self._owned:
            return False
        return self._units[-1].role is Role.ALL

    def _add_word(self, piece: str, start: int) -> None:
        lower = piece.casefold()
        if lower in _DENYING_VERBS:
            self._add(NOT, piece, Role.NEGATOR, start)
            return
        head, mark, ending = lower.replace("\u2019", "'").replace("\u02bc", "'").partition("'")
        if mark:
            if ending == "t" and head.endswith("n"):
                self._add(NOT, piece, Role.NEGATOR, start)
                return
            piece, lower = piece[: len(head)], head
            if ending == "s":
                self._add_plain(piece, lower, start)
                self._owned = "的"
                return
        self._add_plain(piece, lower, start)

    def _add_plain(self, piece: str, lower: str, start: int) -> None:
        if lower == "used" and _TO.match(self._folded, start + 4):
            self._add("used to", piece, Role.HEDGE, start)
            return
        if lower == "by" and self._verb is not None and self._agent is None:
            self._agent = len(self._units)
            return
        if lower in BEINGS:
            self._being = -1 if self._relative else len(self._units)
            if self._relative:
                self._added = len(self._units)
        self._relative = lower in _RELATIVES
        listed = role_of(lower)
        if listed is not None:
            self._add_listed(*listed, piece, start)
        elif (number := numerals.number_word(lower)) is not None:
            self._add(number, piece, Role.NUMBER, start)
        elif lower[0].isdigit() and lower.isascii():
            self._add_amount(piece, start)
        elif len(piece) > 1 and any(char.isupper() for char in piece[1:]):
            self._add(lower, piece, Role.NAME, start)
        else:
            named = piece[0].isupper() and len(self._units) > self._sentence_start
            if self._verb is None and self._is_participle(lower):
                self._verb = len(self._units)
            self._add(_stem(lower), piece, Role.WORD, start, lower if named else "")

    def _add_amount(self, piece: str, start: int) -> None:
        """120ms is 120 and ms, 15th is 15; 5k and 3d are names."""
        found = _AMOUNT.fullmatch(piece)
        unit = found[2].lower() if found else ""
        if found is None or (unit and unit not in _UNITS and unit not in _ORDINAL_ENDINGS):
            self._add(piece.casefold(), piece, Role.NAME, start)
            return
        self._add(found[1], found[1], Role.NUMBER, start)
        if unit in _UNITS:
            listed = role_of(unit)
            key = listed[1] if listed and listed[0] is Role.WORD else unit
            self._add(key, found[2], Role.WORD, start + len(found[1]))

    def _add_compound(self, piece: str, start: int) -> None:
        """A hyphenated or slashed row of words is its words; anything else is one name."""
        listed = role_of(piece.casefold())
        if listed is not None:
            self._add_listed(*listed, piece, start)
            return
        parts = re.split(r"[-/]", piece)
        plain = all(parts) and (
            all(part.isalpha() for part in parts)
            or (parts[0].isdigit() and all(p.isdigit() or p.isalpha() for p in parts[1:]))
        )
        if not plain or piece.count("/") > 1 or any(_is_humped(part) for part in parts):
            if _AMOUNT.fullmatch(piece):
                self._add_amount(piece, start)
            else:
                self._add(piece.casefold().rstrip("/"), piece, Role.NAME, start)
            return
        for part in parts:
            self._add_word(part, start)
            start += len(part) + 1

    def _add_date(self, match: re.Match[str]) -> None:
        year, day = numerals.date_parts(match)
        if year:
            self._add(year, match.group(), Role.DATE, match.start())
        if day:
            self._add(f"{day}日", match.group(), Role.DATE, match.start())

    def _add_han(self, run: str, start: int) -> None:
        for word in self._words(run, start):
            self._borders.add(start)
            self._add_han_word(word, start)
            start += len(word)
        self._borders.add(start)

    def _add_han_word(self, word: str, start: int) -> None:
        if word == "被":
            if self._verb is None:
                self._verb = self._agent = len(self._units)
            return
        if word[0] in "年号日" and len(word) == 1 and self._follows_number(start):
            return
        listed = role_of(word)
        if listed is not None:
            self._add_listed(*listed, word, start)
            return
        if len(word) == 2 and is_hollow(word):
            self._add_han_word(word[0], start)
            self._add_han_word(word[1], start + 1)
            return
        digits = len(word) - len(word.lstrip(numerals.HAN_NUMERALS))
        rest = word[digits:]
        if (
            digits
            and word not in numerals.NO_NUMBERS
            and (not rest or rest in MEASURES or role_of(rest))
        ):
            value = numerals.han_number(word[:digits])
            self._add(str(value), word[:digits], Role.NUMBER, start)
            if rest and rest not in MEASURES:
                self._add_han_word(rest, start + digits)
        elif word not in MEASURES or not self._follows_number(start):
            self._add(word, word, Role.WORD, start)

    def _follows_number(self, start: int) -> bool:
        if not self._units or self._units[-1].role is not Role.NUMBER:
            return False
        return not self._folded[self._units[-1].end : start].strip()

    def _words(self, run: str, start: int) -> list[str]:
        for string, cut in self._forced.items():
            before, found, after = run.partition(string)
            if found:
                end = start + len(before) + len(string)
                return [*self._words(before, start), *cut, *self._words(after, end)]
        words: list[str] = []
        if run[:1] in _COUNTED and self._follows_number(start):
            words.append(run[0])
        end = len(words)
        for count in numerals.HAN_COUNT.finditer(run, end):
            words += [*_cut(run[end : count.start()]), count.group()]
            end = count.end()
        return words + _cut(run[end:])

    def _add_sign(self, sign: str, start: int) -> None:
        if sign == "?" and len(self._units) > self._sentence_start:
            self._add("?", sign, Role.QUESTION, start)
        if sign == "." and self._folded[start + 1 : start + 2].isalnum():
            return
        if sign in _CLAUSE_ENDS:
            self._close(sign)
        elif sign == "、" or sign == "&":
            self._small.append("j:and")
        elif sign == "%" or unicodedata.category(sign) in ("Sm", "Sc", "So"):
            self._add(sign, sign, Role.WORD, start)

    def _close(self, sign: str) -> None:
        self._turn()
        self._clause += 1
        self._clause_start = len(self._units)
        self._being = -1
        if sign in _SENTENCE_ENDS:
            self._sentence += 1
            self._sentence_start = len(self._units)

    def _is_participle(self, lower: str) -> bool:
        """True for "written" in "was written" and "was not yet written"."""
        if not self._clause_start <= self._being <= len(self._units):
            return False
        if not all(_is_adverb(unit) for unit in self._units[self._being :]):
            return False
        return is_participle(lower)

    def _turn(self) -> None:
        """Bring what was said in another turn into the plain order, where a clause ends."""
        added, verb, agent = self._added, self._verb, self._agent
        self._added = self._verb = self._agent = None
        end = len(self._units)
        if added is not None and 1 <= added < end:
            self._units = preposed(self._units, added)
        if verb is None or verb == end:
            return
        first = self._clause_start
        place = None if agent is None or agent == end else agent - first
        self._units[first:] = turned_active(
            self._units[first:], verb - first, place, wide=self._wide
        )
        self._is_passive = True


def _cut(run: str) -> list[str]:
    return (han.cut(run) or list(run)) if run else []


def _is_adverb(unit: Unit) -> bool:
    return unit.role is Role.NEGATOR or unit.text.endswith("ly")


def _is_humped(part: str) -> bool:
    return not part.islower() and not part.istitle() and not part.isdigit()


@lru_cache(maxsize=1 << 15)
def _stem(lower: str) -> str:
    tokens = index_tokens(base_form(lower))
    return tokens[0] if tokens else lower
