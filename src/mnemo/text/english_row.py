"""English words as units: contractions, helping verbs, participles, amounts, joined words.

Knows how English spells and which closed lists its words are in; what time a word speaks of follows
from its ending and from the helping verb before it.
"""

import re
from functools import lru_cache
from typing import Final

from mnemo.text import numerals
from mnemo.text.inflection import Form, base_form, is_during, is_participle, is_past
from mnemo.text.roles import BEINGS, NOT, Role, role_of
from mnemo.text.row import Row
from mnemo.text.tokens import index_tokens
from mnemo.text.units import Unit

_AMOUNT: Final = re.compile(r"(\d+(?:\.\d+)?)([A-Za-z]*)")
_TO: Final = re.compile(r"\s+to\b", re.IGNORECASE)
_ORDINAL_ENDINGS: Final = frozenset({"st", "nd", "rd", "th"})
_UNITS: Final = frozenset(
    str.split("""
    ms s sec min h hr hrs d mm cm m km g kg mg t kb mb gb tb kib mib gib px em rem pt hz khz mhz ghz
    w kw v mv a ma am pm fps rpm ml l inch in ft mph
    """)
)
# Their first letter is a million or a thousandth, their last a byte or a bit.
_CASED_UNIT: Final = re.compile(r"M|[mM](?:W|V|A|Hz|s)|[KMGT]b")
_CASED_KEY: Final = re.compile(r"(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9]+")
_EXCEPTING: Final = frozenset({"but", "bar", "save"})
_RELATIVES: Final = frozenset({"who", "which", "that"})
_GETTING: Final = frozenset(str.split("get gets got getting"))
_DENYING_VERBS: Final = frozenset(
    "dont doesnt didnt isnt arent wasnt werent havent hasnt cant wont couldnt shouldnt".split()
)
_PAST_VERBS: Final = ("did", "was", "were", "had")


