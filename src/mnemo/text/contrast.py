"""Whether two texts may become one, and what tells them apart where they may not.

Two texts may be one only if one says everything that the other says, in the same order, of the same
time, under the same negation and within the same limits. So: a word on each side that the other
side lacks is a contrast, whatever the words mean; values, names and opposites need no list. Extra
words on one side are free unless they negate, limit or turn what both share (`narrowing.py`). Knows
words and their order, no grammar beyond closed lists (`roles.py`) and no meaning; refuses to know
how similar two texts are. What must hold: nothing contrasts with itself; swapping the texts swaps
the sides of every contrast.

The price: a paraphrase, a word beside its synonym and any new order but that of a list of things
count as contrasts, and a one-sided narrowing ("director" / "research director") does not.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from mnemo.text.align import side_by_side
from mnemo.text.lists import relisted
from mnemo.text.narrowing import Contrast, ContrastKind, differences, kind_of, leads, shown
from mnemo.text.reading import read, read_wide
from mnemo.text.roles import Role
from mnemo.text.units import Reading, Unit

_ARTICLES: Final = frozenset({"一", "one", "One"})
"""一个人, one man: an article more often than a count. Beside another count they do contrast."""
_WHEN: Final = (Role.DATE, Role.TIME)


def find_contrasts(left: str, right: str) -> tuple[Contrast, ...]:
    """What forbids that `left` and `right` become one; empty where they may.

    Swapping the arguments swaps `left` and `right` in every contrast and changes nothing else.
    """
    if left == right:
        return ()
    if left > right:
        return tuple(Contrast(c.kind, c.right, c.left) for c in _compared(right, left))
    return _compared(left, right)


@lru_cache(maxsize=1024)
def _compared(left: str, right: str) -> tuple[Contrast, ...]:
    a, b, more_a, more_b = side_by_side(left, right)
    if more_a and more_b:
        return _differences(more_a, more_b)
    # One side now holds every unit of the other. The order of sides is remembered, no more.
    found = _of_one_side(a, b, more_a)
    if found and (a.passive or b.passive):
        found = _of_one_side(read_wide(left), read_wide(right), more_a)
    return found


def _of_one_side(a: Reading, b: Reading, more_a: list[Unit]) -> tuple[Contrast, ...]:
    if more_a:
        found = _judged(small=b, large=a)
        return tuple(Contrast(c.kind, c.right, c.left) for c in found)
    return _judged(small=a, large=b)


def _differences(more_a: list[Unit], more_b: list[Unit]) -> tuple[Contrast, ...]:
    """Words on both sides that the other lacks, one contrast for each kind of word."""
    kinds_a, kinds_b = _by_kind(more_a), _by_kind(more_b)
    both = [kind for kind in ContrastKind if kind in kinds_a and kind in kinds_b]
    alone = [
        kind
        for kind in (ContrastKind.NEGATION, ContrastKind.SCOPE)
        if (kind in kinds_a) != (kind in kinds_b)
    ]
    kinds = [*alone, *both] or [ContrastKind.WORD]
    if not (alone or both):
        return (Contrast(ContrastKind.WORD, shown(more_a), shown(more_b)),)
    return tuple(
        Contrast(kind, shown(kinds_a.get(kind, [])), shown(kinds_b.get(kind, []))) for kind in kinds
    )


def _by_kind(units: list[Unit]) -> dict[ContrastKind, list[Unit]]:
    found: dict[ContrastKind, list[Unit]] = {}
    for unit in units:
        found.setdefault(kind_of(unit), []).append(unit)
    return found


# ---------------------------------------------------------------- one side says all of the other


def _judged(*, small: Reading, large: Reading) -> tuple[Contrast, ...]:
    """The contrasts of a text with one that holds all its units; `left` is the small one's side."""
    place = _places(small.units, large.units)
    if place is None and (ordered := relisted(small, large)):
        small = ordered
        place = _places(small.units, large.units)
    if place is None:
        return (Contrast(ContrastKind.ORDER, *_out_of_order(small.units, large.units)),)
    return tuple(dict.fromkeys(differences(small, large, place)))


