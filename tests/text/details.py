"""What of a text no dream may lose, and what sets two texts apart in any case."""

from mnemo.text.numerals import HAN_NUMERALS
from mnemo.text.reading import read
from mnemo.text.roles import Role


def details(text: str) -> frozenset[str]:
    """The numbers, dates and identifiers of `text`, as keys.

    Two texts that each have one which the other lacks always contrast, so what can be one is found
    without comparing everything with everything. Empty where a number is written in words, since
    that may be cut in two ways.
    """
    units = [unit for unit in read(text).units if unit.role in (Role.NUMBER, Role.DATE, Role.NAME)]
    if any(unit.text[0] in HAN_NUMERALS for unit in units):
        return frozenset()
    return frozenset(unit.key for unit in units)
