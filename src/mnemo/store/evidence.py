"""Read-only questions that learn, audit and dream ask about all facts.

What a figure means is decided by the rules above; here is only how it is fetched. Stamps come
back as they were stored, also those of other programs; the rules read them with care.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from mnemo.store.facts import number

_TRUST = number("trust_score", 0.5)
_RETRIEVALS = number("retrieval_count", 0)
_HELPFUL = number("helpful_count", 0)


@dataclass(frozen=True, slots=True)
class LearningRow:
    """What use has shown about one active fact since its trust was last adjusted."""

    fact_id: int
    trust: float
    retrievals: int  # new since the last adjustment, without those that say nothing
    helpful: int  # likewise
    lifetime_retrievals: int
    lifetime_helpful: int
    retrievals_so_far: int  # where the next window would begin
    is_rated: bool
    is_pinned: bool
    last_retrieved_at: str | None
    aged_at: str | None


@dataclass(frozen=True, slots=True)
class Text:
    """What an active fact says; the summary is empty where there is none."""

    fact_id: int
    content: str
    summary: str

    @property
    def match_length(self) -> int:
        """Code points of what the fact is ranked on."""
        return len(self.summary.strip() or self.content)


class Evidence:
    """Facts as rows of figures."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def for_learning(self, *, after: int = 0, limit: int = -1) -> list[LearningRow]:
        """Active facts with an id above ``after``, by id."""
        rows = self._connection.execute(
            f"""
            SELECT fact_id, {_TRUST} AS trust,
                   {_RETRIEVALS} - discounted - learn_retrievals AS retrievals,
                   {_HELPFUL} - learn_helpful AS helpful,
                   {_RETRIEVALS} AS lifetime_retrievals,
                   {_HELPFUL} AS lifetime_helpful,
                   {_RETRIEVALS} - discounted AS retrievals_so_far,
                   {_HELPFUL} + unhelpful_count > 0 AS is_rated,
                   pinned AS is_pinned, last_retrieved_at, aged_at
            FROM facts WHERE status = 'active' AND fact_id > ? ORDER BY fact_id LIMIT ?
            """,
            (after, limit),
        )
        return [LearningRow(**dict(row)) for row in rows]

    def texts(self) -> Iterator[Text]:
        """Every active fact's text, by id."""
        # Lengths are counted by the reader: SQL's length() stops at a NUL.
        rows = self._connection.execute(
            "SELECT fact_id, CAST(content AS TEXT), CAST(coalesce(summary, '') AS TEXT) FROM facts "
            "WHERE status = 'active' ORDER BY fact_id"
        )
        return (Text(*row) for row in rows)

    def never_retrieved(self) -> list[tuple[int, str | None]]:
        """(id, created_at) of active facts that no recall returned, by id."""
        rows = self._connection.execute(
            "SELECT fact_id, created_at FROM facts WHERE status = 'active' "
            "AND coalesce(last_retrieved_at, '') = '' ORDER BY fact_id"
        )
        return [tuple(row) for row in rows]

    def for_dreaming(self) -> Iterator[sqlite3.Row]:
        """The active facts, by id, with what the dream's rules look at."""
        yield from self._connection.execute(
            f"""
            SELECT fact_id, CAST(content AS TEXT) AS content, CAST(summary AS TEXT) AS summary,
                   coalesce(category, 'general') AS category, category_locked,
                   {_TRUST} AS trust, {_RETRIEVALS} AS retrieval_count, pinned,
                   coalesce(created_at, '') AS created_at
            FROM facts WHERE status = 'active' ORDER BY fact_id
            """
        )
