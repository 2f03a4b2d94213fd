"""What the rooms that look for names hand to one another: a place in a text, and its kind.

Knows the closed set of kinds and how spans give way to one another; refuses to know how a name is
recognised. What must hold: of two spans that overlap, the one that was found by the surer rule
stays, so rules are asked from the surest to the least sure. Whoever changes which names are found
raises `_VERSION`: the facts are then read again.
"""

import re
from bisect import bisect_left, insort
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

from mnemo.text import han, normal
from mnemo.text.scripts import HAN, HANGUL, KANA, OTHER_UNSPACED

_VERSION: Final = 1


class EntityKind(StrEnum):
    """What a name stands for, as far as the text around it says."""

    PERSON = "person"
    TECHNOLOGY = "technology"
    PROJECT = "project"
    TITLE = "title"
    PLACE = "place"
    ORGANISATION = "organisation"
    TOPIC = "topic"


def entity_key(name: str) -> str:
    """What two spellings of one name share: width, case, accents, script, hyphens and spacing
    folded, so that "Some-Project" and "some project" are one.
    """
    folded = normal.fold(name)
    return " ".join(folded.translate(_JOINTS).split()) or folded


_JOINTS: Final = str.maketrans("-_", "  ")


@cache
def entities_version() -> str:
    """Return a name that changes whenever the same text might name other entities."""
    return f"entities-{_VERSION} {han.dictionary_name()} {normal.folding_name()}"


def stands_in(name: str, text: str) -> bool:
    """Return whether a text has the name as whole words, in any spelling that folds to the same.

    Han, kana and Hangul put no space between words: there a name stands wherever it is written.
    """
    key, within = entity_key(name).strip(), entity_key(text)
    at = within.find(key) if key else -1
    while at >= 0:
        end = at + len(key)
        if _parted(within[at - 1 : at], key[0]) and _parted(key[-1], within[end : end + 1]):
            return True
        at = within.find(key, at + 1)
    return False


def _parted(left: str, right: str) -> bool:
    """Return whether a word may end between two neighbouring characters."""
    pair = left + right
    return not (left.isalnum() and right.isalnum()) or bool(_unspaced().search(pair))


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(f"[{HAN}{KANA}{HANGUL}{OTHER_UNSPACED}]")


class Mention(NamedTuple):
    """A name where it stands: ``text[start:end]``."""

    start: int
    end: int
    kind: EntityKind


class Claims:
    """The stretches of a text that are spoken for."""

    def __init__(self) -> None:
        self._taken: list[tuple[int, int]] = []  # in text order, never overlapping

    def is_free(self, start: int, end: int) -> bool:
        """Whether nothing between the two places is spoken for."""
        at = bisect_left(self._taken, (start, end))
        if at < len(self._taken) and self._taken[at][0] < end:
            return False
        return at == 0 or self._taken[at - 1][1] <= start

    def take(self, start: int, end: int) -> None:
        """Let nothing else be found there; nothing happens where something stands already."""
        if self.is_free(start, end):
            insort(self._taken, (start, end))

    def admit(self, mentions: Iterable[Mention]) -> list[Mention]:
        """Those of the mentions that stand free, each of which is then spoken for."""
        admitted: list[Mention] = []
        for mention in mentions:
            if self.is_free(mention.start, mention.end):
                self.take(mention.start, mention.end)
                admitted.append(mention)
        return admitted
