"""Which texts share most of their words: an exact join that looks at few pairs.

Two sets with a Jaccard similarity above t share a word among the first |x| - ⌈t·|x|⌉ + 1 words of
each, in any one order of words. With the rarest words first, few texts share one (prefix filter:
Chaudhuri et al. 2006, Bayardo et al. 2007). What must hold: every pair that could be one is found;
memory grows with the texts, not with the pairs; one template filled a hundred thousand times takes
no longer than as many different texts.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import ceil
from typing import Final, NamedTuple

from mnemo.text.contrast import details
from mnemo.text.tokens import tokenize_for_dedup

COMPARED: Final = 100
"""Texts for each word that one text is compared with though numbers or names set them apart. They
cannot become one with it; the first ones are looked at so that they can be listed."""

_EPSILON: Final = 1e-9
_ENUMERATED: Final = 6
"""Details of a text up to which all its subsets are looked up, 2⁶ at most."""


class Overlap(NamedTuple):
    """Two places, first < second, whose texts share most of their words."""

    first: int
    second: int
    similarity: float
    apart: bool
    """True where each text has a number or name that the other lacks: a sure contrast."""


def overlapping(texts: Sequence[str], threshold: float, passed: set[int]) -> Iterator[Overlap]:
    """The pairs of places whose similarity is above `threshold`, in order of places.

    Complete for pairs that could be one; of pairs that are set apart only some where there are
    very many. A place that the caller adds to `passed` is passed over from then on.
    """
    sets = [frozenset(tokenize_for_dedup(text)) for text in texts]
    counts = Counter(token for tokens in sets for token in tokens)
    prefixes = [
        sorted(tokens, key=lambda token: (counts[token], token))[: _prefix(len(tokens), threshold)]
        for tokens in sets
    ]
    kinds = [details(text) for text in texts]
    near = _Near(kinds, prefixes)
    for i, mine in enumerate(sets):
        if i in passed:
            continue
        size = len(mine)
        least, most = threshold * size - _EPSILON, size / threshold + _EPSILON
        for j in sorted(near.after(i)):
            theirs = sets[j]
            if j in passed or not least <= len(theirs) <= most:
                continue
            shared = len(mine & theirs)
            similarity = shared / (size + len(theirs) - shared)
            if similarity > threshold:
                apart = not (kinds[i] <= kinds[j] or kinds[j] <= kinds[i])
                yield Overlap(i, j, similarity, apart)


def _prefix(size: int, threshold: float) -> int:
    return size - ceil(threshold * size - _EPSILON) + 1 if size else 0


class _Near:
    """Places by the rare words of their texts, and by the details that set texts apart."""

    def __init__(self, kinds: Sequence[frozenset[str]], prefixes: Sequence[list[str]]) -> None:
        self._kinds = kinds
        self._prefixes = prefixes
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        self._places_of_kind: defaultdict[tuple[str, frozenset[str]], list[int]] = defaultdict(list)
        for place, prefix in enumerate(prefixes):
            for token in prefix:
                self._places[token].append(place)
                self._places_of_kind[token, kinds[place]].append(place)
        self._with: defaultdict[str, set[frozenset[str]]] = defaultdict(set)
        for kind in set(kinds):
            for detail in kind:
                self._with[detail].add(kind)
        self._known = frozenset(kinds)

    def after(self, i: int) -> set[int]:
        """The places after `i` that share one of its rare words: all that its details allow, and
        the first of the others.
        """
        found: set[int] = set()
        kind = self._kinds[i]
        allowed = list(self._allowed(kind)) if kind else []
        for token in self._prefixes[i]:
            there = self._places[token]
            at = bisect_right(there, i)
            if not kind or len(there) - at <= COMPARED:
                found.update(there[at:])
                continue
            found.update(there[at : at + COMPARED])
            for other in allowed:
                same = self._places_of_kind.get((token, other))
                if same:
                    found.update(same[bisect_right(same, i) :])
        return found

    def _allowed(self, kind: frozenset[str]) -> Iterable[frozenset[str]]:
        """The sets of details that lie within `kind` or hold it."""
        rarest = min(kind, key=lambda detail: (len(self._with[detail]), detail))
        above = {other for other in self._with[rarest] if other >= kind}
        if len(kind) <= _ENUMERATED:
            sizes = range(len(kind) + 1)
            subsets = (frozenset(s) for size in sizes for s in combinations(kind, size))
            return above.union(subset for subset in subsets if subset in self._known)
        return above.union(other for other in self._known if other <= kind)
