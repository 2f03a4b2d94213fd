"""What a dream that was cut short leaves for the next one: its operation and its backup.

The checkpoint is written with the first change and goes with the last transaction. It holds no
position: between the two runs facts may have come, gone and changed, so the next run plans anew
what remains, and steps that were written are no longer in that plan. What the first part did is
read from its events.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from mnemo.dream.apply import Applied
from mnemo.dream.plan import Compression, Merge, Move, Step
from mnemo.store import Store

_KEY = "dream_checkpoint"


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A dream that was cut short: its operation, its backup, and the steps that it wrote."""

    op_id: int
    backup: Path | None
    applied: Applied = field(default_factory=Applied)


def unfinished(store: Store, *, plan: str = "") -> Unfinished | None:
    """The dream that was cut short and still holds, if there is one; of the proposal ``plan``, or
    one that followed no proposal.
    """
    kept = _read(store.meta.get(_KEY))
    if kept.get("plan", "") != plan or not isinstance(kept.get("op"), int):
        return None
    steps = _steps(store.history.told(kept["op"]))
    if not steps:
        return None
    applied = Applied()
    for step in steps:
        applied.add(step)
    backup = Path(str(kept.get("backup")))
    return Unfinished(kept["op"], backup if backup.is_file() else None, applied)


def set_checkpoint(store: Store, op_id: int, *, backup: Path, plan: str = "") -> None:
    """Note, inside the caller's transaction, what runs."""
    store.meta.set(_KEY, json.dumps({"op": op_id, "backup": str(backup), "plan": plan}))


def clear_checkpoint(store: Store) -> None:
    """Note, inside the caller's transaction, that nothing is left."""
    store.meta.delete(_KEY)


def _read(stored: str | None) -> dict[str, Any]:
    try:
        value = json.loads(stored or "{}")
    except ValueError:
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _steps(events: Sequence[tuple[str, int, dict[str, Any]]]) -> list[Step]:
    steps: list[Step] = []
    for action, fact_id, told in events:
        if action == "MERGE":
            steps.append(Merge(fact_id, told["removed"], told["similarity"]))
        elif action == "RECLASSIFY":
            steps.append(Move(fact_id, told["origin"], told["target"], told["keyword"]))
        elif action == "COMPRESS":
            steps.append(Compression(fact_id, told["summary"]))
    return steps
