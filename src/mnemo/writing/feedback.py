"""Ratings: the only evidence that a recalled fact was of use."""

from datetime import timedelta
from typing import Any

from mnemo.enums import Op, Status, Verdict
from mnemo.models import Fact, FeedbackReply
from mnemo.store import Operation, Store
from mnemo.writing.status import existing

HELPFUL_STEP = 0.05
UNHELPFUL_STEP = -0.10
TRUST_DECIMALS = 12  # the journal's JSON tells fifteen digits
COUNTS_ONCE_WITHIN = timedelta(minutes=10)


def rate_fact(
    store: Store, op: Operation, fact_id: int, verdict: Verdict, *, query: str = ""
) -> FeedbackReply:
    """Let a rating change a fact's trust; the same praise in one sitting counts once.

    With the ``query`` that returned the fact, the event names the search that it belongs to.
    """
    with op.batch():
        fact = existing(store, fact_id)
        search = store.retrievals.that_returned(fact_id, query) if query else None
        note = "" if search or not query else "no search for that has returned this fact lately"
        if fact.status != Status.ACTIVE:
            note = f"it is {fact.status}" + (f"; {note}" if note else "")
        repeated = verdict == Verdict.HELPFUL and store.history.changed_lately(
            fact_id,
            Op.FEEDBACK,
            reason=verdict,
            session=op.session,
            now=op.now,
            within=COUNTS_ONCE_WITHIN,
        )
        if repeated:
            return _rated(fact, fact.trust_score, note="the same rating was counted just before")
        step = HELPFUL_STEP if verdict == Verdict.HELPFUL else UNHELPFUL_STEP
        trust = round(min(1.0, max(0.0, fact.trust_score + step)), TRUST_DECIMALS)
        counter = f"{verdict}_count"
        op.update(
            fact_id,
            reason=verdict,
            touch=False,
            trust_score=trust,
            **{counter: getattr(fact, counter) + 1},
        )
        belongs_to: dict[str, Any] = {"search": search} if search else {}
        op.event("FEEDBACK", fact_id, verdict=verdict, trust=round(trust, 4), **belongs_to)
        return _rated(fact, trust, more_helpful=int(verdict == Verdict.HELPFUL), note=note)


def _rated(fact: Fact, trust: float, *, more_helpful: int = 0, note: str = "") -> FeedbackReply:
    return FeedbackReply(
        fact_id=fact.fact_id,
        old_trust=round(fact.trust_score, 4),
        new_trust=round(trust, 4),
        helpful_count=fact.helpful_count + more_helpful,
        note=note,
    )
