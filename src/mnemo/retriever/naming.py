"""Which facts name a thing, which are its neighbours, which name several: asked of the store.

Entities are asked first, since they know other names of a thing. Where none leads to a fact, the
words of the texts are: not every name looks like one. What is unknown has no facts.
"""

from collections.abc import Sequence

from mnemo.errors import InvalidInput
from mnemo.retriever.graph import Naming, in_order, most_covering
from mnemo.store import Filter, Store
from mnemo.text.mentions import entity_key, stands_in
from mnemo.text.query import match_all
from mnemo.text.tokens import index_tokens

MAX_NAMES = 10
MAX_NAME_CHARS = 200
_MAX_IN_TEXT = 2_000  # facts whose text is read for a name


def facts_naming(store: Store, name: str, wanted: Filter) -> list[Naming]:
    """The facts of that kind that name it, the most trusted first; by their words where no entity
    leads to one.
    """
    name = checked_name(name)
    return in_order(_linked(store, name, wanted) or _in_text(store, name, wanted))


def facts_beside(store: Store, name: str, wanted: Filter, *, limit: int) -> list[Naming]:
    """The facts of that kind that do not name it and share other names with active facts that do,
    by number of those names × trust.
    """
    name = checked_name(name)
    beside = [] if store.entities.find(name) else _in_text(store, name, Filter())
    found = store.entities.bridges(
        name, wanted, limit=limit, beside=[naming.fact_id for naming in beside]
    )
    return in_order(
        Naming(b.fact_id, b.trust, b.created_at, weight=float(len(b.via)), via=b.via) for b in found
    )


def facts_naming_all(store: Store, names: Sequence[str], wanted: Filter) -> list[Naming]:
    """The facts of that kind that name all of ``names``, or else as many of them as any does, as
    entities or in their words.
    """
    asked: dict[str, str] = {}
    for name in map(checked_name, names):
        asked.setdefault(entity_key(name), name)
    if not asked or len(asked) > MAX_NAMES:
        raise InvalidInput(
            f"{len(asked)} names were given" if asked else "no name was given",
            hint=f"give 1 to {MAX_NAMES} names in entities",
        )
    found: dict[int, Naming] = {}
    keys: dict[int, frozenset[str]] = {}
    for fact in store.entities.facts_of(list(asked.values()), wanted):
        found[fact.fact_id] = Naming(fact.fact_id, fact.trust, fact.created_at)
        keys[fact.fact_id] = frozenset(fact.keys)
    for key, name in asked.items():
        for naming in _in_text(store, name, wanted):
            found.setdefault(
                naming.fact_id, Naming(naming.fact_id, naming.trust, naming.created_at)
            )
            keys[naming.fact_id] = keys.get(naming.fact_id, frozenset()) | {key}
    return most_covering(found.values(), keys, asked)


def checked_name(name: str) -> str:
    """The name without white space around it.

    Raises InvalidInput for a blank one, and for one that is too long to be a name.
    """
    name = name.strip()
    if not name:
        raise InvalidInput("the name is empty", hint="give the name of a person, tool, project …")
    if len(name) > MAX_NAME_CHARS:
        raise InvalidInput(
            f"a name of {len(name)} characters is too long",
            hint=f"at most {MAX_NAME_CHARS}; the action search takes whole texts",
        )
    return name


def _linked(store: Store, name: str, wanted: Filter) -> list[Naming]:
    return [
        Naming(fact.fact_id, fact.trust, fact.created_at, via="entity")
        for fact in store.entities.facts_of([name], wanted)
    ]


def _in_text(store: Store, name: str, wanted: Filter) -> list[Naming]:
    expression = match_all(index_tokens(entity_key(name)))
    if not expression:
        return []
    return [
        Naming(fact.fact_id, fact.trust, fact.created_at, via="text")
        for fact in store.index.matching(expression, wanted, limit=_MAX_IN_TEXT)
        if any(stands_in(name, text) for text in fact.texts)
    ]