class EnglishRow(Row):
    """Adds English words."""

    def _add_word(self, piece: str, start: int) -> None:
        lower = piece.casefold()
        head, mark, ending = lower.replace("\u2019", "'").replace("\u02bc", "'").partition("'")
        if mark:
            if ending == "t" and head.endswith("n"):
                self._deny(head, piece, start)
                return
            piece, lower = piece[: len(head)], head
            if ending == "s":
                self._add_plain(piece, lower, start)
                self._owned = "的"
                return
        self._add_plain(piece, lower, start)

    def _deny(self, verb: str, piece: str, start: int) -> None:
        """The negation in didn't and isn't, with the time of its verb."""
        self._helps("did" if verb.startswith(_PAST_VERBS) else "do")
        self._small.append("t:past" if verb.startswith(_PAST_VERBS) else "t:now")
        self._add(NOT, piece, Role.NEGATOR, start)

    def _helps(self, verb: str) -> None:
        self._helper, self._helped = len(self._units), verb

    def _add_plain(self, piece: str, lower: str, start: int) -> None:
        if lower in _DENYING_VERBS:
            self._deny(lower, piece, start)
            return
        if lower == "used" and _TO.match(self._folded, start + 4):
            self._add("used to", piece, Role.HEDGE, start)
            return
        if lower == "by" and self._is_by_agent():
            return
        if lower == "am" and self._follows_number(start):
            self._add(lower, piece, Role.WORD, start)
            return
        if _CASED_UNIT.fullmatch(piece) and self._follows_number(start):
            self._add(piece, piece, Role.NAME, start)
            return
        if lower in _EXCEPTING and self._excepts():
            self._add("except", piece, Role.CONDITION, start)
            return
        if lower in BEINGS:
            self._being = -1 if self._relative else len(self._units)
            if self._relative:
                self._added = len(self._units)
        self._relative = lower in _RELATIVES
        listed = role_of(lower)
        if listed is not None and listed[1][:2] == "t:":
            self._helps(lower)
        if listed is not None and listed[0] is Role.WORD:
            self._add(listed[1], piece, Role.WORD, start, form=self._form(lower))
        elif listed is not None:
            self._add_listed(*listed, piece, start)
        elif (number := numerals.number_word(lower)) is not None:
            self._add(number, piece, Role.NUMBER, start)
        elif (unit := numerals.unit_of(lower)) and self._follows_number(start):
            self._add(unit, piece, Role.WORD, start)
        elif lower[0].isdigit() and lower.isascii():
            self._add_amount(piece, start)
        elif len(piece) > 1 and any(char.isupper() for char in piece[1:]):
            self._add_name(piece, start)
        else:
            named = piece[0].isupper() and len(self._units) > self._sentence_start
            form = self._form(lower)
            if self._verb is None and self._is_participle(lower):
                self._verb = len(self._units)
            self._add(_stem(lower), piece, Role.WORD, start, name=lower if named else "", form=form)

    def _excepts(self) -> bool:
        """True right after "all" or "every" and at most two words that it speaks of."""
        last = self._units[self._clause_start :][-3:]
        return not self._small and any(unit.role is Role.ALL for unit in last)

    def _is_by_agent(self) -> bool:
        """True for the "by" of a passive, which is taken in; one after a mere participle stays."""
        if self._verb is not None and self._agent is None:
            self._agent = len(self._units)
            return True
        if self._units and is_past(self._units[-1].text.casefold()):
            self._small.append("p:by")
            return True
        return False

    def _add_name(self, piece: str, start: int) -> None:
        """A word with humps; where digits stand among them it is a key, whose case says something.

        So does that of a unit of measure.
        """
        cased = _CASED_KEY.fullmatch(piece) or (
            _CASED_UNIT.fullmatch(piece) and self._follows_number(start)
        )
        self._add(piece if cased else piece.casefold(), piece, Role.NAME, start)

    def _form(self, lower: str) -> Form:
        """What time the word speaks of, by its ending and the helping verb before it."""
        helped = self._helped if self._helper >= 0 and self._is_helped() else ""
        past = helped in _PAST_VERBS
        if is_during(lower):
            return (Form.PAST if past else Form.PLAIN) if helped else Form.DURING
        if is_past(lower):
            if past or not helped:
                return Form.PAST
            return Form.PERFECT if helped in ("has", "have") else Form.PASSIVE
        return Form.PAST if helped == "did" else Form.PLAIN

    def _is_helped(self) -> bool:
        if not self._clause_start <= self._helper <= len(self._units):
            return False
        return all(map(_is_adverb, self._units[self._helper :]))

    def _add_amount(self, piece: str, start: int) -> None:
        """120ms is 120 and ms, 15th is 15; 5k and 3d are names."""
        found = _AMOUNT.fullmatch(piece)
        unit = found[2].lower() if found else ""
        if found is None or (unit and unit not in _UNITS and unit not in _ORDINAL_ENDINGS):
            self._add_name(piece, start)
            return
        key = f"{found[1]}th" if unit in _ORDINAL_ENDINGS else found[1]
        self._add(key, found[1], Role.NUMBER, start)
        if unit in _UNITS:
            unit = found[2] if _CASED_UNIT.fullmatch(found[2]) else unit
            key = numerals.unit_of(unit) or unit
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

    def _is_participle(self, lower: str) -> bool:
        """True for "written" in "was written" and "was not yet written"."""
        if not self._clause_start <= self._being <= len(self._units):
            return False
        between = self._units[self._being :]
        if between and between[0].text.casefold() in _GETTING:
            between = between[1:]
        if not all(map(_is_adverb, between)):
            return False
        return is_participle(lower)


def _is_adverb(unit: Unit) -> bool:
    return unit.role is Role.NEGATOR or unit.text.endswith("ly")


def _is_humped(part: str) -> bool:
    return not part.islower() and not part.istitle() and not part.isdigit()


@lru_cache(maxsize=1 << 15)
def _stem(lower: str) -> str:
    """The stem; a word with accents is itself, since a stem has none."""
    if not lower.isascii():
        return lower
    tokens = index_tokens(base_form(lower))
    return tokens[0] if tokens else lower
