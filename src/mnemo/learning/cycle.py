"""One run of learning over the store: judge, write, in batches.

Each batch is judged first and written in a transaction of its own; what another process changed
in between is judged again inside it, so two runs at the same time can never apply one piece of
evidence twice. What the runs after startup did since the last explicit run is part of the
explicit run's answer, since that is what its caller wants to know. A run after startup leaves
alone what a person took back, until there is new evidence.
"""

from collections import Counter
from collections.abc import Callable
from datetime import datetime

from mnemo import times
from mnemo.enums import Actor, Op
from mnemo.learning.rules import KNOBS, Judgement, LearningKnobs, TrustRule, Use, in_words, judge
from mnemo.learning.stored import bulk_rule, reason_of, rules_in, use_of
from mnemo.models import LearnReply, LongFact, TrustChange
from mnemo.retriever.scoring import PENALTY_CHARS, length_penalty
from mnemo.store import Filter, Look, Operation, Store

_BATCH = 4_000  # written in about 50 ms
_REPORTED = "learn_reported_op"


def run_learning(
    store: Store,
    *,
    now: datetime,
    actor: Actor,
    session: str,
    dry_run: bool = False,
    between: Callable[[], None] = lambda: None,
    knobs: LearningKnobs = KNOBS,
) -> LearnReply:
    """Let trust follow the evidence; comes back with how many facts went which way.

    A fact counts once, under the first rule that moved it. With ``dry_run`` nothing is written
    and the changes are listed. ``between`` is called between two transactions and may raise
    Stopped: what was written by then stays, and the next explicit run tells it.
    """
    if dry_run:
        return _preview(store, now=now, knobs=knobs)
    operation = store.journal.operation(Op.LEARN, actor=actor, session=session, now=now)
    looks = _taken_back(store) if actor == Actor.SYSTEM else ()
    moved = Counter[TrustRule]()
    with store.judging(bulk_rule(now, knobs), looks=looks) as judging:
        while judging.judge_next(_BATCH):
            if judging.is_moved:
                with operation.batch():
                    for reason, count in judging.write(operation).items():
                        moved[rules_in(reason)[0]] += count
                    _tell(operation, moved, actor=actor)
            between()
    # A run after startup that ends from here on is told by the next explicit one.
    newest = store.history.newest_operation()
    untold = _untold(store) if actor != Actor.SYSTEM else {}
    with store.transaction():
        store.meta.set("last_learn_at", times.stamp(now))
        if actor != Actor.SYSTEM:
            store.meta.set(_REPORTED, str(newest))
    if untold and moved:
        # What moved again counts under its first rule.
        again = store.history.reasons_of(operation.op_id)
        moved -= Counter(rules_in(reason)[0] for fact_id, reason in again if fact_id in untold)
    return _reply(store, moved + Counter(untold.values()))


def _taken_back(store: Store) -> tuple[Look, ...]:
    """How far learning had looked where somebody then undid what came of it."""
    return tuple(
        Look(
            change.fact_id,
            retrievals=change.after.get("learn_retrievals", 0),
            helpful=change.after.get("learn_helpful", 0),
            aged_at=change.after.get("aged_at", ""),
        )
        for change in store.history.undone(Op.LEARN)
    )


def _tell(operation: Operation, moved: Counter[TrustRule], *, actor: Actor) -> None:
    if moved:
        action = "AUTO-LEARN" if actor == Actor.SYSTEM else "LEARN"
        operation.sum_up(action, **dict(sorted(moved.items())))


def _untold(store: Store) -> dict[int, TrustRule]:
    """What runs after startup did to active facts since an explicit run last told it."""
    told = store.meta.get(_REPORTED) or ""
    last_told = int(told) if told.isdecimal() else 0
    first_rule: dict[int, TrustRule] = {}
    for fact_id, reason in store.history.reasons_since(last_told, Op.LEARN, actor=Actor.SYSTEM):
        first_rule.setdefault(fact_id, rules_in(reason)[0])
    return first_rule


def _reply(store: Store, moved: Counter[TrustRule]) -> LearnReply:
    promoted, demoted, aged = (
        moved[rule] for rule in (TrustRule.PROMOTED, TrustRule.DEMOTED, TrustRule.AGED)
    )
    active = store.facts.count(Filter())
    return LearnReply(
        promoted=promoted,
        demoted=demoted,
        aged=aged,
        unchanged=max(0, active - promoted - demoted - aged),
        long_facts=long_facts(store),
    )


def _preview(store: Store, *, now: datetime, knobs: LearningKnobs) -> LearnReply:
    moved = Counter[TrustRule]()
    changes: list[TrustChange] = []
    for row in store.evidence.for_learning():
        use = use_of(row)
        judgement = judge(use, now, knobs)
        if judgement.rules:
            moved[judgement.rules[0]] += 1
        if judgement.trust != use.trust:
            changes.append(_change(row.fact_id, use, judgement, now))
    update = {"dry_run": True, "changes": tuple(changes)}
    return _reply(store, moved).model_copy(update=update)


def _change(fact_id: int, use: Use, judgement: Judgement, now: datetime) -> TrustChange:
    return TrustChange(
        id=fact_id,
        rule=reason_of(judgement.rules),
        reason=in_words(use, judgement.rules, now),
        old_trust=round(use.trust, 4),
        new_trust=round(judgement.trust, 4),
    )


def long_facts(store: Store) -> tuple[LongFact, ...]:
    """Active facts whose match text costs them rank, longest first."""
    texts = [
        text
        for text in store.evidence.texts(longer_than=PENALTY_CHARS)
        if text.match_length > PENALTY_CHARS
    ]
    return tuple(
        LongFact(
            id=text.fact_id,
            content_length=len(text.content),
            penalty=round(length_penalty(text.match_length), 3),
            has_summary=bool(text.summary.strip()),
        )
        for text in sorted(texts, key=lambda text: (-text.match_length, text.fact_id))
    )
