"""The entities of a text: who and what it names, in English and Chinese, without a model.

Brings together the rooms that recognise names by shape, grammar, dictionary and marks, from the
surest to the least sure; what a surer one has taken, no other takes again. Refuses to know which
facts an entity stands in. What must hold: the same text always gives the same entities, each once;
a name is whole; where it is doubtful whether something is a name, it is left out.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from mnemo.text.aliases import (
    alias_pairs,
    declared_mentions,
    product_mentions,
    quoted_mentions,
    quoted_stretches,
)
from mnemo.text.han_names import HAN_RUN, han_mentions
from mnemo.text.latin_names import OPAQUE, latin_mentions
from mnemo.text.mentions import Claims, EntityKind, Mention, entity_key

__all__ = ["Entity", "EntityKind", "entity_key", "extract_aliases", "extract_entities"]

# Beyond this many code points nothing is looked for: a text that long is a document.
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Entity:
    """A name as it is written, what it seems to be, and the key that tells it from others."""

    name: str
    kind: EntityKind
    key: str


def extract_entities(text: str) -> tuple[Entity, ...]:
    """The entities of ``text``, each once, in the order in which they are first named."""
    text = text[:_LONGEST]
    claims = Claims()
    for opaque in OPAQUE.finditer(text):
        claims.take(*opaque.span())
    mentions = claims.admit(quoted_mentions(text))
    for start, end in quoted_stretches(text):
        claims.take(start, end)
    mentions += claims.admit((*declared_mentions(text), *product_mentions(text)))
    latin = list(latin_mentions(text, claims))
    for run in HAN_RUN.finditer(text):
        mentions += claims.admit(han_mentions(run.group(), run.start()))
    return _each_once(text, sorted(mentions + latin))


def _each_once(text: str, mentions: Iterable[Mention]) -> tuple[Entity, ...]:
    """One entity a key; the kind that says more than "topic" is kept."""
    found: dict[str, Entity] = {}
    for start, end, kind in mentions:
        name = text[start:end].strip()
        key = entity_key(name)
        known = found.get(key)
        if not key:
            continue
        if known is None:
            found[key] = Entity(name, kind, key)
        elif known.kind is EntityKind.TOPIC and kind is not EntityKind.TOPIC:
            found[key] = Entity(known.name, kind, key)
    return tuple(found.values())


def extract_aliases(text: str) -> tuple[tuple[str, str], ...]:
    """Pairs of names that ``text`` gives to one thing: 持续集成（CI）, X aka Y, X又名Y."""
    return tuple(dict.fromkeys(alias_pairs(text[:_LONGEST])))
