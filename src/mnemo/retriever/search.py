"""A query becomes tokens, tokens choose candidates, candidates are scored and put in order.

Every candidate that shares a word with the query is eligible, however low it scores; nothing
unrelated ever fills the list up. Where the index knows none of the words, its vocabulary is
asked for terms that contain them; where that fails too, the answer is empty.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from mnemo.errors import InvalidInput
from mnemo.retriever.scoring import final_score, fts_scores, length_penalty, relevance
from mnemo.store import Filter, Store
from mnemo.store.index import Candidate
from mnemo.text.dates import (
    dates_as_written,
    days_asked_for,
    without_dates,
    without_named_dates,
)
from mnemo.text.query import (
    beginning_of,
    match_expression,
    recalling_tokens,
    refine_query,
    sequences,
)
from mnemo.text.stopwords import recalls
from mnemo.text.tokens import index_tokens, jaccard_similarity

MAX_CANDIDATES = 500
DEFAULT_LIMIT = 10
_MAX_QUERY_TOKENS = 400
_MAX_PARTS = 20  # tokens of a query that are looked for within the index's words
DATE_WEIGHT = 0.3  # of a day, beside 1.0 of a word in the match text


@dataclass(frozen=True, slots=True)
class Question:
    """What a query asks the index for."""

    tokens: Sequence[str]  # that rank, each once, in order
    recalling: Sequence[str]  # any one of which makes a fact a candidate
    sequences: Sequence[str]  # neighbouring tokens, space-joined, that do so as well
    days: Sequence[str]  # date tokens that rank


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


def search_facts(
    store: Store, query: str, wanted: Filter, *, limit: int, today: date
) -> list[Scored]:
    """The facts that answer the query, best first: by score, trust, age (newest first), id.

    Days that the query names, some of them only as seen from ``today``, let facts of those days
    rank higher; they recall facts only where the query has nothing else.

    Raises InvalidInput for a query without anything in it.
    """
    if not query.strip():
        raise InvalidInput(
            "the query is empty", hint="give some words, or use the action list to browse"
        )
    question = read_question(query, today)
    found = _matching(store, [*question.recalling, *question.sequences], wanted)
    candidates = _favoured(store, found, question.days)
    scored = (
        _scored(candidates, question.tokens) if candidates else _contained(store, question, wanted)
    )
    return sorted(scored, key=_order)[:limit]


def read_question(query: str, today: date) -> Question:
    """What a query asks for, without polite phrases around it.

    The numbers of a date are no words of their own, unless the query has nothing else: the date is
    sought as a whole, in the common notations.
    """
    query = beginning_of(query)
    refined = refine_query(query)
    text, tokens = (refined.query, refined.tokens) if refined else (query, index_tokens(query))
    tokens = list(dict.fromkeys(tokens))
    written = dates_as_written(text)
    # "May 2023" of "8 May 2023" is a phrase by its capital, and a part of a date.
    named = [p for p in (refined.phrases if refined else ()) if not any(p in w for w in written)]
    phrases = [*named, *written]
    days = days_asked_for(text, today)
    if days and not any(map(recalls, index_tokens(without_dates(text)))):
        tokens = tokens[:_MAX_QUERY_TOKENS]
        return Question(tokens, [*recalling_tokens(text, tokens), *days], sequences(phrases), days)
    if written:
        text = without_named_dates(text)
        whole = [token for token in tokens if token in written]
        tokens = list(dict.fromkeys((*index_tokens(text), *whole)))
    tokens = tokens[:_MAX_QUERY_TOKENS]
    return Question(tokens, recalling_tokens(text, tokens), sequences(phrases), days)


def _matching(store: Store, tokens: Sequence[str], wanted: Filter) -> list[Candidate]:
    if not tokens:
        return []
    return store.index.candidates(match_expression(tokens), wanted, limit=MAX_CANDIDATES)


def _favoured(
    store: Store, candidates: Sequence[Candidate], days: Sequence[str]
) -> Sequence[Candidate]:
    """The candidates with the weight of the days asked for added to their bm25, which is a sum
    over the words of the query.
    """
    weights = {day: DATE_WEIGHT * store.index.rarity(day) for day in days}
    if not weights:
        return candidates
    return [
        replace(c, bm25=c.bm25 - sum(weights.get(day, 0.0) for day in c.dates.split()))
        for c in candidates
    ]


def _scored(candidates: Sequence[Candidate], tokens: Sequence[str]) -> list[Scored]:
    shares = fts_scores([c.bm25 for c in candidates])
    asked = frozenset(tokens)
    return [
        _score(candidate, fts, jaccard_similarity(asked, candidate.tokens.split()))
        for candidate, fts in zip(candidates, shares, strict=True)
    ]


def _contained(store: Store, question: Question, wanted: Filter) -> list[Scored]:
    """Facts with a term that contains a recalling word of the query; what they match counts as
    nothing in the index part, and each such term as the word itself in the Jaccard part.
    """
    parts = question.recalling[:_MAX_PARTS]
    meant = {
        term: next(part for part in parts if part in term)
        for term in store.index.terms_containing(parts)
    }
    asked = frozenset(question.tokens)
    return [
        _score(c, 0.0, jaccard_similarity(asked, {meant.get(t, t) for t in c.tokens.split()}))
        for c in _matching(store, list(meant), wanted)
    ]


def _score(candidate: Candidate, fts: float, jaccard: float) -> Scored:
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


def _order(scored: Scored) -> tuple[float, float, "_Descending", int]:
    return (-scored.score, -scored.trust, _Descending(scored.created_at), scored.fact_id)


@dataclass(frozen=True, slots=True)
class _Descending:
    text: str

    def __lt__(self, other: "_Descending") -> bool:
        return self.text > other.text
