"""The verbs that ask by name: who or what a fact is about; recalls, logged and counted as such."""

from collections.abc import Callable, Sequence
from typing import Unpack

from mnemo.enums import Detail
from mnemo.memory.narrowing import (
    Narrowing,
    notes_on,
    pending_note,
    recalled_statuses,
    wanted_facts,
)
from mnemo.memory.pages import checked_limit
from mnemo.models import NamedReply
from mnemo.retriever.display import as_named_hit
from mnemo.retriever.graph import Naming
from mnemo.retriever.log import log_retrieval
from mnemo.retriever.naming import (
    checked_name,
    facts_beside,
    facts_naming,
    facts_naming_all,
)
from mnemo.retriever.search import DEFAULT_LIMIT
from mnemo.session import Session
from mnemo.store import Filter, Store


class Graph(Session):
    """Facts by the people and things that they name."""

    def probe(self, entity: str, **narrowing: Unpack[Narrowing]) -> NamedReply:
        """The facts that name a person or thing, by whatever of its names, the most trusted first;
        where nothing is known by that name, the facts that have it as words (``via: "text"``).

        Raises InvalidInput for a blank name.
        """
        name = checked_name(entity)
        return self._recalled(
            f"probe:{name}", narrowing, lambda store, wanted, _: facts_naming(store, name, wanted)
        )

    def related(self, entity: str, **narrowing: Unpack[Narrowing]) -> NamedReply:
        """The facts that do not name a person or thing and share others with facts that do:
        ``via`` has the names that they share, and the score is their number × trust.

        Raises InvalidInput for a blank name.
        """
        name = checked_name(entity)
        return self._recalled(
            f"related:{name}",
            narrowing,
            lambda store, wanted, limit: facts_beside(store, name, wanted, limit=limit),
        )

    def reason(self, entities: Sequence[str], **narrowing: Unpack[Narrowing]) -> NamedReply:
        """The facts that name all of these, the most trusted first; where none does, those that
        name most of them, each with what it covers.

        Raises InvalidInput for no name, a blank one, or more than ten.
        """
        names = [checked_name(name) for name in entities]
        return self._recalled(
            f"reason:{', '.join(names)}",
            narrowing,
            lambda store, wanted, _: facts_naming_all(store, names, wanted),
        )

    def _recalled(
        self,
        query: str,
        narrowing: Narrowing,
        find: Callable[[Store, Filter, int], Sequence[Naming]],
    ) -> NamedReply:
        """The answer to a question by name; it leaves what a search leaves."""
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
        detail = narrowing.get("detail", Detail.COMPACT)
        with self._open() as store:
            notes = pending_note(store)
            found = find(store, wanted, min(limit, most))[: min(limit, most)]
            facts = {fact.fact_id: fact for fact in store.facts.get([n.fact_id for n in found])}
            hits = tuple(as_named_hit(facts[n.fact_id], n, detail=detail) for n in found)
            log_retrieval(store, query, hits, now=self._clock())
        notes += notes_on(facts.values(), limit=limit, most=most)
        if any(naming.covered for naming in found):
            notes += ("no fact names all of them; covered says which it names",)
        return NamedReply(results=hits, count=len(hits), notes=notes)
