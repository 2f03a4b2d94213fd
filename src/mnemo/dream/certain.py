"""What sets two texts apart for certain, without comparing them word by word.

One sentence filled in ten thousand times overlaps with itself fifty million times. Each pair of
such a crowd contrasts, and nobody wants to hear of all of them; what has to be found are the pairs
that could be one. Two texts each of which holds a word that the other cannot hold contrast, however
either is cut into words. Knows the words of a text, not their order. What must hold: two texts
that may be one are never said to be apart.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mnemo.text.numerals import CLASSIFIERS, HAN_NUMERALS
from mnemo.text.reading import read
from mnemo.text.roles import Role, is_hollow

_COUNTS = (Role.NUMBER, Role.DATE)


class Words(NamedTuple):
    """The words of a text as far as they are certain."""

    held: frozenset[str]
    """What it says however it is cut: words and names that are not Han, Han characters."""
    counts: frozenset[str]
    """Its numbers and dates; none where a Han character may be one, or no number at all."""
    possible: frozenset[str]
    """What it might say: all of these, each character, each word as it was cut."""
    countless: bool
    """True where it may say any number."""


def words_of(text: str) -> Words:
    """The certain words of `text`."""
    reading = read(text)
    held: set[str] = set()
    counts: set[str] = set()
    countless = False
    for unit in reading.units:
        if unit.role in _COUNTS:
            countless = countless or unit.text[0] in HAN_NUMERALS
            counts.add(unit.key)
        elif unit.start not in reading.borders:
            held.add(unit.key)
        elif unit.key == unit.text:
            held.update(char for char in unit.text if _is_telling(char))
    possible = held | counts | set(reading.folded) | {unit.key for unit in reading.units}
    possible.update(char for unit in reading.units for char in unit.key)
    return Words(
        frozenset(held),
        frozenset() if countless else frozenset(counts),
        frozenset(possible),
        countless,
    )


def _is_telling(char: str) -> bool:
    """True for a character that is a word's own, wherever the word is cut."""
    return char not in HAN_NUMERALS and char not in CLASSIFIERS and not is_hollow(char)


def are_apart(one: Words, other: Words) -> bool:
    """Whether each holds what the other cannot hold: a sure contrast."""
    return _exceeds(one, other) and _exceeds(other, one)


def _exceeds(one: Words, other: Words) -> bool:
    return not (one.held <= other.possible and (other.countless or one.counts <= other.possible))


class Crowd:
    """Many texts that are much alike, asked which of them could be one."""

    def __init__(self, words: Mapping[int, Words]) -> None:
        """`words` of each place."""
        self._words = words
        self._holding: defaultdict[str, list[int]] = defaultdict(list)
        for place, mine in words.items():
            for word in mine.possible:
                self._holding[word].append(place)
        self._named_by: defaultdict[str, list[int]] = defaultdict(list)
        self._rarest: dict[int, str] = {}
        for place, mine in words.items():
            self._rarest[place] = rarest = self._rarest_of(mine)
            self._named_by[rarest].append(place)
        self._countless = [place for place, mine in words.items() if mine.countless]
        self._counted = [
            place for place, mine in words.items() if self._rarest[place] in mine.counts
        ]

    def could_be_one_with(self, place: int) -> set[int]:
        """Places whose text could say all that the text at `place` says, or the other way round."""
        mine = self._words[place]
        rarest = self._rarest[place]
        found = set(self._holding[rarest] if rarest else self._words)
        if rarest in mine.counts:
            found.update(self._countless)
        if mine.countless:
            found.update(self._counted)
        for word in (*mine.possible, ""):
            if word in self._named_by:
                found.update(self._named_by[word])
        return found

    def _rarest_of(self, mine: Words) -> str:
        """The word of a text that fewest others could hold, "" where it has none."""
        certain: Iterable[str] = mine.held | mine.counts
        return min(certain, key=lambda word: (len(self._holding[word]), word), default="")
