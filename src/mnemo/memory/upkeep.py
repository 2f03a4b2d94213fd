"""The verbs that look after the store."""

import math
from collections.abc import Sequence

from mnemo import times
from mnemo.dream.cycle import Caller, carry_out, checked_wish, propose_dream, run_dream
from mnemo.dream.proposals import Proposals
from mnemo.dream.report import DreamReply
from mnemo.learning.cycle import run_learning
from mnemo.models import LearnReply
from mnemo.session import Session


class Upkeep(Session):
    """Learning, dreaming, and what keeps the index in step."""

    def learn(self, *, dry_run: bool = False) -> LearnReply:
        """Let trust follow the evidence of use."""
        with self._open(catch_up=False) as store:
            return run_learning(
                store,
                now=self._clock(),
                actor=self._actor,
                session=self._session,
                dry_run=dry_run,
                between=self._pauses(),
            )

    def dream(
        self,
        *,
        dry_run: bool = False,
        plan: str = "",
        except_: Sequence[int] = (),
        resume: bool = True,
    ) -> DreamReply:
        """Tidy the store: backup, categories, overlaps, summaries.

        With ``dry_run`` only the plan, under an id; given back as ``plan`` it is carried out but
        for the steps ``except_``. A dream that was cut short is gone on with unless ``resume`` is
        false. Raises Stopped at the next transaction boundary after the memory was told to stop.
        """
        checked_wish(dry_run=dry_run, plan=plan, except_=except_)
        with self._open(catch_up=not dry_run) as store:
            proposals = Proposals(self.settings.home / "cache" / "plans", store.path)
            if dry_run:
                return propose_dream(store, proposals)
            caller = Caller(self._clock(), self._actor, self._session, self._pauses())
            if plan:
                return carry_out(store, caller, proposals, plan, excepted=except_)
            return run_dream(store, caller, resume=resume)

    def is_due(self, what: str, *, days: float) -> bool:
        """Whether ``what`` (dream) last ran, or the store was first opened, that long ago."""
        with self._open(catch_up=False) as store:
            last = store.meta.get(f"last_{what}_at") or store.meta.get("first_start")
        return times.age_in_days(times.parse(last), self._clock()) >= days

    def catch_up(self, *, seconds: float = math.inf) -> int:
        """Work for about so long on facts that wait for the index; how many still wait.

        Raises Stopped as `dream` does.
        """
        with self._open(catch_up=False) as store:
            return store.index.catch_up(seconds=seconds, between=self._pauses())

    def rebuild_index(self) -> int:
        """Make the index anew from the facts; comes back with how many facts there are."""
        with self._open(catch_up=False) as store:
            store.recreate_index()
            store.index.catch_up(seconds=math.inf, between=self._pauses())
            return sum(store.facts.counts_by("status", active_only=False).values())
