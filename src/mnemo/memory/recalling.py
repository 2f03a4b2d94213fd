"""What every recall does, whatever it asks by: narrow, find, show, and leave its trace."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from mnemo.memory.narrowing import (
    Narrowing,
    notes_on,
    pending_note,
    recalled_statuses,
    wanted_facts,
)
from mnemo.memory.pages import checked_limit
from mnemo.models import Fact, Hit
from mnemo.retriever.log import log_retrieval
from mnemo.retriever.search import DEFAULT_LIMIT
from mnemo.session import Session
from mnemo.store import Filter, Store


class _Found(Protocol):
    """What was found of a fact, and how."""

    @property
    def fact_id(self) -> int: ...


FoundT = TypeVar("FoundT", bound=_Found)
HitT = TypeVar("HitT", bound=Hit)


class Recalling(Session):
    """Finding facts in a way that is logged and counted."""

    def _recall(
        self,
        query: str,
        narrowing: Narrowing,
        *,
        find: Callable[[Store, Filter, int], Sequence[FoundT]],
        show: Callable[[Fact, FoundT], HitT],
    ) -> tuple[Sequence[FoundT], tuple[HitT, ...], tuple[str, ...]]:
        """What was found, best first, each as it is shown, and what there is to say of it all.

        ``find`` is given the store, which facts are wanted, and how many at most.
        """
        limit = narrowing.get("limit", DEFAULT_LIMIT)
        checked_limit(limit)
        preferences = self.settings.preferences
        most = preferences.max_query_results
        min_trust = narrowing.get("min_trust")
        wanted = wanted_facts(
            recalled_statuses(include_archived=narrowing.get("include_archived", False)),
            category=narrowing.get("category", ""),
            memory_class=narrowing.get("memory_class", ""),
            project_id=narrowing.get("project_id", ""),
            min_trust=preferences.min_trust if min_trust is None else min_trust,
        )
        with self._open() as store:
            notes = pending_note(store)
            found = find(store, wanted, min(limit, most))[: min(limit, most)]
            facts = {fact.fact_id: fact for fact in store.facts.get([f.fact_id for f in found])}
            hits = tuple(show(facts[one.fact_id], one) for one in found)
            log_retrieval(store, query, hits, now=self._clock())
        return found, hits, notes + notes_on(facts.values(), limit=limit, most=most)
