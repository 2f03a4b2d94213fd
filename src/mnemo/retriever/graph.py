"""The rules by which facts that name something are put in order: pure.

A fact's trust is its score, times what it has to do with what was asked: all of it for a fact that
names the thing, the number of bridges for a neighbour, the share of the names for one of several.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Naming:
    """A fact that has to do with what was asked, and how."""

    fact_id: int
    trust: float
    created_at: str
    weight: float = 1.0  # of the trust in the score
    via: str | tuple[str, ...] = ""  # "entity", "text", or the names that bridge
    covered: tuple[str, ...] = ()  # of several names those that it names

    @property
    def score(self) -> float:
        """What the fact is ordered by."""
        return self.weight * self.trust


def in_order(found: Iterable[Naming]) -> list[Naming]:
    """By score, trust, age (newest first), id."""
    by_age = sorted(sorted(found, key=_id), key=_age, reverse=True)
    return sorted(by_age, key=lambda naming: (-naming.score, -naming.trust))


def most_covering(
    found: Iterable[Naming], keys: Mapping[int, frozenset[str]], asked: Mapping[str, str]
) -> list[Naming]:
    """The facts that name all that was asked, or else as much of it as any does, in order.

    ``keys`` has what each fact names, ``asked`` each key as it was written. Who names only a part
    is told with that part, and scores by its share.
    """
    best = max(map(len, keys.values()), default=0)
    share = best / max(1, len(asked))
    return in_order(
        replace(
            naming,
            weight=share,
            covered=() if share == 1.0 else _written(keys[naming.fact_id], asked),
        )
        for naming in found
        if len(keys[naming.fact_id]) == best
    )


def _written(keys: frozenset[str], asked: Mapping[str, str]) -> tuple[str, ...]:
    names: Sequence[str] = [name for key, name in asked.items() if key in keys]
    return tuple(names)


def _id(naming: Naming) -> int:
    return naming.fact_id


def _age(naming: Naming) -> str:
    return naming.created_at
