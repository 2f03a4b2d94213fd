"""What of a fact is shown in a list of hits: its summary, else the beginning of its content."""

import re
from typing import Any

from mnemo.enums import Detail
from mnemo.models import ExplainedFullHit, ExplainedHit, Fact, FullHit, Hit
from mnemo.retriever.search import Scored
from mnemo.text.normal import cut

DISPLAY_CHARS = 100  # code points

# One line for a list and for a prompt: whatever would break it, or drive a terminal, is a space.
_BREAKING = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def display_text(fact: Fact) -> str:
    """The summary; without one the first 100 code points of the content, with ``...`` only where
    something was cut off. One line.
    """
    if fact.summary:
        return one_line(fact.summary)
    content = one_line(fact.content)
    return content if len(content) <= DISPLAY_CHARS else f"{cut(content, DISPLAY_CHARS)}..."


def one_line(text: str) -> str:
    """The text on one line, without characters that would break it or drive a terminal."""
    return _BREAKING.sub(" ", text).strip()


def as_hit(fact: Fact, scored: Scored, *, detail: Detail, explain: bool) -> Hit:
    """A search result as it is returned: trust to 2, score to 4 decimals."""
    compact: dict[str, Any] = {
        "fact_id": fact.fact_id,
        "display": display_text(fact),
        "category": fact.category,
        "trust_score": round(scored.trust, 2),
        "score": round(scored.score, 4),
    }
    full: dict[str, Any] = {
        name: getattr(fact, name) for name in FullHit.model_fields if name not in compact
    }
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
