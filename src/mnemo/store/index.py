"""The derived rows: tokens, full-text index, twin keys; how they are kept in step and asked.

Whatever changes a fact, be it this program, another one, a restore or a migration, triggers on
`facts` note its id in `dirty`. `refresh` brings the derived rows of those facts in step. Every
operation calls it for the facts it touched before it commits, so the index never lags behind a
write of ours; what others wrote is caught up with in portions. There is no second way to change
the index.

Must hold: the rows of `fact_tokens` are those of the active, archived and superseded facts. The
words of a merged fact are findable under its survivor.
"""

import hashlib
import json
import math
import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mnemo import times
from mnemo.enums import Status
from mnemo.store.connection import transaction
from mnemo.store.facts import Filter, number
from mnemo.store.facts import text as stored_text
from mnemo.store.meta import Meta
from mnemo.text.dates import day_tokens
from mnemo.text.normal import exact_key
from mnemo.text.tokens import index_tokens, tokens_version

SEARCHABLE = (Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED)

# How much a hit in each column of the index counts when candidates are chosen: match text, body,
# tags, dates.
_COLUMN_WEIGHTS = "1.0, 0.3, 0.5, 0.3"

# One transaction takes so many facts, and keeps other writers waiting for about so long.
_BATCH = 200
_HELD_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact that shares a token with the query, with what scoring needs and no more."""

    fact_id: int
    bm25: float  # as FTS5 gives it: negative, smaller is better
    tokens: str  # of the match text, space-joined
    dates: str  # tokens of the fact's day, space-joined
    match_length: int
    trust: float
    created_at: str


class Index:
    """The searchable side of the store."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._meta = Meta(connection)

    # -- keeping in step ------------------------------------------------------------------

    def pending(self) -> int:
        """How many facts wait for their derived rows."""
        return self._connection.execute("SELECT count(*) FROM dirty").fetchone()[0]

    def is_stale(self) -> bool:
        """Whether any fact waits, or all do since the token function changed."""
        waits, version = self._connection.execute(
            "SELECT EXISTS (SELECT 1 FROM dirty), (SELECT v FROM meta WHERE k = 'tokens_version')"
        ).fetchone()
        return bool(waits) or version != tokens_version()

    def catch_up(self, *, seconds: float) -> int:
        """Bring waiting facts in step, in short transactions, for about so many seconds.

        Comes back with how many still wait. Nothing is written where nothing waits.
        """
        if not self.is_stale():
            return 0
        deadline = time.monotonic() + seconds
        with transaction(self._connection):
            self._adopt_token_function()
        while self.pending():
            with transaction(self._connection):
                self._refresh_waiting()
            if time.monotonic() > deadline:
                break
        return self.pending()

    def _adopt_token_function(self) -> None:
        version = tokens_version()
        if self._meta.get("tokens_version") != version:
            mark_all(self._connection)
            self._meta.set("tokens_version", version)

    def refresh(self, fact_ids: Iterable[int]) -> None:
        """Bring those of these facts that are dirty in step, inside the caller's transaction.

        What else waits keeps waiting: a write does not pay for the backlog of others.
        """
        asked = json.dumps(list(fact_ids))
        rows = self._connection.execute(
            "SELECT fact_id FROM dirty WHERE fact_id IN (SELECT value FROM json_each(?))", (asked,)
        )
        self._refresh_all(row["fact_id"] for row in rows.fetchall())

    def _refresh_waiting(self) -> None:
        rows = self._connection.execute("SELECT fact_id FROM dirty LIMIT ?", (_BATCH,)).fetchall()
        deadline = time.monotonic() + _HELD_SECONDS
        for row in rows:
            self._refresh_all([row["fact_id"]])
            if time.monotonic() > deadline:
                break

    def _refresh_all(self, fact_ids: Iterable[int]) -> None:
        for fact_id in self._with_survivors(fact_ids):
            self._refresh_one(fact_id)

    def _with_survivors(self, fact_ids: Iterable[int]) -> list[int]:
        """The facts themselves and whatever, over any number of merges, they were merged into."""
        seen: dict[int, None] = {}
        for fact_id in fact_ids:
            current: int | None = fact_id
            while current is not None and current not in seen:
                seen[current] = None
                row = self._connection.execute(
                    "SELECT merged_into FROM facts WHERE fact_id = ? AND status = ?",
                    (current, Status.MERGED),
                ).fetchone()
                current = None if row is None else row["merged_into"]
        return list(seen)

    def _refresh_one(self, fact_id: int) -> None:
        execute = self._connection.execute
        execute("DELETE FROM fact_tokens WHERE fact_id = ?", (fact_id,))
        execute("DELETE FROM twin_keys WHERE fact_id = ?", (fact_id,))
        row = execute(
            "SELECT content, summary, tags, status, coalesce(date, created_at) AS day "
            "FROM facts WHERE fact_id = ?",
            (fact_id,),
        ).fetchone()
        if row is not None:
            content = stored_text(row["content"])
            execute("INSERT INTO twin_keys VALUES (?, ?)", (fact_id, twin_key(content)))
            if row["status"] in SEARCHABLE:
                self._insert_tokens(fact_id, content, row)
        execute("DELETE FROM dirty WHERE fact_id = ?", (fact_id,))

    def _insert_tokens(self, fact_id: int, content: str, row: sqlite3.Row) -> None:
        summary = stored_text(row["summary"]).strip()
        findable = [content] if summary else []
        findable += self._absorbed_contents(fact_id)
        self._connection.execute(
            "INSERT INTO fact_tokens VALUES (?, ?, ?, ?, ?, ?)",
            (
                fact_id,
                " ".join(index_tokens(summary or content)),
                " ".join(" ".join(index_tokens(text)) for text in findable),
                " ".join(index_tokens(stored_text(row["tags"]).replace(",", " "))),
                " ".join(_date_tokens(row["day"])),
                len(summary or content),
            ),
        )

    def _absorbed_contents(self, fact_id: int) -> list[str]:
        rows = self._connection.execute(
            """
            WITH RECURSIVE absorbed(fact_id) AS (
              SELECT fact_id FROM facts WHERE merged_into = ? AND status = 'merged'
              UNION
              SELECT f.fact_id FROM facts AS f JOIN absorbed AS a ON f.merged_into = a.fact_id
              WHERE f.status = 'merged'
            )
            SELECT content FROM facts WHERE fact_id IN absorbed ORDER BY fact_id
            """,
            (fact_id,),
        )
        return [stored_text(row["content"]) for row in rows]

    # -- asking ---------------------------------------------------------------------------

    def candidates(self, expression: str, wanted: Filter, *, limit: int) -> list[Candidate]:
        """The facts of that kind that match the FTS5 expression, best bm25 first, at most
        ``limit``.
        """
        condition, parameters = wanted.sql()
        rows = self._connection.execute(
            f"""
            SELECT f.fact_id, bm25(fact_index, {_COLUMN_WEIGHTS}) AS rank,
                   t.match_text, t.dates, t.match_length,
                   {number("f.trust_score", 0.5)} AS trust_score,
                   CAST(coalesce(f.created_at, '') AS TEXT) AS created_at
            FROM fact_index
            JOIN facts AS f ON f.fact_id = fact_index.rowid
            JOIN fact_tokens AS t ON t.fact_id = fact_index.rowid
            WHERE fact_index MATCH ? AND {condition}
            ORDER BY rank, f.fact_id LIMIT ?
            """,
            [expression, *parameters, limit],
        )
        return [Candidate(*row) for row in rows]

    def rarity(self, term: str) -> float:
        """The inverse document frequency of a term, as FTS5's bm25 weighs it; 0.0 for a term
        that no fact has.
        """
        row = self._connection.execute(
            "SELECT v.doc, (SELECT count(*) FROM fact_tokens) AS facts "
            "FROM fact_vocabulary AS v WHERE v.term = ?",
            (term,),
        ).fetchone()
        if row is None:
            return 0.0
        return max(1e-6, math.log((row["facts"] - row["doc"] + 0.5) / (row["doc"] + 0.5)))

    def terms_containing(self, texts: Sequence[str], *, limit: int = 200) -> list[str]:
        """Words of the index that contain one of ``texts``, the most widespread first; days are
        no words. The vocabulary is read once, from end to end.
        """
        condition = " OR ".join(["instr(term, ?) > 0"] * len(texts)) or "0"
        rows = self._connection.execute(
            f"SELECT term FROM fact_vocabulary WHERE term NOT LIKE '@%' AND ({condition}) "
            "ORDER BY doc DESC, term LIMIT ?",
            (*texts, limit),
        )
        return [row["term"] for row in rows]

    def twins(self, content: str) -> list[int]:
        """Ids of facts of any status whose content is the same but for case, width, white space
        and final punctuation; oldest first.
        """
        rows = self._connection.execute(
            "SELECT fact_id FROM twin_keys WHERE twin_key = ? ORDER BY fact_id",
            (twin_key(content),),
        )
        return [row["fact_id"] for row in rows]


def twin_key(content: str) -> bytes:
    """A short key that two facts share exactly when their texts are twins."""
    return hashlib.blake2b(exact_key(content).encode(), digest_size=16).digest()


def mark_all(connection: sqlite3.Connection) -> None:
    """Let every fact's derived rows be made anew, inside the caller's transaction."""
    connection.execute("INSERT OR IGNORE INTO dirty SELECT fact_id FROM facts")


def key_all(connection: sqlite3.Connection) -> None:
    """Give every fact its twin key at once, inside the caller's transaction: while the rest of the
    index fills, a statement that is known already must not be stored a second time.
    """
    rows = connection.execute("SELECT fact_id, content FROM facts")
    connection.executemany(
        "INSERT OR REPLACE INTO twin_keys VALUES (?, ?)",
        ((row["fact_id"], twin_key(stored_text(row["content"]))) for row in rows),
    )


def _date_tokens(day: str | None) -> Sequence[str]:
    moment = times.parse(day)
    return () if moment is None else day_tokens(moment.date())
