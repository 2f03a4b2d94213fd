"""What of a fact is shown in a list of hits: its summary, else the beginning of its content."""

from collections.abc import Container
from typing import Any

from mnemo.enums import Detail
from mnemo.models import (
    ExplainedFullHit,
    ExplainedHit,
    Fact,
    FullHit,
    FullNamedHit,
    Hit,
    NamedHit,
)
from mnemo.retriever.graph import Naming
from mnemo.retriever.search import Scored
from mnemo.text.normal import cut
from mnemo.text.shown import for_a_model

DISPLAY_CHARS = 100  # code points


def display_text(fact: Fact) -> str:
    """The summary; without one the first 100 code points of the content, with ``...`` only where
    something was cut off. One line, without a tag that a model could take for its client's.
    """
    if fact.summary:
        return for_a_model(fact.summary)
    content = for_a_model(fact.content)
    return content if len(content) <= DISPLAY_CHARS else f"{cut(content, DISPLAY_CHARS)}..."


def as_hit(fact: Fact, scored: Scored, *, detail: Detail, explain: bool) -> Hit:
    """A search result as it is returned: trust to 2, score to 4 decimals."""
    compact = _compact(fact, trust=scored.trust, score=scored.score)
    full = _full(fact, beside=compact)
    parts: dict[str, Any] = {
        "fts": round(scored.fts, 4),
        "jaccard": round(scored.jaccard, 4),
        "relevance": round(scored.relevance, 4),
        "penalty": round(scored.penalty, 4),
        "match_on": "summary" if fact.summary else "content",
    }
    match (detail, explain):
        case (Detail.COMPACT, False):
            return Hit(**compact)
        case (Detail.COMPACT, True):
            return ExplainedHit(**compact, **parts)
        case (Detail.FULL, False):
            return FullHit(**compact, **full)
        case _:
            return ExplainedFullHit(**compact, **full, **parts)


def as_named_hit(fact: Fact, naming: Naming, *, detail: Detail) -> NamedHit | FullNamedHit:
    """A fact that was found by a name as it is returned: trust to 2, score to 4 decimals."""
    compact = _compact(fact, trust=naming.trust, score=naming.score)
    told: dict[str, Any] = {"via": naming.via, "covered": naming.covered}
    if detail == Detail.COMPACT:
        return NamedHit(**compact, **told)
    return FullNamedHit(**compact, **_full(fact, beside=compact), **told)


def _compact(fact: Fact, *, trust: float, score: float) -> dict[str, Any]:
    return {
        "fact_id": fact.fact_id,
        "display": display_text(fact),
        "category": fact.category,
        "trust_score": round(trust, 2),
        "score": round(score, 4),
    }


def _full(fact: Fact, *, beside: Container[str]) -> dict[str, Any]:
    return {name: getattr(fact, name) for name in FullHit.model_fields if name not in beside}
