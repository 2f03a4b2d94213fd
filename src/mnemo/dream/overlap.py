"""Which texts share most of their words: an exact join that looks at few pairs.

Two sets with a Jaccard similarity above t share at least ⌈t·|x|⌉ words, so they share k words among
the first |x| - ⌈t·|x|⌉ + k of each, in any one order of words. With the rarest words first, few
texts share three (prefix filter: Chaudhuri et al. 2006, Bayardo et al. 2007; k words: Wang et al.
2012). What must hold: every pair that could be one is found; memory grows with the texts, not with
the pairs; one template filled a hundred thousand times takes no square of the time.
"""

from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import ceil
from typing import Final, NamedTuple

from mnemo.dream.certain import Crowd, Words, are_apart, words_of
from mnemo.text.tokens import tokenize_for_dedup

COMPARED: Final = 100
"""Texts for each word that one text is compared with though other words set them apart. They
cannot become one with it; the first ones are looked at so that they can be listed."""

_EPSILON: Final = 1e-9
_SHARED: Final = 3
"""Words of two prefixes that two texts share, if they have so many."""
_CROWD: Final = 1000
"""Texts with one word in their prefixes from which on they are a crowd. Walking through fewer costs
less than reading them."""
_MANY: Final = 20
"""Overlaps of one text after which those that are apart for certain are told by their words."""


class Overlap(NamedTuple):
    """Two places, first < second, whose texts share most of their words."""

    first: int
    second: int
    similarity: float
    apart: bool
    """True where each text has a word that the other lacks: a sure contrast."""


def overlapping(texts: Sequence[str], threshold: float, passed: set[int]) -> Iterator[Overlap]:
    """The pairs of places whose similarity is above `threshold`, in order of places.

    Complete for pairs that could be one; of pairs that are set apart only some where there are
    very many. A place that the caller adds to `passed` is passed over from then on.
    """
    rows = _ranked_words(texts)
    near = _Near(texts, rows, threshold)
    for i, row in enumerate(rows):
        if i in passed:
            continue
        mine, size = set(row), len(row)
        least, most = threshold * size - _EPSILON, size / threshold + _EPSILON
        seen = 0
        for j in near.after(i):
            theirs = rows[j]
            if j in passed or not least <= len(theirs) <= most:
                continue
            shared = len(mine.intersection(theirs))
            similarity = shared / (size + len(theirs) - shared)
            if similarity > threshold:
                seen += 1
                yield Overlap(i, j, similarity, seen > _MANY and near.are_apart(i, j))


def _ranked_words(texts: Sequence[str]) -> list["array[int]"]:
    """The words of each text, each once, as their ranks: the rarest word of all texts is 0."""
    numbers: dict[str, int] = {}
    rows = [
        array("l", {numbers.setdefault(word, len(numbers)) for word in tokenize_for_dedup(text)})
        for text in texts
    ]
    counts = Counter(number for row in rows for number in row)
    ranked = sorted(numbers, key=lambda word: (counts[numbers[word]], word))
    ranks = {numbers[word]: rank for rank, word in enumerate(ranked)}
    return [array("l", sorted(ranks[number] for number in row)) for row in rows]


def _needed(size: int, threshold: float) -> int:
    """Words that a text of so many shares with any text that overlaps with it."""
    return ceil(threshold * size - _EPSILON)


class _Near:
    """Places by the rare words of their texts."""

    def __init__(
        self, texts: Sequence[str], rows: Sequence["array[int]"], threshold: float
    ) -> None:
        self._texts = texts
        self._prefixes = [
            row[: max(0, len(row) - _needed(len(row), threshold) + _SHARED)] for row in rows
        ]
        self._shared = [min(_SHARED, _needed(len(row), threshold)) for row in rows]
        self._places: defaultdict[int, list[int]] = defaultdict(list)
        for place, prefix in enumerate(self._prefixes):
            for word in prefix:
                self._places[word].append(place)
        self._threshold = threshold
        self._sizes = [len(row) for row in rows]
        # No text from that place on has more words; negative, so that it can be searched.
        self._most_after = [-size for size in accumulate(reversed(self._sizes), max)][::-1]
        self._words: dict[int, Words] = {}
        self._crowd: Crowd | None = None

    def after(self, i: int) -> list[int]:
        """The places after `i` that share rare words with it: of a crowd those that could be one
        with it, and the first of the others.
        """
        least = self._threshold * self._sizes[i] - _EPSILON
        end = bisect_right(self._most_after, -least)
        counts: Counter[int] = Counter()
        crowded: list[list[int]] = []
        for word in self._prefixes[i]:
            there = self._places[word]
            at = bisect_right(there, i)
            if len(there) <= _CROWD:
                counts.update(there[at : bisect_right(there, end, at)])
            else:
                counts.update(there[at : at + COMPARED])
                crowded.append(there)
        found = {place for place, count in counts.items() if count >= self._shared[i]}
        if crowded:
            alike = self._crowded().could_be_one_with(i)
            found.update(place for place in alike if place > i)
        return sorted(found)

    def are_apart(self, i: int, j: int) -> bool:
        """Whether the texts at both places contrast for certain."""
        return are_apart(self._words_at(i), self._words_at(j))

    def _words_at(self, place: int) -> Words:
        words = self._words.get(place)
        if words is None:
            words = self._words[place] = words_of(self._texts[place])
        return words

    def _crowded(self) -> Crowd:
        """The texts that are in any crowd, read when the first one is met."""
        if self._crowd is None:
            crowds = [places for places in self._places.values() if len(places) > _CROWD]
            members = {place for places in crowds for place in places}
            self._crowd = Crowd({place: self._words_at(place) for place in sorted(members)})
        return self._crowd
