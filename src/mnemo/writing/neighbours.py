"""Which stored facts are close to a text, and whether they say the same or something else.

Candidates come from the index over the whole store, so a low-trusted fact is seen as well as any.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mnemo.models import Similar
from mnemo.store import Filter, Store
from mnemo.text.contrast import find_contrasts
from mnemo.text.query import match_expression
from mnemo.text.stopwords import recalls
from mnemo.text.tokens import index_tokens, jaccard_similarity, tokenize_for_dedup

NEAR_DUPLICATE = 0.7  # similarity from which a fact is named
COMPARABLE_SIZES = 0.6  # shorter over longer token set, from which containment counts too
_NAMED = 3
_COMPARED = 30
_MOST_TOKENS = 400  # enough to find what is nearly the same as a very long text


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The closest facts: those that say the same, and those that contrast; closest first."""

    similar: tuple[Similar, ...] = ()
    conflicting: tuple[Similar, ...] = ()


def find_neighbours(
    store: Store, content: str, category: str, *, threshold: float = NEAR_DUPLICATE
) -> Neighbours:
    """The active facts of a category that are at least so similar to a text."""
    tokens = list(dict.fromkeys(index_tokens(content)))[:_MOST_TOKENS]
    expression = match_expression([t for t in tokens if recalls(t)] or tokens)
    if not expression:
        return Neighbours()
    nearby = store.index.candidates(expression, Filter(category=category), limit=_COMPARED)
    ours = tokenize_for_dedup(content)
    similar: list[Similar] = []
    conflicting: list[Similar] = []
    for fact in store.facts.get([candidate.fact_id for candidate in nearby]):
        similarity = text_similarity(ours, tokenize_for_dedup(fact.content))
        if similarity < threshold:
            continue
        contrasts = find_contrasts(content, fact.content)
        named = Similar(
            fact_id=fact.fact_id,
            similarity=round(similarity, 3),
            contrast=f"{contrasts[0].left or '–'} / {contrasts[0].right or '–'}"
            if contrasts
            else "",
        )
        (conflicting if contrasts else similar).append(named)
    return Neighbours(_closest(similar), _closest(conflicting))


def _closest(found: Sequence[Similar]) -> tuple[Similar, ...]:
    return tuple(sorted(found, key=lambda s: (-s.similarity, s.fact_id))[:_NAMED])


def text_similarity(left: Sequence[str], right: Sequence[str]) -> float:
    """Jaccard of the token sets; of sets of comparable size, containment where it is more."""
    ours, theirs = set(left), set(right)
    smaller, larger = sorted((len(ours), len(theirs)))
    if not smaller:
        return 0.0
    jaccard = jaccard_similarity(ours, theirs)
    if smaller / larger < COMPARABLE_SIZES:
        return jaccard
    return max(jaccard, len(ours & theirs) / smaller)
