"""Lists that two texts give in two orders: "Go and Python" beside "Python and Go".

Knows a list by the words that join its items and by what may stand around it. What must hold: only
whole items change places, and each of them stands in both lists; steps, which are verbs, keep their
order, and so does everything that is said "respectively".
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from mnemo.text import han
from mnemo.text.roles import Role
from mnemo.text.units import Reading, Unit

_JOINTS: Final = (("j:and",), ("j:or",))
_IN_TURN: Final = re.compile(r"respectively|in (?:that|this) order|分别|各自|依次|先后")


def relisted(small: Reading, large: Reading) -> Reading | None:
    """`small` with the items of one list in the order of `large`, None where that is not all that
    sets their order apart.
    """
    if _IN_TURN.search(small.folded) or _IN_TURN.search(large.folded):
        return None
    theirs = _shared(small.units, large.units)
    mine = small.units
    apart = [i for i, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a.key != b.key]
    if not apart or len(theirs) != len(mine):
        return None
    start, end = apart[0], apart[-1] + 1
    items, wanted = _items(mine[start:end]), _items(theirs[start:end])
    if len(items) < 2 or Counter(map(_keys, items)) != Counter(map(_keys, wanted)):
        return None
    if not all(_is_whole(units, start, end) for units in (mine, theirs)):
        return None
    if not all(map(_is_thing, items)):
        return None
    joints = [item[0] for item in items]
    by_keys = {_keys(item): item for item in items}
    moved: list[Unit] = []
    for item, joint in zip(wanted, joints, strict=True):
        first, *others = by_keys[_keys(item)]
        moved.append(first._replace(small=joint.small, owned=joint.owned, article=joint.article))
        moved += others
    return small._replace(units=(*mine[:start], *moved, *mine[end:]))


def _shared(small: Sequence[Unit], large: Sequence[Unit]) -> list[Unit]:
    """The units of `large` that `small` has too, repeats counted."""
    keys = Counter(unit.key for unit in small)
    shared: list[Unit] = []
    for unit in large:
        if keys[unit.key] > 0:
            keys[unit.key] -= 1
            shared.append(unit)
    return shared


def _items(units: Sequence[Unit]) -> list[Sequence[Unit]]:
    """The units between one joint and the next; none where a clause ends among them."""
    if any(one.clause != other.clause for one, other in pairwise(units)):
        return []
    cuts = [0, *(i for i, unit in enumerate(units) if i and unit.small in _JOINTS), len(units)]
    return [units[i:j] for i, j in pairwise(cuts)]


def _keys(item: Sequence[Unit]) -> tuple[str, ...]:
    return tuple(unit.key for unit in item)


def _is_whole(units: Sequence[Unit], start: int, end: int) -> bool:
    """True where nothing before the list belongs to its first item, or after it to its last."""
    first, before = units[start], units[start - 1] if start else None
    begins = (
        before is None
        or before.clause != first.clause
        or bool(first.small or first.article)
        or _is_verb(before)
        or _is_name(first)
    )
    after = units[end] if end < len(units) else None
    last = units[end - 1]
    ends = (
        after is None
        or after.clause != last.clause
        or (not after.owned and (bool(after.small) or _is_verb(after)))
    )
    return begins and ends and not first.owned


def _is_thing(item: Sequence[Unit]) -> bool:
    """True for a name, and for what begins with an article or is a Chinese noun."""
    if any(unit.role not in (Role.WORD, Role.NAME) for unit in item):
        return False
    first, last = item[0], item[-1]
    if last.text.isascii():
        return _is_name(first) or bool(first.article)
    return han.word_class(last.text) in ("n", "") and not _is_verb(first)


def _is_verb(unit: Unit) -> bool:
    return not unit.text.isascii() and han.word_class(unit.text) == "v"


def _is_name(unit: Unit) -> bool:
    return unit.role is Role.NAME or unit.name != ""
