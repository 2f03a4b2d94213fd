"""One dream: collect, plan, back up, apply, evaluate, report.

The plan is made before anything is written, so that a dry run shows exactly what a run would do.
Nothing is backed up where the plan is empty. One process dreams at a time. A run that was cut
short left whole steps behind; the next one plans what remains.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from mnemo import times
from mnemo.dream.apply import Applied, apply_plan
from mnemo.dream.collect import collect
from mnemo.dream.consolidate import LONG_CONTENT, consolidate
from mnemo.dream.evaluate import Health, evaluate
from mnemo.dream.plan import DreamFact, Plan
from mnemo.dream.report import DreamReply, dream_reply
from mnemo.enums import Actor, Op
from mnemo.errors import Refused
from mnemo.store import Store

LOCK = "dream"
_RENEWED_AFTER_SECONDS = 120.0
RETIRED_SHARE = 0.10  # of the active facts, by a dream that nobody asked for; at least one


def run_dream(
    store: Store,
    *,
    now: datetime,
    actor: Actor,
    session: str,
    dry_run: bool = False,
    between: Callable[[], None] = lambda: None,
) -> DreamReply:
    """Tidy the store; comes back with what was done, or with ``dry_run`` what would be.

    ``between`` is called after each transaction and may raise to stop there. Raises Refused where
    another dream is running, StoreUnavailable where no backup could be made; nothing is changed
    then.
    """
    started = time.perf_counter()
    if dry_run:
        facts, plan = _plan(store, actor)
        planned = Applied(list(plan.moves), list(plan.merges), list(plan.compressions))
        return dream_reply(
            store.path, plan, planned, _health(facts, plan), backup=None, dry_run=True,
            seconds=time.perf_counter() - started,
        )  # fmt: skip
    if not store.locks.acquire(LOCK, now=now):
        raise Refused("another dream is running", hint="wait until it has ended")
    try:
        facts, plan = _plan(store, actor)
        backup = None if plan.is_empty else store.backup(kind="dream", now=now)
        operation = store.journal.operation(Op.DREAM, actor=actor, session=session, now=now)
        applied = apply_plan(
            store, operation, plan, facts, between=_holding_on(store, now, between)
        )
        with operation.batch():
            store.meta.set("last_dream_at", times.stamp(now))
            if not plan.is_empty:
                operation.event(
                    "AUTO-DREAM" if actor == Actor.SYSTEM else "DREAM", **_counts(applied)
                )
        after = collect(store)
        return dream_reply(
            store.path, plan, applied, _health(after, plan), backup=backup, dry_run=False,
            seconds=time.perf_counter() - started,
        )  # fmt: skip
    finally:
        store.locks.release(LOCK)


def _holding_on(store: Store, now: datetime, between: Callable[[], None]) -> Callable[[], None]:
    """``between``, and the lock is renewed in time: a long dream is still one dream."""
    started = renewed = time.monotonic()

    def go_on() -> None:
        nonlocal renewed
        between()
        if time.monotonic() - renewed > _RENEWED_AFTER_SECONDS:
            renewed = time.monotonic()
            store.locks.acquire(LOCK, now=now + timedelta(seconds=renewed - started))

    return go_on


def _plan(store: Store, actor: Actor) -> tuple[list[DreamFact], Plan]:
    facts = collect(store)
    plan = consolidate(facts)
    if actor == Actor.SYSTEM:
        most = max(1, int(len(facts) * RETIRED_SHARE))
        plan = replace(plan, merges=plan.merges[:most])
    return facts, plan


def _health(facts: list[DreamFact], plan: Plan) -> Health:
    total = max(1, len(facts))
    long = sum(1 for f in facts if len(f.content) > LONG_CONTENT and not (f.summary or "").strip())
    in_conflict = {i for pair in plan.skipped_conflicts for i in (pair.a, pair.b)}
    return evaluate(
        facts,
        long_share=long / total,
        duplicate_share=min(1.0, len(plan.skipped_merges) / total),
        conflict_share=min(1.0, len(in_conflict) / total),
    )


def _counts(applied: Applied) -> dict[str, int]:
    return {
        "merged": len({merge.kept for merge in applied.merges}),
        "deleted": len(applied.merges),
        "compressed": len(applied.compressions),
        "reclassified": len(applied.moves),
    }
