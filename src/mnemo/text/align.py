"""Two texts side by side: what each says that the other does not.

Chinese words are cut by chance: 在线|上课 beside 在|线上|课. Before two texts are compared, the
same characters are cut alike. Knows units and their keys only; whether a difference matters is
`contrast.py`'s concern. What must hold: cutting alike never makes one word of two texts equal to
another string of characters.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from mnemo.text.reading import read, read_again
from mnemo.text.roles import is_hollow
from mnemo.text.units import Reading, Unit


class Sides(NamedTuple):
    """Two readings, and the units of each that the other lacks, repeats counted."""

    left: Reading
    right: Reading
    more_left: list[Unit]
    more_right: list[Unit]


def side_by_side(left: str, right: str) -> Sides:
    """Both texts with their Han words cut alike, and what each holds alone."""
    sides = _sides(read(left), read(right))
    if not (sides.more_left and sides.more_right):
        return sides
    if _is_certain(sides.more_left, sides.left, sides.right) and _is_certain(
        sides.more_right, sides.right, sides.left
    ):
        return sides
    return _recut(sides)


def _is_certain(more: Sequence[Unit], mine: Reading, other: Reading) -> bool:
    """True where something is left over however the Han words are cut: no reason to try."""
    return any(
        unit.start not in mine.borders
        or (unit.key == unit.text and any(_is_foreign(char, other) for char in unit.text))
        for unit in more
    )


def _is_foreign(char: str, other: Reading) -> bool:
    return char not in other.folded and not is_hollow(char)


def _sides(left: Reading, right: Reading) -> Sides:
    counts_left = Counter(unit.key for unit in left.units)
    counts_right = Counter(unit.key for unit in right.units)
    return Sides(
        left,
        right,
        _surplus(left.units, counts_left - counts_right),
        _surplus(right.units, counts_right - counts_left),
    )


def _surplus(units: Sequence[Unit], surplus: Counter[str]) -> list[Unit]:
    found: list[Unit] = []
    for unit in units:
        if surplus[unit.key] > 0:
            surplus[unit.key] -= 1
            found.append(unit)
    return found


def _recut(sides: Sides) -> Sides:
    """The same texts with their Han words cut alike.

    A string that one side holds alone and the other holds between word borders is cut as there,
    and a function word that stuck to a word which the other side holds alone is cut off.
    """
    if again := _cuts(sides.left, sides.more_left, sides.right, sides.more_right):
        sides = _sides(read_again(sides.left, again), sides.right)
    if not (sides.more_left and sides.more_right):
        return sides
    if again := _cuts(sides.right, sides.more_right, sides.left, sides.more_left):
        sides = _sides(sides.left, read_again(sides.right, again))
    return sides


def _cuts(
    mine: Reading, more_mine: list[Unit], other: Reading, more_other: list[Unit]
) -> dict[str, tuple[str, ...]]:
    """Leftover Han strings of `mine` that `other` cuts differently → the words they are there."""
    found: dict[str, tuple[str, ...]] = {}
    for start, end in _stretches(mine, more_mine):
        string = mine.folded[start:end]
        words = _words_there(string, other)
        if words:
            found[string] = words
    words_there = {unit.text for unit in more_other if unit.start in other.borders}
    for unit in more_mine:
        if unit.start in mine.borders and len(unit.text) > 1 and unit.text not in found:
            for word in words_there:
                if words := _without_function_words(unit.text, word):
                    found[unit.text] = words
    return found


def _words_there(string: str, other: Reading) -> tuple[str, ...]:
    """The words that `string` is in `other`, none where it does not stand between borders."""
    at = other.folded.find(string)
    while at >= 0:
        end = at + len(string)
        if at in other.borders and end in other.borders:
            cuts = sorted(border for border in other.borders if at <= border <= end)
            return tuple(other.folded[i:j] for i, j in pairwise(cuts))
        at = other.folded.find(string, at + 1)
    return ()


def _without_function_words(text: str, word: str) -> tuple[str, ...]:
    """由奥卢 beside 奥卢 → ("由", "奥卢"); none where more than function words is left."""
    before, held, after = text.partition(word)
    if not held or not (before or after) or not is_hollow(before + after):
        return ()
    return (*before, word, *after)


def _stretches(reading: Reading, leftover: list[Unit]) -> Iterator[tuple[int, int]]:
    """(start, end) of the runs of leftover Han words that touch each other."""
    start = end = -1
    for unit in leftover:
        if unit.start not in reading.borders or unit.end not in reading.borders:
            continue
        if unit.start != end:
            if end - start > 1:
                yield start, end
            start = unit.start
        end = unit.end
    if end - start > 1:
        yield start, end
