"""How the past is put into words: the names of operations, and what became of a row."""

from collections.abc import Iterable, Mapping
from typing import Any

from mnemo.models import Frozen
from mnemo.text.normal import cut
from mnemo.text.secrets import redact

KEPT_CHARS = 80  # of a text that changed
# Moments and marks of mnemo's own bookkeeping, which tell a person nothing.
_BOOKKEEPING = frozenset(
    ("updated_at", "created_at", "learn_retrievals", "learn_helpful", "learn_at", "aged_at")
) | {"decayed_at", "consolidated_hits", "category_locked", "summary_source", "discounted"}
_NAMED = 20


class Difference(Frozen):
    """A column of a fact that changed, with its value before and after, long texts cut."""

    field: str
    before: Any
    after: Any

    def as_json(self) -> dict[str, Any]:
        """The difference as plain JSON values."""
        return {"field": self.field, "from": self.before, "to": self.after}


def differences(
    before: Mapping[str, Any] | None, after: Mapping[str, Any]
) -> tuple[Difference, ...]:
    """What setting the columns ``after`` changed in the row ``before``; for a new fact what it
    says.
    """
    if before is None:
        return (Difference(field="content", before=None, after=shortened(after.get("content"))),)
    return tuple(
        Difference(field=name, before=shortened(before.get(name)), after=shortened(value))
        for name, value in after.items()
        if name not in _BOOKKEEPING and before.get(name) != value
    )


def shortened(value: Any) -> Any:
    """The value, a long text cut and marked, secrets shortened, a figure rounded."""
    if isinstance(value, float):
        return round(value, 4)
    if not isinstance(value, str):
        return value
    value = redact(value)
    return f"{cut(value, KEPT_CHARS)}…" if len(value) > KEPT_CHARS else value


def listed(items: Iterable[object]) -> str:
    """The items in a sentence: the first twenty, and how many more there are."""
    found = [str(item) for item in items]
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return ", ".join(found[:_NAMED]) + more
