"""One dream: collect, plan, back up, apply, evaluate, report.

The plan is made before anything is written, so that what `propose_dream` shows is what a run would
do; a plan that was shown can be carried out later, or in part. Nothing is backed up where the plan
is empty. One process dreams at a time. A run is one operation over many short transactions; one
that was cut short is gone on with by the next, under the same operation and backup.
"""

import contextlib
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mnemo import times
from mnemo.dream.apply import Applied, apply_plan, fingerprint
from mnemo.dream.checkpoint import Unfinished, clear_checkpoint, set_checkpoint, unfinished
from mnemo.dream.collect import collect
from mnemo.dream.consolidate import consolidate
from mnemo.dream.evaluate import health_of
from mnemo.dream.plan import DreamFact, Plan, Step, facts_of
from mnemo.dream.proposals import Proposal, Proposals
from mnemo.dream.report import DreamReply, dream_reply
from mnemo.dream.undone import all_in_words, taken_back, without_taken_back
from mnemo.enums import Actor, Op
from mnemo.errors import InvalidInput
from mnemo.store import DREAM, Store, operation_name
from mnemo.text.sentences import summarise

RETIRED_SHARE = 0.10  # of the active facts, by a dream that nobody asked for; at least one


@dataclass(frozen=True)
class Caller:
    """Who dreams, when, and what is to be called between two transactions; it may raise to stop."""

    now: datetime
    actor: Actor
    session: str
    between: Callable[[], None] = lambda: None


def checked_wish(*, dry_run: bool, plan: str, except_: Sequence[int]) -> None:
    """Raises InvalidInput for wishes that exclude each other."""
    if plan and dry_run:
        raise InvalidInput(
            "a plan is either made or carried out, not both",
            hint="without a dry run the plan is carried out",
        )
    if except_ and not plan:
        raise InvalidInput(
            "except names steps of a plan, and no plan is given",
            hint="the dry run of a dream makes a plan and names it",
        )


def propose_dream(store: Store, proposals: Proposals) -> DreamReply:
    """What a dream would do, its steps numbered; the plan is kept under the id that it names."""
    started = time.perf_counter()
    facts = collect(store)
    plan = consolidate(facts).numbered()
    name, notes = "", ()
    if not plan.is_empty:
        seen = _seen(facts, plan)
        try:
            name = proposals.keep(Proposal(plan, seen, plan.in_conflict, plan.doubles))
        except OSError as error:
            notes = (f"the plan could not be kept to be carried out later: {error}",)
    planned = Applied(list(plan.moves), list(plan.merges), list(plan.compressions))
    reply = dream_reply(
        store.path, plan, planned, health_of(facts, plan.in_conflict, plan.doubles),
        dry_run=True, seconds=time.perf_counter() - started,
    )  # fmt: skip
    return reply.model_copy(update={"plan": name, "notes": notes})


def run_dream(store: Store, caller: Caller, *, resume: bool = True) -> DreamReply:
    """Tidy the store; comes back with what was done, also by a run that was cut short before and
    is gone on with, unless ``resume`` is false.

    Raises Refused where another dream is running, StoreUnavailable where no backup could be made;
    nothing is changed then.
    """
    started = time.perf_counter()
    with _alone(store, caller) as go_on:
        begun = unfinished(store) if resume else None
        facts = collect(store)
        plan = consolidate(facts)
        left: tuple[Step, ...] = ()
        if caller.actor == Actor.SYSTEM:
            plan, left = without_taken_back(plan, taken_back(store))
            retired = len(begun.applied.merges) if begun else 0
            most = max(1, int((len(facts) + retired) * RETIRED_SHARE)) - retired
            plan = replace(plan, merges=plan.merges[: max(0, most)])
        run = _Run(store, caller, begun)
        run.write(plan, _seen(facts, plan), between=go_on)
        reply = dream_reply(
            store.path, plan, run.whole, health_of(collect(store), plan.in_conflict, plan.doubles),
            backup=run.backup, seconds=time.perf_counter() - started,
        )  # fmt: skip
        return reply.model_copy(update=run.names() | {"left_undone": all_in_words(left)})


