"""The verbs that ask by name: who or what a fact is about; recalls, logged and counted as such."""

from collections.abc import Callable, Sequence
from typing import Unpack

from mnemo.enums import Detail
from mnemo.memory.narrowing import Narrowing
from mnemo.memory.recalling import Recalling
from mnemo.models import NamedReply
from mnemo.retriever.display import as_named_hit
from mnemo.retriever.graph import Naming
from mnemo.retriever.naming import (
    checked_name,
    facts_beside,
    facts_naming,
    facts_naming_all,
)
from mnemo.store import Filter, Store


class Graph(Recalling):
    """Facts by the people and things that they name."""

    def probe(self, entity: str, **narrowing: Unpack[Narrowing]) -> NamedReply:
        """The facts that name a person or thing, by whatever of its names, the most trusted first;
        where nothing is known by that name, the facts that have it as words (``via: "text"``).

        Raises InvalidInput for a blank name.
        """
        name = checked_name(entity)
        return self._named(
            f"probe:{name}", narrowing, lambda store, wanted, _: facts_naming(store, name, wanted)
        )

    def related(self, entity: str, **narrowing: Unpack[Narrowing]) -> NamedReply:
        """The facts that do not name a person or thing and share others with facts that do:
        ``via`` has the names that they share, and the score is their number × trust.

        Raises InvalidInput for a blank name.
        """
        name = checked_name(entity)
        return self._named(
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
        return self._named(
            f"reason:{', '.join(names)}",
            narrowing,
            lambda store, wanted, _: facts_naming_all(store, names, wanted),
        )

    def _named(
        self,
        query: str,
        narrowing: Narrowing,
        find: Callable[[Store, Filter, int], Sequence[Naming]],
    ) -> NamedReply:
        """The answer to a question by name; it leaves what a search leaves."""
        detail = narrowing.get("detail", Detail.COMPACT)
        found, hits, notes = self._recall(
            query,
            narrowing,
            find=find,
            show=lambda fact, naming: as_named_hit(fact, naming, detail=detail),
        )
        if any(naming.covered for naming in found):
            notes += ("no fact names all of them; covered says which it names",)
        return NamedReply(results=hits, count=len(hits), notes=notes)
