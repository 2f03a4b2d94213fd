"""The candidates of one question while their scores are made.

Each begins with the BM25 that the index gives it; weights of further words are added, a sum being
what BM25 is; then the formula is applied. Words that the best facts share with others, though the
question lacks them, are added the same way (pseudo-relevance feedback, after Rocchio 1971; the
simple form for BM25 of Robertson and Spärck Jones, Simple, Proven Approaches to Text Retrieval,
1994): a question rarely has all the words of its answers. They find nothing, they only rank.
"""

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from mnemo.retriever.scoring import (
    final_score,
    fts_scores,
    length_norm,
    length_penalty,
    rarity,
    relevance,
    saturation,
)
from mnemo.store.index import COLUMN_WEIGHTS, Candidate
from mnemo.store.words import Frequencies
from mnemo.text.stopwords import recalls

FEEDBACK_FACTS = 3
FEEDBACK_WORDS = 12
FEEDBACK_WEIGHT = 0.15  # of a word of the best facts, beside 1.0 of a word of the question
FEEDBACK_SHARE = 0.5  # of the weight of the whole question: the most that they weigh together

_MATCH_TEXT, _BODY, _TAGS, _DATES = COLUMN_WEIGHTS


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score and the parts of it."""

    fact_id: int
    score: float
    fts: float
    jaccard: float
    relevance: float
    penalty: float
    trust: float
    created_at: str


class Contender:
    """A candidate with its words at hand."""

    __slots__ = ("_norm", "_words", "bm25", "candidate", "elsewhere", "jaccard", "kinds")

    def __init__(self, candidate: Candidate, asked: frozenset[str], mean_tokens: float) -> None:
        self.candidate = candidate
        self.bm25 = -candidate.bm25
        self._words = candidate.tokens.split()
        self._norm = length_norm(candidate.token_count, mean_tokens=mean_tokens)
        self.kinds = frozenset(self._words)
        self.elsewhere = [
            (weight, column.split())
            for weight, column in ((_BODY, candidate.body), (_TAGS, candidate.tags))
            if column
        ]
        if candidate.dates:
            self.elsewhere.append((_DATES, candidate.dates.split()))
        shared = len(self.kinds & asked)
        union = len(self.kinds) + len(asked) - shared
        self.jaccard = shared / union if union else 0.0

    def gain(self, weights: Mapping[str, float]) -> float:
        """What these words add to the BM25 of the fact, each place of a word by its weight."""
        found = self.kinds.intersection(weights)
        for _, words in self.elsewhere:
            found = found.union(weights.keys() & words)
        # In whatever order a set comes, the sum has the same last digits.
        return math.fsum(weights[w] * saturation(self._count(w), self._norm) for w in found)

    def told(self, word: str) -> float:
        """How much the match text says of a word, before its rarity."""
        return saturation(self._words.count(word), self._norm)

    def _count(self, word: str) -> float:
        found = _MATCH_TEXT * self._words.count(word)
        for weight, words in self.elsewhere:
            found += weight * words.count(word)
        return found


class Pool:
    """The candidates of one question."""

    def __init__(
        self, candidates: Iterable[Candidate], tokens: Iterable[str], known: Frequencies
    ) -> None:
        self._asked = frozenset(tokens)
        self._contenders = [
            Contender(candidate, self._asked, known.mean_tokens) for candidate in candidates
        ]

    def weigh(self, weights: Mapping[str, float]) -> None:
        """Add what these words weigh, each in the facts that have it."""
        for contender in self._contenders if weights else ():
            contender.bm25 += contender.gain(weights)

    def favour(self, days: Mapping[str, float]) -> None:
        """Add these weights to the facts of these days."""
        if days:
            for contender in self._contenders:
                dates = (contender.candidate.dates or "").split()
                contender.bm25 += math.fsum(days.get(day, 0.0) for day in dates)

    def expand(
        self, frequencies: Callable[[Iterable[str]], Frequencies], *, question_weight: float
    ) -> None:
        """Add what the words of the best facts weigh, in the facts that have them.

        All together they weigh at most half of the question's own words, ``question_weight``, and
        no fact gains by a word that it alone has given.
        """
        givers, shares = self._givers()
        if not givers:
            return
        weights, given_by = self._told(givers, shares, frequencies)
        most = FEEDBACK_SHARE * question_weight
        if (total := sum(weights.values())) > most:
            weights = {word: weight * most / total for word, weight in weights.items()}
        for contender in self._contenders:
            gained = weights
            if contender in givers:
                gained = {w: n for w, n in weights.items() if given_by[w] != [contender]}
            contender.bm25 += contender.gain(gained)

    def _givers(self) -> tuple[list[Contender], list[float]]:
        """The best facts, and how much each counts beside the best of them."""
        scores = self._scores(self._shares())
        if len(scores) < 2 or max(scores) <= 0:
            return [], []
        # By their words before their ids, so that facts of equal score give the same in any order.
        best = heapq.nsmallest(
            FEEDBACK_FACTS,
            zip(scores, self._contenders, strict=True),
            key=lambda pair: (-pair[0], -pair[1].candidate.trust, pair[1].candidate.tokens),
        )
        return [giver for _, giver in best], [(score / best[0][0]) ** 2 for score, _ in best]

    def _told(
        self,
        givers: Sequence[Contender],
        shares: Sequence[float],
        frequencies: Callable[[Iterable[str]], Frequencies],
    ) -> tuple[dict[str, float], Mapping[str, list[Contender]]]:
        """The words that say most of what the givers say, with their weights, and who has them."""
        words = [
            [word for word in giver.kinds if word not in self._asked and recalls(word)]
            for giver in givers
        ]
        known = frequencies({word for told in words for word in told})
        # A word that no other fact has tells nothing about others.
        rarities = {w: rarity(n, of=known.facts) for w, n in known.with_word.items() if n > 1}
        values: defaultdict[str, float] = defaultdict(float)
        given_by: defaultdict[str, list[Contender]] = defaultdict(list)
        for giver, share, told in zip(givers, shares, words, strict=True):
            for word in told:
                if word in rarities:
                    values[word] += share * rarities[word] * giver.told(word)
                    given_by[word].append(giver)
        chosen = sorted(values, key=lambda word: (-values[word], word))[:FEEDBACK_WORDS]
        return {word: FEEDBACK_WEIGHT * rarities[word] for word in chosen}, given_by

    def best(self, limit: int) -> list[Scored]:
        """The candidates in their order, at most so many."""
        shares = self._shares()
        scores = self._scores(shares)
        least = min(heapq.nlargest(limit, scores), default=0.0)
        return in_order(
            scored(contender.candidate, fts, contender.jaccard)
            for contender, fts, score in zip(self._contenders, shares, scores, strict=True)
            if score >= least
        )[:limit]

    def _shares(self) -> list[float]:
        return fts_scores([contender.bm25 for contender in self._contenders])

    def _scores(self, shares: Sequence[float]) -> list[float]:
        return [
            final_score(
                relevance(fts=fts, jaccard=c.jaccard), c.candidate.trust, c.candidate.match_length
            )
            for c, fts in zip(self._contenders, shares, strict=True)
        ]


def scored(candidate: Candidate, fts: float, jaccard: float) -> Scored:
    """The formula, applied to a candidate."""
    relevant = relevance(fts=fts, jaccard=jaccard)
    return Scored(
        fact_id=candidate.fact_id,
        score=final_score(relevant, candidate.trust, candidate.match_length),
        fts=fts,
        jaccard=jaccard,
        relevance=relevant,
        penalty=length_penalty(candidate.match_length),
        trust=candidate.trust,
        created_at=candidate.created_at,
    )


def in_order(hits: Iterable[Scored]) -> list[Scored]:
    """By score, trust, age (newest first), id."""
    return sorted(hits, key=_order)


def _order(hit: Scored) -> tuple[float, float, "_Descending", int]:
    return (-hit.score, -hit.trust, _Descending(hit.created_at), hit.fact_id)


@dataclass(frozen=True, slots=True)
class _Descending:
    text: str

    def __lt__(self, other: "_Descending") -> bool:
        return self.text > other.text
