"""The form in which orders to a model are written down: a rule, and how its phrases are listed."""

from collections.abc import Iterator
from typing import Final, NamedTuple


class Rule(NamedTuple):
    """A shape of an order, what it is called and how sure a match is."""

    label: str
    sure: float
    shape: str


CONFIDENT: Final = 0.9
LIKELY: Final = 0.7
POSSIBLE: Final = 0.6


def any_of(phrases: str) -> str:
    """An expression for any of the phrases, one a line or parted by |; the longer ones first."""
    listed = {phrase for line in phrases.splitlines() for phrase in _parted(line.strip())} - {""}
    return f"(?:{'|'.join(sorted(listed, key=lambda phrase: (-len(phrase), phrase)))})"


def _parted(line: str) -> Iterator[str]:
    """The parts of a line between the | that stand outside of every bracket."""
    depth = start = 0
    for at, char in enumerate(line):
        depth += (char == "(") - (char == ")")
        if char == "|" and depth == 0:
            yield line[start:at]
            start = at + 1
    yield line[start:]
