"""What the longer of two texts says more, and whether that leaves the shorter one standing.

Both texts have been laid side by side: each unit of the small one has its place in the large one,
in order. What is between those places is more, and free unless it negates, limits, bounds or turns
what both say; what stands at those places must say it of the same time, with the same small words
before it. Knows roles and small words, no meaning. What must hold: a text beside itself differs in
nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from mnemo.text import han, numerals
from mnemo.text.inflection import akin, same_time
from mnemo.text.roles import PICKING, PORTIONS, SCALES, Role, role_of
from mnemo.text.units import Reading, Unit, has_preposition


class ContrastKind(StrEnum):
    """What tells two texts apart."""

    NEGATION = "negation"
    NUMBER = "number"
    WORD = "word"
    ORDER = "order"
    SCOPE = "scope"


@dataclass(frozen=True, slots=True)
class Contrast:
    """One difference that forbids merging: the words on either side, "" where there are none."""

    kind: ContrastKind
    left: str
    right: str


_LIMITS: Final = (
    Role.ALL,
    Role.SOME,
    Role.ONLY,
    Role.HEDGE,
    Role.CONDITION,
    Role.QUESTION,
    Role.BOUND,
)
_HEADS: Final = (Role.WORD, Role.NAME)
_TIMES: Final = (Role.DATE, Role.TIME)
_SENTENCE_OF_ITS_OWN: Final = 2
_OPENINGS: Final = (("p:with",), ("p:for",))
_RECURRING: Final = frozenset(str.split("weekends weekdays 周末 工作日 平时 平日"))
_GENERATIONS: Final = frozenset(str.split("junior senior jr sr"))
_FUNCTION_WORDS: Final = 2
"""Characters of function words that may stand between a verb and its object: 忘记了."""
_SHOWN: Final = 6
"""Words of a side that a contrast names at most."""
# Where one side says none, these say nothing more: jump over a fence, jump a fence.
_NEUTRAL: Final = frozenset({"p:at", "p:in", "p:on", "p:over", "p:up", "p:near", "p:through"})
_NEUTRAL_AT_NUMBERS: Final = frozenset({"p:at"})
_NEUTRAL_AT_TIMES: Final = frozenset({"p:at", "p:in", "p:on", "p:during"})


def kind_of(unit: Unit) -> ContrastKind:
    """The kind of a contrast that this unit alone makes."""
    if unit.role is Role.NEGATOR:
        return ContrastKind.NEGATION
    if unit.role in (Role.NUMBER, Role.DATE):
        return ContrastKind.NUMBER
    return ContrastKind.SCOPE if unit.role in _LIMITS else ContrastKind.WORD


def shown(units: Sequence[Unit]) -> str:
    """The first words of some units, each once."""
    texts = list(dict.fromkeys(unit.text for unit in units[:_SHOWN]))
    return " ".join(texts)


def leads(units: Sequence[Unit], place: Sequence[int]) -> bool:
    """True where the unit at the first place is the first of its clause."""
    return any(at == 0 or units[at - 1].clause != units[at].clause for at in place[:1])


def differences(small: Reading, large: Reading, place: list[int]) -> Iterator[Contrast]:
    """What in `large` negates, limits or turns what both say; `left` is the small one's side.

    `place` holds where each unit of `small` stands in `large`.
    """
    yield from _more(small, large, place)
    yield from _gaps(small, large, place)
    yield from _trailing(small, large, place)


# ------------------------------------------------------------------------- units of the large one


def _more(small: Reading, large: Reading, place: list[int]) -> Iterator[Contrast]:
    shared = frozenset(place)
    units = large.units
    clauses = frozenset(units[j].clause for j in place)
    sentences = frozenset(units[j].sentence for j in place)
    denied: int = -1
    for j, unit in enumerate(units):
        if j in shared:
            if unit.role is Role.NEGATOR or unit.role is Role.ONLY:
                denied = unit.clause
            continue
        if _restrains(units, j, shared, clauses, sentences):
            said = small.units[place.index(j + 1)].text if j + 1 in shared else ""
            yield Contrast(kind_of(unit), said, shown(units[j : j + 2]))
        elif _sets_aside(units, j, sentences) or _renames(units, j, shared):
            yield Contrast(ContrastKind.SCOPE, "", shown(units[j : j + 2]))
        elif unit.clause == denied:
            yield Contrast(ContrastKind.SCOPE, "", unit.text)
        elif (
            j - 1 in shared and units[j - 1].role is Role.ALL and units[j - 1].clause == unit.clause
        ):
            yield Contrast(ContrastKind.SCOPE, "", shown(units[j - 1 : j + 1]))
        elif unit.text.casefold() in PICKING and j + 1 in shared and _is_number(units[j + 1]):
            yield Contrast(ContrastKind.NUMBER, units[j + 1].text, shown(units[j : j + 2]))
        elif j - 1 in shared and _completes(units[j - 1], unit, units[j - 2 : j - 1]):
            yield Contrast(ContrastKind.NUMBER, units[j - 1].text, shown(units[j - 1 : j + 1]))


def _restrains(
    units: Sequence[Unit],
    j: int,
    shared: frozenset[int],
    clauses: frozenset[int],
    sentences: frozenset[int],
) -> bool:
    """True for an extra negator, limit, bound or sign that reaches a shared word."""
    unit = units[j]
    if unit.role is Role.NEGATOR:
        return unit.sentence in sentences or _is_afterthought(units, unit.sentence)
    if unit.role is Role.ONLY:
        return unit.clause in clauses
    if unit.role in (Role.CONDITION, Role.QUESTION):
        return unit.sentence in sentences
    if unit.role is Role.BOUND or unit.role is Role.SIGN:
        return any(
            k in shared and units[k].clause == unit.clause
            for k in (j - 1, j + 1)
            if 0 <= k < len(units)
        )
    if unit.role not in _LIMITS or (unit.text == "some" and not leads(units, [j])):
        return False
    if j + 1 < len(units) and units[j + 1].clause == unit.clause:
        return j + 1 in shared
    return j - 1 in shared and units[j - 1].clause == unit.clause


def _sets_aside(units: Sequence[Unit], j: int, sentences: frozenset[int]) -> bool:
    """True for what limits a statement from outside: "during the trial", "With it off, …"."""
    unit = units[j]
    if unit.sentence not in sentences:
        return False
    if "p:during" in unit.small and unit.text.isascii():
        return True
    if unit.text.casefold() in _RECURRING:
        return True
    first = j == 0 or units[j - 1].sentence != unit.sentence
    return first and unit.small in _OPENINGS


def _renames(units: Sequence[Unit], j: int, shared: frozenset[int]) -> bool:
    """True for a part of a name that stands right at a shared part of it: *New* Horizon."""
    unit = units[j]
    for k in (j - 1, j + 1):
        if k not in shared or not units[k].text[:1].isupper() or units[k].clause != unit.clause:
            continue
        one, other = sorted((unit, units[k]), key=lambda part: part.start)
        if other.small or other.owned or other.article or other.start - one.end != 1:
            continue
        if unit.text.casefold() in _GENERATIONS or (
            unit.text[:1].isupper() and unit.role is Role.WORD and bool(units[k].name)
        ):
            return True
    return False


def _is_afterthought(units: Sequence[Unit], sentence: int) -> bool:
    """True for a sentence too short to speak of more than the one before, as "Not on Fridays"."""
    said = sum(unit.sentence == sentence and unit.role is Role.WORD for unit in units)
    return said < _SENTENCE_OF_ITS_OWN


def _completes(before: Unit, unit: Unit, earlier: Sequence[Unit]) -> bool:
    """True for more of a quantity: 5 *million*, 9 *pm*, 3 点 *15*."""
    if before.clause != unit.clause:
        return False
    if unit.small:
        return unit.small == ("p:to",) and _is_number(before) and _is_number(unit)
    if _is_number(before):
        return unit.key in SCALES or (_is_number(unit) and bool(earlier))
    measured = any(_is_number(one) and one.end == before.start for one in earlier)
    return _is_number(unit) and measured and before.end == unit.start


def _is_number(unit: Unit) -> bool:
    return unit.role is Role.NUMBER


# ---------------------------------------------------------------- what stands before a shared word


def _gaps(small: Reading, large: Reading, place: list[int]) -> Iterator[Contrast]:
    """Compare each shared word, and what stands between it and the shared word before."""
    previous = -1
    shared = frozenset(place)
    for i, j in enumerate(place):
        mine, theirs = small.units[i], large.units[j]
        if _is_another(mine, theirs):
            yield Contrast(ContrastKind.WORD, mine.text, theirs.text)
        extra = [large.units[k] for k in range(previous + 1, j) if k not in shared]
        previous = j
        between = [s for unit in extra for s in unit.small]
        yield from _small_words(mine.small, [*between, *theirs.small], mine.text, theirs.text)
        yield from _one_sided(mine, theirs, between, extra)
        if any(s[0] == "o" for s in mine.small) and extra and mine.small != theirs.small:
            yield Contrast(ContrastKind.WORD, mine.text, shown([*extra, theirs]))
        yield from _turned(mine, theirs, extra)
        before = _phrase(large.units, j - len(extra)) if extra and i else ()
        if extra and _embeds(extra[-1], theirs, before):
            yield Contrast(ContrastKind.SCOPE, mine.text, shown([extra[-1], theirs]))


def _phrase(units: Sequence[Unit], end: int) -> Sequence[Unit]:
    """The units before `end` that touch each other: a Chinese phrase, or one English word."""
    start = end - 1
    while start > 0 and units[start - 1].end == units[start].start:
        start -= 1
    return units[start:end]


def _embeds(extra: Unit, theirs: Unit, before: Sequence[Unit]) -> bool:
    """True where an extra word makes what follows it its object, or takes over its subject.

    忘记 before 付款 and "forgets" before "the rent" do the one, 妹妹 between 用户 and 喜欢 the
    other.
    `before` is the phrase before the extra words, empty where that is nothing shared; after a
    preposition it is no subject.
    """
    if extra.clause != theirs.clause:
        return False
    if extra.text.isascii():
        says = bool(theirs.article) and not extra.small and extra.role is Role.WORD
        return not before and (says or "c:that" in theirs.small)
    if theirs.start - extra.end > _FUNCTION_WORDS or theirs.owned:
        return False
    if not before:
        return _class(extra) == "v"
    if any(map(has_preposition, before)):
        return False
    acts = _class(theirs) == "v"
    if _class(extra) == "n":
        touches = _class(before[-1]) == "n" and before[-1].end == extra.start
        return touches and (acts or bool(theirs.small))
    return _class(extra) == "v" and acts


def _class(unit: Unit) -> str:
    return "" if unit.text.isascii() else han.word_class(unit.text)


def _is_another(mine: Unit, theirs: Unit) -> bool:
    """True for two words of one stem that are not one word, or speak of two times."""
    if mine.name and theirs.name and mine.name != theirs.name:
        return True
    if Role.WORD not in (mine.role, theirs.role) or mine.text == theirs.text:
        return not same_time(mine.form, theirs.form)
    if not same_time(mine.form, theirs.form):
        return True
    one, other = mine.text.casefold(), theirs.text.casefold()
    if one == other and Role.NAME in (mine.role, theirs.role) and _in_two_cases(mine, theirs):
        return True
    if one == other or not one.isascii() or not other.isascii():
        return False
    return not (_has_key(one) or _has_key(other) or akin(one, other))


def _in_two_cases(mine: Unit, theirs: Unit) -> bool:
    """True for PATH beside path, which are two things."""
    return {mine.text.islower(), theirs.text.islower()} == {True, False} and (
        mine.text.isupper() or theirs.text.isupper()
    )


def _has_key(word: str) -> bool:
    """True for a word that has its key from a list, whatever its letters."""
    return role_of(word) is not None or numerals.unit_of(word) is not None


def _small_words(
    mine: Sequence[str], theirs: Sequence[str], left: str, right: str
) -> Iterator[Contrast]:
    """One contrast where both sides hold a small word of one family that the other lacks."""
    here, there = set(mine) - set(theirs), set(theirs) - set(mine)
    families = {small[0] for small in here} & {small[0] for small in there}
    if families:
        yield Contrast(
            ContrastKind.WORD,
            " ".join([*(s[2:] for s in mine if s in here), left]),
            " ".join([*(s[2:] for s in theirs if s in there), right]),
        )
    elif "j:or" in here:
        yield Contrast(ContrastKind.SCOPE, f"or {left}", right)
    elif "j:or" in there:
        yield Contrast(ContrastKind.SCOPE, left, f"or {right}")


def _one_sided(
    mine: Unit, theirs: Unit, between: Sequence[str], extra: Sequence[Unit]
) -> Iterator[Contrast]:
    """A preposition or modal verb at a shared word that the other side says without."""
    neutral = _NEUTRAL_AT_TIMES if mine.role in _TIMES else _NEUTRAL
    if mine.role is Role.NUMBER:
        neutral = _NEUTRAL_AT_NUMBERS
    lacking = _binding(mine.small, neutral) - set(theirs.small) - set(between)
    added = _binding(theirs.small, neutral) - set(mine.small)
    if lacking or added:
        yield Contrast(
            ContrastKind.SCOPE,
            " ".join([*(s[2:] for s in mine.small if s in lacking), mine.text]),
            " ".join([*(s[2:] for s in theirs.small if s in added), shown([*extra[-1:], theirs])]),
        )


def _binding(small: Sequence[str], neutral: frozenset[str]) -> set[str]:
    return {s for s in small if s[0] in "pm" and s not in neutral}


def _turned(mine: Unit, theirs: Unit, extra: list[Unit]) -> Iterator[Contrast]:
    """Extra words that make a shared word another thing: A → A's friend, the roof of A, two As."""
    if not extra:
        return
    first, last = extra[0], extra[-1]
    if (first.owned == "的" and first.role in _HEADS and not mine.owned and not theirs.owned) or (
        theirs.owned == "of" and not mine.owned and last.key not in PORTIONS
    ):
        yield Contrast(ContrastKind.SCOPE, mine.text, shown([*extra, theirs]))
    elif mine.article in ("a", "an") and last.role is Role.NUMBER and last.key != "1":
        yield Contrast(ContrastKind.NUMBER, f"a {mine.text}", f"{last.text} {theirs.text}")


# ------------------------------------------------------------------------ after the last shared one


def _trailing(small: Reading, large: Reading, place: list[int]) -> Iterator[Contrast]:
    """Compare what stands after the last shared word of either side."""
    units = large.units
    shared = frozenset(place)
    previous = place[-1] if place else -1
    extra = [units[k] for k in range(previous + 1, len(units)) if k not in shared]
    between = [s for unit in extra for s in unit.small]
    last = small.units[-1].text if small.units else ""
    yield from _small_words(small.tail, [*between, *large.tail], last, shown(extra) or last)
    if not extra or not place or extra[0].clause != units[previous].clause:
        return
    says_of_it = not large.passive and any(s[0] == "t" for s in extra[0].small)
    if extra[0].owned == "的" or says_of_it:
        yield Contrast(ContrastKind.SCOPE, last, shown([units[previous], *extra]))
