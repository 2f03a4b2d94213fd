"""Pins: what a person wants kept and shown first. Flag and reason change, never trust or text."""

from mnemo.models import PinReply
from mnemo.store import Operation, Store
from mnemo.text.normal import normalise
from mnemo.writing.status import existing


def pin_fact(store: Store, op: Operation, fact_id: int, *, reason: str = "") -> PinReply:
    """Pin a fact; one that is pinned already gets the new reason, where one is given."""
    with op.batch():
        fact = existing(store, fact_id)
        reason = normalise(reason) or fact.pin_reason or ""
        if fact.pinned and reason == (fact.pin_reason or ""):
            return PinReply(fact_id=fact_id, pinned=True, note="it was pinned before")
        op.update(fact_id, touch=False, pinned=1, pin_reason=reason or None)
        op.event("PIN", fact_id, **({"reason": reason} if reason else {}))
        return PinReply(fact_id=fact_id, pinned=True)


def unpin_fact(store: Store, op: Operation, fact_id: int) -> PinReply:
    """Let a fact be as any other again; its reason goes with the pin."""
    with op.batch():
        fact = existing(store, fact_id)
        if not fact.pinned:
            return PinReply(fact_id=fact_id, pinned=False, note="it was not pinned")
        op.update(fact_id, touch=False, pinned=0, pin_reason=None)
        op.event("UNPIN", fact_id)
        return PinReply(fact_id=fact_id, pinned=False)
