"""What a person took back, a dream that nobody asked for does not do again.

Taken back is what an undo took back, and a merge whose fact was restored. Knows steps as values;
a person's own dream knows nothing of this and may do it all.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from mnemo.dream.plan import Compression, Merge, Move, Plan, Step
from mnemo.enums import Op, Status
from mnemo.store import Store


@dataclass
class TakenBack:
    """Pairs of facts that were merged, facts with a category, facts with a summary."""

    pairs: set[frozenset[int]] = field(default_factory=set[frozenset[int]])
    moves: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])
    summaries: set[int] = field(default_factory=set[int])

    def holds(self, step: Step) -> bool:
        """Whether a step would do what was taken back."""
        if isinstance(step, Merge):
            return frozenset((step.kept, step.removed)) in self.pairs
        if isinstance(step, Move):
            return (step.fact_id, step.target) in self.moves
        return step.fact_id in self.summaries


def taken_back(store: Store) -> TakenBack:
    """What of earlier dreams somebody took back."""
    found = TakenBack(pairs={frozenset(pair) for pair in store.history.unmerged()})
    for change in store.history.undone(Op.DREAM):
        if change.after.get("status") == Status.MERGED:
            found.pairs.add(frozenset((change.fact_id, change.after["merged_into"])))
        if "category" in change.after:
            found.moves.add((change.fact_id, change.after["category"]))
        if "summary" in change.after:
            found.summaries.add(change.fact_id)
    return found


def without_taken_back(plan: Plan, taken: TakenBack) -> tuple[Plan, tuple[Step, ...]]:
    """The plan without such steps, and those steps."""
    left = tuple(step for step in plan.steps if taken.holds(step))
    return plan.without(set(left)), left


def in_words(step: Step) -> str:
    """What a step would do, as a person would say it."""
    if isinstance(step, Compression):
        return f"summarise fact {step.fact_id}"
    if isinstance(step, Move):
        return f"move fact {step.fact_id} to {step.target}"
    return f"merge fact {step.removed} into fact {step.kept}"


def all_in_words(steps: Iterable[Step]) -> tuple[str, ...]:
    """The same for several."""
    return tuple(map(in_words, steps))
