"""A query becomes tokens, tokens choose candidates, candidates are scored and put in order.

Every candidate that shares a word with the query is eligible, however low it scores; nothing
unrelated ever fills the list up. Where the index knows none of the words, its vocabulary is
asked for terms that contain them; where that fails too, the answer is empty.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from mnemo.errors import InvalidInput
from mnemo.retriever.pool import Pool, Scored, in_order, scored
from mnemo.retriever.scoring import rarity
from mnemo.retriever.words import (
    MOST_MATCHES,
    choosing_words,
    parts_of_names,
    question_weight,
    weights_beside,
)
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
_FEW = 50  # candidates: where the rare words find fewer, the common ones choose too
DEFAULT_LIMIT = 10
_MAX_QUERY_TOKENS = 400
_MAX_PARTS = 20  # tokens of a query that are looked for within the index's words
DATE_WEIGHT = 1.5  # of a day, beside 1.0 of a word of the question


@dataclass(frozen=True, slots=True)
class Question:
    """What a query asks the index for."""

    tokens: Sequence[str]  # that rank, each once, in order
    recalling: Sequence[str]  # any one of which makes a fact a candidate
    sequences: Sequence[str]  # neighbouring tokens, space-joined, that do so as well
    days: Sequence[str]  # date tokens that rank


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
    return rank_facts(store, read_question(query, today), wanted, limit=limit)


def rank_facts(
    store: Store,
    question: Question,
    wanted: Filter,
    *,
    limit: int,
    most_matches: int = MOST_MATCHES,
) -> list[Scored]:
    """The facts that answer the question, best first; ``most_matches`` is how many facts the words
    that choose candidates may match together.
    """
    words = store.index.words
    known = words.frequencies([*question.recalling, *question.days])
    choosing = choosing_words(question.recalling, known, most=most_matches)
    candidates = _candidates(store, question, choosing, wanted)
    if len(candidates) < _FEW:
        everything = choosing_words(question.recalling, known, most=sys.maxsize)
        if len(everything) > len(choosing):
            choosing, candidates = everything, _candidates(store, question, everything, wanted)
    if not candidates:
        return in_order(_contained(store, question, wanted))[:limit]
    pool = Pool(candidates, question.tokens, known)
    pool.weigh(weights_beside(question.recalling, choosing, known))
    pool.favour(
        {
            day: DATE_WEIGHT * rarity(known.with_word[day], of=known.facts)
            for day in question.days
            if day in known.with_word
        }
    )
    # Who asks for one name wants what has that name, not what is like it.
    if len(question.recalling) - len(parts_of_names(question.recalling)) > 1:
        pool.expand(words.frequencies, question_weight=question_weight(question.recalling, known))
    return pool.best(limit)


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


def _candidates(
    store: Store, question: Question, choosing: Sequence[str], wanted: Filter
) -> list[Candidate]:
    tokens = [*choosing, *question.sequences]
    return _matching(store, tokens, wanted, dates=bool(question.days))


def _matching(
    store: Store, tokens: Sequence[str], wanted: Filter, *, dates: bool = False
) -> list[Candidate]:
    if not tokens:
        return []
    expression = match_expression(tokens)
    return store.index.candidates(expression, wanted, limit=MAX_CANDIDATES, dates=dates)


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
        scored(c, 0.0, jaccard_similarity(asked, {meant.get(t, t) for t in c.tokens.split()}))
        for c in _matching(store, list(meant), wanted)
    ]
