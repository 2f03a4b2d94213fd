"""The derived rows: tokens, full-text index, counts of words, twin keys, links to entities; how
they are kept in step and asked.

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
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from mnemo import times
from mnemo.enums import Status
from mnemo.store.connection import transaction
from mnemo.store.entities import Entities
from mnemo.store.facts import Filter, number
from mnemo.store.facts import text as stored_text
from mnemo.store.meta import Meta
from mnemo.store.words import Recount, Words
from mnemo.text.dates import day_tokens
from mnemo.text.mentions import entities_version
from mnemo.text.normal import exact_key
from mnemo.text.tokens import index_tokens, tokens_version

SEARCHABLE = (Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED)
# The columns of `facts` that the derived rows are made of: those that the triggers watch.
INDEXED = frozenset(("content", "summary", "tags", "status", "merged_into", "date", "created_at"))

# How much a hit in each column of the index counts: match text, body, tags, dates.
COLUMN_WEIGHTS = (1.0, 0.3, 0.5, 0.3)

_BM25 = f"bm25(fact_index, {', '.join(map(str, COLUMN_WEIGHTS))})"
_OF_ANY_KIND = f"SELECT rowid AS fact_id, {_BM25} AS rank FROM fact_index WHERE fact_index MATCH ?"
_OF_KIND = (
    f"SELECT f.fact_id AS fact_id, {_BM25} AS rank "
    "FROM fact_index JOIN facts AS f ON f.fact_id = fact_index.rowid "
    "WHERE fact_index MATCH ? AND {condition}"
)
_SPARE = 50  # facts that are looked at beside those asked for, since some may be archived

# One transaction takes so many facts, and keeps other writers waiting for about so long.
_BATCH = 200
_HELD_SECONDS = 0.06

# Facts whose derived rows are out of date, each with the fact that it is merged into.
_WAITING = f"""
SELECT d.fact_id, iif(f.status = '{Status.MERGED}', f.merged_into, NULL) AS survivor
FROM dirty AS d LEFT JOIN facts AS f ON f.fact_id = d.fact_id
"""


class Candidate(NamedTuple):
    """A fact that shares a token with the query, with what scoring needs and no more."""

    fact_id: int
    bm25: float  # as FTS5 gives it: negative, smaller is better
    tokens: str  # of the match text, space-joined
    body: str | None  # of what is only findable
    tags: str | None
    dates: str | None  # tokens of the fact's day, where they were asked for
    token_count: int  # of the four together
    match_length: int
    trust: float
    created_at: str


class Matching(NamedTuple):
    """A fact that matches an expression, with its texts: content, summary, what it took in."""

    fact_id: int
    trust: float
    created_at: str
    texts: tuple[str, ...]


class Index:
    """The searchable side of the store."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._meta = Meta(connection)
        self._entities = Entities(connection)
        self.words = Words(connection)

    # -- keeping in step ------------------------------------------------------------------

    def pending(self) -> int:
        """How many facts wait for their derived rows."""
        return self._connection.execute("SELECT count(*) FROM dirty").fetchone()[0]

    def is_stale(self) -> bool:
        """Whether any fact waits, or all do since what is read out of them changed."""
        waits, tokens, entities = self._connection.execute(
            "SELECT EXISTS (SELECT 1 FROM dirty), "
            "(SELECT v FROM meta WHERE k = 'tokens_version'), "
            "(SELECT v FROM meta WHERE k = 'entities_version')"
        ).fetchone()
        return bool(waits) or (tokens, entities) != (tokens_version(), entities_version())

    def catch_up(self, *, seconds: float, between: Callable[[], None] = lambda: None) -> int:
        """Bring waiting facts in step, in short transactions, for about so many seconds.

        Comes back with how many still wait. Nothing is written where nothing waits. ``between`` is
        called between two transactions and may raise to stop there.
        """
        if not self.is_stale():
            return 0
        with transaction(self._connection):
            self._adopt_rules()
        self._load_for_what_waits()
        deadline = time.monotonic() + seconds
        while self.pending():
            with transaction(self._connection):
                self._refresh_waiting()
            if time.monotonic() > deadline:
                break
            between()
        return self.pending()

    def _load_for_what_waits(self) -> None:
        """Load what reading a text needs, a dictionary perhaps, neither locked for nor timed."""
        rows = self._connection.execute(
            "SELECT CAST(content AS TEXT) FROM facts "
            "WHERE fact_id IN (SELECT fact_id FROM dirty LIMIT 200) "
            "ORDER BY content GLOB '*[^ -~]*' DESC LIMIT 1"
        )
        for (content,) in rows.fetchall():
            index_tokens(content)
            self._entities.load(content)

    def _adopt_rules(self) -> None:
        rules = {"tokens_version": tokens_version(), "entities_version": entities_version()}
        changed = {name: now for name, now in rules.items() if self._meta.get(name) != now}
        if changed:
            mark_all(self._connection)
        for name, version in changed.items():
            self._meta.set(name, version)

    def refresh(self, fact_ids: Iterable[int]) -> None:
        """Bring those of these facts that are dirty in step, inside the caller's transaction.

        What else waits keeps waiting: a write does not pay for the backlog of others.
        """
        asked = list(fact_ids)
        if len(asked) == 1:
            condition, parameter = "d.fact_id = ?", asked[0]
        else:
            condition = "d.fact_id IN (SELECT value FROM json_each(?))"
            parameter = json.dumps(asked)
        rows = self._connection.execute(f"{_WAITING} WHERE {condition}", (parameter,))
        self._refresh_all(rows.fetchall())

    def _refresh_waiting(self) -> None:
        rows = self._connection.execute(f"{_WAITING} LIMIT ?", (_BATCH,))
        self._refresh_all(rows.fetchall(), seconds=_HELD_SECONDS)

    def _refresh_all(self, waiting: Iterable[sqlite3.Row], *, seconds: float = math.inf) -> None:
        deadline = time.monotonic() + seconds
        recount = Recount()
        for fact_id in self._with_survivors(waiting):
            self._refresh_one(fact_id, recount)
            if time.monotonic() > deadline:
                break
        self.words.apply(recount)

    def _with_survivors(self, waiting: Iterable[sqlite3.Row]) -> list[int]:
        """The facts themselves and whatever, over any number of merges, they were merged into."""
        seen: dict[int, None] = {}
        for fact_id, survivor in waiting:
            seen[fact_id] = None
            current: int | None = survivor
            while current is not None and current not in seen:
                seen[current] = None
                row = self._connection.execute(
                    "SELECT merged_into FROM facts WHERE fact_id = ? AND status = ?",
                    (current, Status.MERGED),
                ).fetchone()
                current = None if row is None else row["merged_into"]
        return list(seen)

    def _refresh_one(self, fact_id: int, recount: Recount) -> None:
        execute = self._connection.execute
        self._forget_tokens(fact_id, recount)
        row = execute(
            "SELECT content, summary, tags, status, coalesce(date, created_at) AS day, "
            "EXISTS (SELECT 1 FROM facts WHERE merged_into = f.fact_id) AS absorbs "
            "FROM facts AS f WHERE fact_id = ?",
            (fact_id,),
        ).fetchone()
        texts: list[str] = []
        if row is None:
            execute("DELETE FROM twin_keys WHERE fact_id = ?", (fact_id,))
        else:
            content = stored_text(row["content"])
            execute("INSERT OR REPLACE INTO twin_keys VALUES (?, ?)", (fact_id, twin_key(content)))
            if row["status"] in SEARCHABLE:
                texts = [content, *(self._absorbed_contents(fact_id) if row["absorbs"] else ())]
                self._insert_tokens(fact_id, texts, row, recount)
        self._entities.link(fact_id, texts)
        execute("DELETE FROM dirty WHERE fact_id = ?", (fact_id,))

    def _forget_tokens(self, fact_id: int, recount: Recount) -> None:
        row = self._connection.execute(
            "SELECT match_text, body, tags, dates FROM fact_tokens WHERE fact_id = ?", (fact_id,)
        ).fetchone()
        if row is not None:
            recount.add(" ".join(row).split(), facts=-1)
            self._connection.execute("DELETE FROM fact_tokens WHERE fact_id = ?", (fact_id,))

    def _insert_tokens(
        self, fact_id: int, texts: Sequence[str], row: sqlite3.Row, recount: Recount
    ) -> None:
        """Write the tokens of a fact whose own content is the first of ``texts``."""
        content, summary = texts[0], stored_text(row["summary"]).strip()
        findable = texts if summary else texts[1:]
        columns = (
            index_tokens(summary or content),
            [token for text in findable for token in index_tokens(text)],
            index_tokens(stored_text(row["tags"]).replace(",", " ")),
            _date_tokens(row["day"]),
        )
        tokens = [token for column in columns for token in column]
        recount.add(tokens, facts=1)
        self._connection.execute(
            "INSERT INTO fact_tokens VALUES (?, ?, ?, ?, ?, ?, ?)",
            (fact_id, *map(" ".join, columns), len(summary or content), len(tokens)),
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

    def candidates(
        self, expression: str, wanted: Filter, *, limit: int, dates: bool = False
    ) -> list[Candidate]:
        """The facts of that kind that match the FTS5 expression, best bm25 first, at most
        ``limit``; with the tokens of their days only where ``dates`` asks for them.
        """
        if wanted == Filter(statuses=wanted.statuses):
            # Nearly every fact is wanted: the best are looked at after they were chosen.
            rows = self._best(_OF_ANY_KIND, expression, (), wanted, limit + _SPARE, dates=dates)
            found = [row for *row, is_wanted in rows if is_wanted]
            if len(found) >= limit or len(rows) < limit + _SPARE:
                return list(map(Candidate._make, found[:limit]))
        condition, parameters = wanted.sql()
        best = _OF_KIND.format(condition=condition)
        rows = self._best(best, expression, parameters, wanted, limit, dates=dates)
        return [Candidate._make(row) for *row, _ in rows]

    def _best(
        self,
        best: str,
        expression: str,
        parameters: Sequence[object],
        wanted: Filter,
        limit: int,
        *,
        dates: bool,
    ) -> list[sqlite3.Row]:
        condition, values = wanted.sql()
        # The few best are chosen before their rows are read.
        return self._connection.execute(
            f"""
            WITH best AS MATERIALIZED ({best} ORDER BY rank, fact_id LIMIT ?)
            SELECT b.fact_id, b.rank, t.match_text, nullif(t.body, '') AS body,
                   nullif(t.tags, '') AS tags, iif(?, t.dates, NULL) AS dates, t.token_count,
                   t.match_length, {number("f.trust_score", 0.5)} AS trust_score,
                   CAST(coalesce(f.created_at, '') AS TEXT) AS created_at, {condition} AS wanted
            FROM best AS b JOIN facts AS f USING (fact_id) JOIN fact_tokens AS t USING (fact_id)
            ORDER BY b.rank, b.fact_id
            """,
            [expression, *parameters, limit, dates, *values],
        ).fetchall()

    def matching(self, expression: str, wanted: Filter, *, limit: int) -> list[Matching]:
        """The facts of that kind that match the FTS5 expression with all that they say: the most
        trusted, at most ``limit``.
        """
        condition, parameters = wanted.sql()
        trust = number("f.trust_score", 0.5)
        rows = self._connection.execute(
            f"""
            SELECT f.fact_id, {trust} AS trust, coalesce(f.created_at, '') AS created_at,
                   f.content, f.summary,
                   EXISTS (SELECT 1 FROM facts WHERE merged_into = f.fact_id) AS absorbs
            FROM fact_index JOIN facts AS f ON f.fact_id = fact_index.rowid
            WHERE fact_index MATCH ? AND {condition}
            ORDER BY trust DESC, created_at DESC, f.fact_id LIMIT ?
            """,
            [expression, *parameters, limit],
        ).fetchall()
        return [self._matching(row) for row in rows]

    def _matching(self, row: sqlite3.Row) -> Matching:
        texts = [stored_text(row["content"]), stored_text(row["summary"])]
        texts += self._absorbed_contents(row["fact_id"]) if row["absorbs"] else []
        return Matching(row["fact_id"], row["trust"], str(row["created_at"]), tuple(texts))

    def terms_containing(self, texts: Sequence[str], *, limit: int = 200) -> list[str]:
        """Words of the index that contain one of ``texts``, the most widespread first; days are
        no words.
        """
        return self.words.containing(texts, limit=limit)

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
