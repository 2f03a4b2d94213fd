"""The formula that ranks: pure, static, the same for every query.

``final = (0.5 · fts + 0.5 · jaccard) × trust × min(1, 300 / length of the match text)``

``fts`` is a candidate's BM25 over the best candidate's; ``jaccard`` compares the token sets of
query and match text. Neither weight depends on the query.
"""

import math
from collections.abc import Sequence

FTS_WEIGHT = 0.5
JACCARD_WEIGHT = 0.5
PENALTY_CHARS = 300  # code points; a longer match text loses in proportion

# Below this, bm25 says only that the words are in every fact, and its digits are noise.
_MEANINGLESS_BM25 = 1e-4


def relevance(*, fts: float, jaccard: float) -> float:
    """How well a fact answers the query: 0 … 1."""
    return FTS_WEIGHT * fts + JACCARD_WEIGHT * jaccard


def length_penalty(match_length: int) -> float:
    """The factor for a match text of so many code points: 1.0 up to 300, then 300 / length."""
    return min(1.0, PENALTY_CHARS / max(1, match_length))


def final_score(relevance: float, trust: float, match_len: int) -> float:
    """The score that facts are ordered by: 0 … 1."""
    return relevance * trust * length_penalty(match_len)


def fts_scores(bm25: Sequence[float]) -> list[float]:
    """Each candidate's share of the best |bm25|: 0 … 1; all 1.0 where no value means anything."""
    best = max(map(abs, bm25), default=0.0)
    if best < _MEANINGLESS_BM25:
        return [1.0] * len(bm25)
    return [abs(value) / best for value in bm25]


# BM25 as FTS5 computes it (https://sqlite.org/fts5.html#the_bm25_function), so that what its index
# has summed up can be added to.
_K1 = 1.2
_B = 0.75
_LEAST_RARITY = 1e-6


def rarity(facts: int, *, of: int) -> float:
    """The weight of a word that ``facts`` of ``of`` facts have: Robertson and Spärck Jones's
    inverse document frequency; hardly anything for a word that half of the facts have.
    """
    return max(_LEAST_RARITY, math.log((of - facts + 0.5) / (facts + 0.5)))


def length_norm(tokens: int, *, mean_tokens: float) -> float:
    """What divides a word's occurrences in a fact of so many tokens, beside a mean one's 1.2."""
    return _K1 * (1 - _B + _B * tokens / mean_tokens)


def saturation(count: float, norm: float) -> float:
    """What so many occurrences in a fact make of a word's weight: 0 … 2.2."""
    return count * (_K1 + 1) / (count + norm)