def _places(small: Sequence[Unit], large: Sequence[Unit]) -> list[int] | None:
    """Where each unit of `small` stands in `large`, None where its order is another one.

    Whole dates may move, and times where they stand at the front of a clause.
    """
    moved = _movable(small, large)
    place = [-1] * len(small)
    taken: set[int] = set(moved.values())
    at = 0
    for i, unit in enumerate(small):
        if i in moved:
            place[i] = moved[i]
            continue
        while at < len(large) and (at in taken or large[at].key != unit.key):
            at += 1
        if at == len(large):
            return None
        place[i] = at
        at += 1
    return place if _stayed(small, large, place, moved) else None


def _movable(small: Sequence[Unit], large: Sequence[Unit]) -> dict[int, int]:
    """Indices of the dates, and of the times, that both texts give in one order: small → large."""
    moved: dict[int, int] = {}
    for role in _WHEN:
        here = [i for i, unit in enumerate(small) if unit.role is role]
        there = [i for i, unit in enumerate(large) if unit.role is role]
        if [small[i].key for i in here] != [large[i].key for i in there]:
            continue
        if role is Role.DATE or any(map(leads, (small, large), (here[:1], there[:1]))):
            moved.update(zip(here, there, strict=True))
    return moved


def _stayed(
    small: Sequence[Unit], large: Sequence[Unit], place: list[int], moved: dict[int, int]
) -> bool:
    """True where what moved is still said of the same words: its clause holds a shared one."""
    for i, j in moved.items():
        here, there = _home(small, i), _home(large, j)
        beside = [k for k in range(len(small)) if k not in moved and small[k].clause == here]
        if beside and not any(large[place[k]].clause == there for k in beside):
            return False
    return True


def _home(units: Sequence[Unit], at: int) -> int:
    """The clause of which a date or time speaks: the next one where it stands alone in its own."""
    clause = units[at].clause
    alone = all(unit.role in _WHEN for unit in units if unit.clause == clause)
    return clause + 1 if alone else clause


def _out_of_order(small: Sequence[Unit], large: Sequence[Unit]) -> tuple[str, str]:
    """The words of each side from the first to the last that stand in another order."""
    keys = Counter(unit.key for unit in small)
    shared: list[Unit] = []
    for unit in large:
        if keys[unit.key] > 0:
            keys[unit.key] -= 1
            shared.append(unit)
    apart = [i for i, (a, b) in enumerate(zip(small, shared, strict=False)) if a.key != b.key]
    if not apart:
        return shown(small), shown(shared)
    window = slice(apart[0], apart[-1] + 1)
    return shown(small[window]), shown(shared[window])


# ---------------------------------------------------------------------------- what one side holds


def held_alone(text: str, *, beside: str) -> tuple[str, ...]:
    """The numbers, dates, names, addresses and negations of `text` that `beside` lacks.

    In text order, as they are written; an identifier counts as a name. A fact that
    holds one must not vanish into the other.
    """
    there = Counter(unit.key for unit in read(beside).units)
    found: list[str] = []
    for unit in read(text).units:
        if not _is_detail(unit):
            continue
        if there[unit.key] > 0:
            there[unit.key] -= 1
        elif unit.text not in found:
            found.append(unit.text)
    return tuple(found)


def words_alone(text: str, *, beside: str) -> tuple[str, ...]:
    """The words of `text` that `beside` lacks, function words aside; empty where there are none."""
    if text == beside:
        return ()
    more = side_by_side(text, beside).more_left
    return tuple(dict.fromkeys(unit.text for unit in more if unit.text not in _ARTICLES))


def _is_detail(unit: Unit) -> bool:
    if unit.role in (Role.DATE, Role.NAME, Role.NEGATOR):
        return True
    if unit.role is Role.NUMBER:
        return unit.text not in _ARTICLES
    return bool(unit.name)
