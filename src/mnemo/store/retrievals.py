"""The retrieval log and what a recall leaves on the facts it returned.

One row a search, also for an empty or a repeated one, with the words as they were typed, secrets
shortened. Being returned is counted literally; a recall that says nothing about a fact's use (it
was shown far below the best hit, or the same question was asked again within ten minutes) is also
counted in `discounted`, and learning looks at the difference.
"""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from mnemo import times
from mnemo.store.connection import transaction
from mnemo.store.facts import number
from mnemo.text.normal import fold
from mnemo.text.secrets import redact

KEPT_ROWS = 5_000
KEPT_QUERY_CHARS = 2_000
SAME_QUESTION = timedelta(minutes=10)
_RECENT_ROWS = 100
_TRUSTED_RANKS = 3
_TRUSTED_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Recalled:
    """A fact that a search returned, with the score as it was returned."""

    fact_id: int
    score: float


class Retrievals:
    """Writing and counting recalls."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def log(self, query: str, hits: Sequence[Recalled], *, now: datetime) -> None:
        """Write one row for this search and count its hits, in one short transaction."""
        moment = times.stamp(now)
        query = _storable(query)
        with transaction(self._connection, durable=False):
            discounted = self._discounted(query, hits, now=now)
            self._connection.execute(
                "INSERT INTO retrieval_log(query, results, timestamp) VALUES (?, ?, ?)",
                (query, _as_json(hits), moment),
            )
            self._connection.execute(
                "DELETE FROM retrieval_log WHERE id <= "
                "(SELECT id FROM retrieval_log ORDER BY id DESC LIMIT 1 OFFSET ?)",
                (KEPT_ROWS,),
            )
            self._connection.executemany(
                f"UPDATE facts SET retrieval_count = {number('retrieval_count', 0)} + 1, "
                "discounted = discounted + ?, last_retrieved_at = ? WHERE fact_id = ?",
                [(int(hit.fact_id in discounted), moment, hit.fact_id) for hit in hits],
            )

    def _discounted(self, query: str, hits: Sequence[Recalled], *, now: datetime) -> set[int]:
        if not hits:
            return set()
        best = hits[0].score
        bystanders = {
            hit.fact_id
            for rank, hit in enumerate(hits, start=1)
            if rank > _TRUSTED_RANKS and hit.score < _TRUSTED_SHARE * best
        }
        return bystanders | self._returned_for_the_same_question(query, now=now)

    def _returned_for_the_same_question(self, query: str, *, now: datetime) -> set[int]:
        rows = self._connection.execute(
            "SELECT query, results FROM retrieval_log WHERE timestamp > ? ORDER BY id DESC LIMIT ?",
            (times.stamp(now - SAME_QUESTION), _RECENT_ROWS),
        )
        asked = _folded(query)
        return {
            fact_id
            for row in rows
            if _folded(row["query"]) == asked
            for fact_id in ids_in(row["results"])
        }

    def that_returned(self, fact_id: int, query: str) -> int | None:
        """The id of the newest row that this question left and in which the fact is; None where
        there is none.
        """
        asked = fold(_storable(query))
        rows = self._connection.execute(
            "SELECT id, query, results FROM retrieval_log ORDER BY id DESC"
        )
        for row in rows:
            if fold(row["query"]) == asked and fact_id in ids_in(row["results"]):
                return row["id"]
        return None

    def count(self) -> int:
        """How many rows the log holds."""
        return self._connection.execute("SELECT count(*) FROM retrieval_log").fetchone()[0]


# Most of the rows that a search looks at are those that the one before has looked at.
_folded = lru_cache(maxsize=2 * _RECENT_ROWS)(fold)


def _storable(query: str) -> str:
    # Half a surrogate pair, which some clients send, is no text to SQLite.
    # Cut first, since a query can be a whole file, and wide enough to know a secret at the edge.
    kept = redact(query[: 2 * KEPT_QUERY_CHARS])[:KEPT_QUERY_CHARS]
    return kept.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def ids_in(results: str) -> list[int]:
    """The ids in the results of a row; none where another program wrote something else there."""
    try:
        return [entry["id"] for entry in json.loads(results)]
    except (ValueError, TypeError, KeyError):
        return []


def _as_json(hits: Sequence[Recalled]) -> str:
    # Without spaces, so that the log reads the same whichever program wrote it.
    return json.dumps([{"id": h.fact_id, "score": h.score} for h in hits], separators=(",", ":"))
