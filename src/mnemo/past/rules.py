"""What taking a change back means for one fact: pure rules over rows.

A change can be taken back while its fact is as the change left it. Counters and the moment of the
last recall move by themselves all the time: they never stand in the way and go back by what the
change had added. Every other column of the row counts, also one that mnemo does not know.
"""

import math
from collections.abc import Mapping
from typing import Any

from mnemo.enums import Status

Row = Mapping[str, Any]

COUNTERS = frozenset(
    (
        "retrieval_count",
        "discounted",
        "helpful_count",
        "unhelpful_count",
        "learn_retrievals",
        "learn_helpful",
        "consolidated_hits",
    )
)
LAST_RECALL = "last_retrieved_at"
_MOVING = COUNTERS | {LAST_RECALL}

# Of a fact that was made, where an early journal kept only the columns that were named.
_NEW: Row = {"status": Status.ACTIVE, "merged_into": None}


def is_as_left(before: Row | None, after: Row, now: Row) -> bool:
    """Whether the row ``now`` is still what the change from ``before`` made of it, by setting the
    columns ``after``.

    A column that came into being since says nothing.
    """
    left = {**(_NEW if before is None else before), **after}
    for name in _MOVING & left.keys() & now.keys():
        left[name] = now[name]
    return left == now or all(
        _is_same(value, now[name])
        for name, value in left.items()
        if name in now and name not in _MOVING
    )


def columns_back(before: Row | None, after: Row, now: Row) -> dict[str, Any]:
    """The columns that take the change back, and their values; none where there is nothing to set.

    Rows are never deleted: a fact that was made goes to REMOVED.
    """
    if before is None:
        return {} if now["status"] == Status.REMOVED else {"status": Status.REMOVED.value}
    back: dict[str, Any] = {}
    for name, value in after.items():
        if name not in now or name not in before:
            continue
        was = before[name]
        if name in COUNTERS:
            was = _without(now[name], gained=_figure(value) - _figure(was))
        elif name == LAST_RECALL and not _is_same(now[name], value):
            continue
        if type(was) is not type(now[name]) or was != now[name]:
            back[name] = was
    return back


def _without(counter: Any, *, gained: float) -> Any:
    return max(0, counter - gained) if isinstance(counter, int | float) else counter


def _figure(value: Any) -> int | float:
    return value if isinstance(value, int | float) else 0


def _is_same(left: Any, right: Any) -> bool:
    if isinstance(right, float) and not math.isfinite(right):
        return str(left).lower() == str(right)  # the journal keeps it as text
    if isinstance(left, float) and isinstance(right, int | float):
        # SQLite writes some figures into the journal with fifteen digits.
        return math.isclose(left, right, rel_tol=1e-12, abs_tol=1e-12)
    return left == right