def carry_out(
    store: Store, caller: Caller, proposals: Proposals, name: str, *, excepted: Sequence[int] = ()
) -> DreamReply:
    """Carry out the plan ``name`` without the steps ``excepted``, and nothing else; comes back with
    what was done and which steps were not since their facts have changed.

    Raises NotFound for a plan that is not kept and InvalidInput for a step that it does not have,
    before anything is written; Refused and StoreUnavailable as `run_dream` does.
    """
    started = time.perf_counter()
    proposal = proposals.find(name).without(excepted)
    plan = _with_summaries(store, proposal.plan)
    with _alone(store, caller) as go_on:
        run = _Run(store, caller, unfinished(store, plan=name), name)
        run.write(plan, proposal.seen, between=go_on)
        facts = collect(store)
        reply = dream_reply(
            store.path, Plan(), run.whole,
            health_of(facts, proposal.in_conflict, proposal.doubles),
            backup=run.backup, seconds=time.perf_counter() - started,
        )  # fmt: skip
        return reply.model_copy(update=run.names() | {"plan": name})


class _Run:
    """The writing part of one dream, perhaps the second part of one that was cut short."""

    def __init__(
        self, store: Store, caller: Caller, begun: Unfinished | None, proposal: str = ""
    ) -> None:
        self._store = store
        self._caller = caller
        self._begun = begun
        self._proposal = proposal
        self._event = "AUTO-DREAM" if caller.actor == Actor.SYSTEM else "DREAM"
        self.backup = begun.backup if begun else None
        self.whole = Applied()
        self._operation = store.journal.operation(
            Op.DREAM, actor=caller.actor, session=caller.session, now=caller.now,
            resumes=begun.op_id if begun else None,
        )  # fmt: skip

    def write(self, plan: Plan, seen: Mapping[int, str], *, between: Callable[[], None]) -> None:
        """Write what is not written yet, and close the operation."""
        done, rest = self._parted(plan)
        if not rest.is_empty and self.backup is None:
            self.backup = self._store.backup(kind="dream", now=self._caller.now)
        applied = apply_plan(
            self._store, self._operation, rest, seen, at_first=self._begin, between=between
        )
        for step in (*done, *applied.moves, *applied.merges, *applied.compressions):
            self.whole.add(step)
        self.whole.stale = applied.stale
        with self._operation.batch():
            clear_checkpoint(self._store)
            self._store.meta.set("last_dream_at", times.stamp(self._caller.now))
            if not self.whole.is_empty:
                self._operation.event(self._event, stage="end", **_counts(self.whole))

    def names(self) -> dict[str, str]:
        """What the report calls the operation, and the one that was gone on with."""
        op = "" if self.whole.is_empty else operation_name(self._operation.op_id)
        return {"op": op, "resumed": op if self._begun else ""}

    def _parted(self, plan: Plan) -> tuple[list[Step], Plan]:
        """What the first part of the run has written, and what is left of the plan."""
        if self._begun is None:
            return [], plan
        written = self._begun.applied
        done: list[Step] = [*written.moves, *written.merges, *written.compressions]
        if not self._proposal:
            return done, plan
        # The steps of a proposal keep their numbers.
        marks = {(type(step), facts_of(step)) for step in done}
        numbered = [step for step in plan.steps if (type(step), facts_of(step)) in marks]
        return numbered, plan.without(set(numbered))

    def _begin(self) -> None:
        """Within the first transaction that writes: what a later run needs to go on."""
        assert self.backup is not None
        set_checkpoint(self._store, self._operation.op_id, backup=self.backup, plan=self._proposal)
        if self._begun is None:
            self._operation.event(self._event, stage="start", backup=str(self.backup))


@contextlib.contextmanager
def _alone(store: Store, caller: Caller) -> Generator[Callable[[], None]]:
    """What is called between two transactions while no other dream runs."""
    with store.locks.held(DREAM, now=caller.now, refusal="another dream is running") as renew:

        def go_on() -> None:
            caller.between()
            renew()

        yield go_on


def _seen(facts: Sequence[DreamFact], plan: Plan) -> dict[int, str]:
    """The fingerprints of the facts that the plan is about."""
    wanted = {fact_id for step in plan.steps for fact_id in facts_of(step)}
    return {fact.fact_id: fingerprint(fact) for fact in facts if fact.fact_id in wanted}


def _with_summaries(store: Store, plan: Plan) -> Plan:
    """The plan with the summaries that its facts have now; one whose text changed is left out when
    it is applied.
    """
    facts = store.facts.get([compression.fact_id for compression in plan.compressions])
    summaries = {fact.fact_id: summarise(fact.content) or "" for fact in facts}
    return replace(
        plan,
        compressions=tuple(
            replace(compression, summary=summaries.get(compression.fact_id, ""))
            for compression in plan.compressions
        ),
    )


def _counts(applied: Applied) -> dict[str, int]:
    return {
        "merged": len({merge.kept for merge in applied.merges}),
        "deleted": len(applied.merges),
        "compressed": len(applied.compressions),
        "reclassified": len(applied.moves),
    }
