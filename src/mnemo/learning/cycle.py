"""One run of learning over the store: fetch, judge, write, in batches.

Each batch is judged inside the transaction that writes it, so two runs at the same time can never
apply one piece of evidence twice. What the runs after startup did since the last explicit run is
part of the explicit run's answer, since that is what its caller wants to know.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from mnemo import times
from mnemo.enums import Actor, Op
from mnemo.learning.rules import KNOBS, Judgement, LearningKnobs, TrustRule, Use, judge
from mnemo.models import LearnReply, LongFact, TrustChange
from mnemo.retriever.scoring import PENALTY_CHARS, length_penalty
from mnemo.store import Filter, Operation, Store
from mnemo.store.evidence import LearningRow

_BATCH = 1_000  # judged and written in about 50 ms
_REPORTED = "learn_reported_op"


def run_learning(
    store: Store,
    *,
    now: datetime,
    actor: Actor,
    session: str,
    dry_run: bool = False,
    knobs: LearningKnobs = KNOBS,
) -> LearnReply:
    """Let trust follow the evidence; comes back with how many facts went which way.

    A fact counts once, under the first rule that moved it. With ``dry_run`` nothing is written
    and the changes are listed.
    """
    if dry_run:
        return _preview(store, now=now, knobs=knobs)
    operation = store.journal.operation(Op.LEARN, actor=actor, session=session, now=now)
    moved: list[tuple[int, str]] = []
    after = 0
    while rows := store.evidence.for_learning(after=after, limit=_BATCH):
        after = rows[-1].fact_id
        if not any(judge(_use(row), now, knobs).rules for row in rows):
            continue
        with operation.batch():
            # Read again under the lock: another run may have judged these in the meantime.
            locked = store.evidence.for_learning(after=rows[0].fact_id - 1, limit=len(rows))
            moved += _write(operation, locked, now=now, knobs=knobs)
    with operation.batch():
        # Read last: a run after startup may have been faster by a moment.
        untold = _untold(store) if actor != Actor.SYSTEM else []
        _tell(store, operation, moved, now=now, actor=actor)
    return _reply(store, [*untold, *moved])


def _write(
    operation: Operation, rows: Iterable[LearningRow], *, now: datetime, knobs: LearningKnobs
) -> list[tuple[int, str]]:
    moved: list[tuple[int, str]] = []
    stamp = times.stamp(now)
    for row in rows:
        judgement = judge(_use(row), now, knobs)
        if not judgement.rules:
            continue
        columns: dict[str, object] = {"trust_score": judgement.trust}
        if judgement.rules[0] != TrustRule.AGED:
            # The next window of evidence begins here.
            columns |= {
                "learn_retrievals": row.retrievals_so_far,
                "learn_helpful": row.lifetime_helpful,
                "learn_at": stamp,
            }
        if TrustRule.AGED in judgement.rules:
            columns["aged_at"] = stamp
        reason = ", ".join(judgement.rules)
        operation.update(row.fact_id, reason=reason, touch=False, **columns)
        moved.append((row.fact_id, reason))
    return moved


def _tell(
    store: Store,
    operation: Operation,
    moved: list[tuple[int, str]],
    *,
    now: datetime,
    actor: Actor,
) -> None:
    store.meta.set("last_learn_at", times.stamp(now))
    if moved:
        action = "AUTO-LEARN" if actor == Actor.SYSTEM else "LEARN"
        operation.event(action, **Counter(_first(reason) for _, reason in moved))
    if actor != Actor.SYSTEM:
        store.meta.set(_REPORTED, str(store.journal.newest_operation()))


def _untold(store: Store) -> list[tuple[int, str]]:
    last_told = int(store.meta.get(_REPORTED) or 0)
    return store.journal.reasons_since(last_told, Op.LEARN, actor=Actor.SYSTEM)


def _reply(store: Store, moved: list[tuple[int, str]]) -> LearnReply:
    first_rule: dict[int, str] = {}
    for fact_id, reason in moved:
        first_rule.setdefault(fact_id, _first(reason))
    counts = Counter(first_rule.values())
    active = store.facts.count(Filter())
    return LearnReply(
        promoted=counts[TrustRule.PROMOTED],
        demoted=counts[TrustRule.DEMOTED],
        aged=counts[TrustRule.AGED],
        unchanged=max(0, active - len(first_rule)),
        long_facts=long_facts(store),
    )


def _preview(store: Store, *, now: datetime, knobs: LearningKnobs) -> LearnReply:
    judged: list[tuple[LearningRow, Judgement]] = [
        (row, judgement)
        for row in store.evidence.for_learning()
        if (judgement := judge(_use(row), now, knobs)).rules
    ]
    reply = _reply(store, [(row.fact_id, judgement.rules[0]) for row, judgement in judged])
    changes = tuple(
        TrustChange(
            id=row.fact_id,
            rule=", ".join(judgement.rules),
            old_trust=round(row.trust, 4),
            new_trust=round(judgement.trust, 4),
        )
        for row, judgement in judged
    )
    return reply.model_copy(update={"dry_run": True, "changes": changes})


def long_facts(store: Store) -> tuple[LongFact, ...]:
    """Active facts whose match text costs them rank, longest first."""
    texts = [text for text in store.evidence.texts() if text.match_length > PENALTY_CHARS]
    return tuple(
        LongFact(
            id=text.fact_id,
            content_length=len(text.content),
            penalty=round(length_penalty(text.match_length), 3),
            has_summary=bool(text.summary.strip()),
        )
        for text in sorted(texts, key=lambda text: (-text.match_length, text.fact_id))
    )


def _first(reason: str) -> str:
    return reason.split(", ", maxsplit=1)[0]


def _use(row: LearningRow) -> Use:
    return Use(
        trust=row.trust,
        retrievals=row.retrievals,
        helpful=row.helpful,
        is_rated=row.is_rated,
        is_pinned=row.is_pinned,
        last_retrieved_at=times.parse(row.last_retrieved_at),
        aged_at=times.parse(row.aged_at),
    )
