"""Where a fact stands: its twins, taking it out of sight, bringing it back."""

from typing import Any

from mnemo.enums import Status
from mnemo.errors import Refused, no_such_fact
from mnemo.models import Fact, RemoveReply, RestoreReply
from mnemo.store import Operation, Store


def existing(store: Store, fact_id: int) -> Fact:
    """The fact with that id, whatever its status. Raises NotFound where there is none."""
    found = store.facts.get([fact_id])
    if not found:
        raise no_such_fact(fact_id)
    return found[0]


def known_twin(store: Store, content: str, category: str, *, but: int | None = None) -> Fact | None:
    """A fact of any status that says the same in that category; an active one before others."""
    twins = [
        fact
        for fact in store.facts.get(store.index.twins(content))
        if fact.category == category and fact.fact_id != but
    ]
    return min(
        twins,
        key=lambda fact: (fact.status != Status.ACTIVE, fact.content != content),
        default=None,
    )


def active_twin(
    store: Store, content: str, category: str, *, but: int | None = None
) -> Fact | None:
    """The active fact that says the same in that category."""
    twin = known_twin(store, content, category, but=but)
    return twin if twin is not None and twin.status == Status.ACTIVE else None


def remove_fact(store: Store, op: Operation, fact_id: int) -> RemoveReply:
    """Take a fact out of sight; the row stays and can be restored."""
    with op.batch():
        fact = existing(store, fact_id)
        if fact.status == Status.REMOVED:
            return RemoveReply(fact_id=fact_id, removed=False, note="it was removed before")
        op.update(fact_id, status=Status.REMOVED, merged_into=None)
        op.event("REMOVE", fact_id, was=fact.status)
        return RemoveReply(fact_id=fact_id, removed=True)


def restore_fact(store: Store, op: Operation, fact_id: int) -> RestoreReply:
    """Make a retired fact active again, with its id, text, trust and counters."""
    with op.batch():
        fact = existing(store, fact_id)
        if fact.status == Status.ACTIVE:
            raise Refused(f"fact {fact_id} is active", hint="there is nothing to restore")
        twin = active_twin(store, fact.content, fact.category, but=fact_id)
        activate(op, fact)
        return RestoreReply(
            restored=True,
            fact_id=fact_id,
            origin=fact.status,
            notes=(f"fact {twin.fact_id} says the same",) if twin else (),
        )


def activate(op: Operation, fact: Fact, **columns: Any) -> None:
    """Let a retired fact be active again, with these columns set besides."""
    op.update(fact.fact_id, status=Status.ACTIVE, merged_into=None, status_reason=None, **columns)
    op.event("RESTORE", fact.fact_id, was=fact.status)
