"""Read-only questions that learn, audit and dream ask about all facts.

What a figure means is decided by the rules above; here is only how it is fetched. Stamps come
back as they were stored, also those of other programs; the rules read them with care.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from mnemo.store.facts import number

TRUST = number("trust_score", 0.5)
HELPFUL = number("helpful_count", 0)
_RETRIEVALS = number("retrieval_count", 0)
RETRIEVALS_SO_FAR = f"({_RETRIEVALS} - discounted)"  # where the next window would begin
IS_RATED = f"({HELPFUL} + unhelpful_count > 0)"


@dataclass(frozen=True, slots=True)
class LearningRow:
    """What use has shown about one active fact since its trust was last adjusted."""

    fact_id: int
    trust: float
    retrievals: int  # new since the last adjustment, without those that say nothing
    helpful: int  # likewise
    lifetime_retrievals: int
    lifetime_helpful: int
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

    def for_learning(self) -> list[LearningRow]:
        """The active facts, by id."""
        rows = self._connection.execute(
            f"""
            SELECT fact_id, {TRUST} AS trust,
                   {RETRIEVALS_SO_FAR} - learn_retrievals AS retrievals,
                   {HELPFUL} - learn_helpful AS helpful,
                   {_RETRIEVALS} AS lifetime_retrievals,
                   {HELPFUL} AS lifetime_helpful,
                   {IS_RATED} AS is_rated, pinned AS is_pinned, last_retrieved_at, aged_at
            FROM facts WHERE status = 'active' ORDER BY fact_id
            """
        )
        return [LearningRow(**dict(row)) for row in rows]

    def texts(self, *, longer_than: int = -1) -> Iterator[Text]:
        """What each active fact says, by id; facts without a text longer than so many code points
        may be left out.
        """
        # Lengths are counted by the reader: SQL's length() stops at a NUL. A text has no more code
        # points than bytes.
        rows = self._connection.execute(
            "SELECT fact_id, CAST(content AS TEXT), CAST(coalesce(summary, '') AS TEXT) FROM facts "
            "WHERE status = 'active' AND (length(CAST(content AS BLOB)) > :least "
            "OR length(CAST(summary AS BLOB)) > :least) ORDER BY fact_id",
            {"least": longer_than},
        )
        return (Text(*row) for row in rows)

    def never_retrieved(self) -> list[tuple[int, str | None]]:
        """(id, created_at) of active facts that no recall returned, by id."""
        rows = self._connection.execute(
            "SELECT fact_id, created_at FROM facts WHERE status = 'active' "
            "AND coalesce(last_retrieved_at, '') = '' ORDER BY fact_id"
        )
        return [tuple(row) for row in rows]

    def flagged(self) -> list[tuple[int, str]]:
        """(id, flags as they are stored) of active facts that have any, by id."""
        rows = self._connection.execute(
            "SELECT fact_id, flags FROM facts WHERE status = 'active' AND flags <> '[]' "
            "ORDER BY fact_id"
        )
        return [tuple(row) for row in rows]

    def with_older_summary(self) -> list[int]:
        """Ids of active facts whose content was changed after their summary was last set, by id,
        as the journal tells.
        """
        rows = self._connection.execute(
            f"""
            SELECT fact_id FROM facts AS f
            WHERE status = 'active' AND coalesce(summary, '') <> '' AND
              ({_newest_change("content")}) > coalesce(({_newest_change("summary")}), 0)
            ORDER BY fact_id
            """
        )
        return [row["fact_id"] for row in rows]

    def for_dreaming(self, *fact_ids: int) -> Iterator[sqlite3.Row]:
        """The active facts, by id, with what the dream's rules look at; where facts are named,
        those, of any status.
        """
        marks = ", ".join("?" * len(fact_ids))
        yield from self._connection.execute(
            f"""
            SELECT fact_id, CAST(content AS TEXT) AS content, CAST(summary AS TEXT) AS summary,
                   coalesce(category, 'general') AS category, category_locked,
                   {TRUST} AS trust, {_RETRIEVALS} AS retrieval_count, pinned,
                   coalesce(created_at, '') AS created_at
            FROM facts WHERE {f"fact_id IN ({marks})" if fact_ids else "status = 'active'"}
            ORDER BY fact_id
            """,
            fact_ids,
        )


def _newest_change(column: str) -> str:
    """A query for the newest operation that gave the fact ``f`` another value there."""
    return f"""
        SELECT max(op_id) FROM changes AS c WHERE c.fact_id = f.fact_id
        AND json_type(c.after, '$.{column}') IS NOT NULL
        AND (c.before IS NULL OR json_extract(c.before, '$.{column}')
             IS NOT json_extract(c.after, '$.{column}'))
    """
