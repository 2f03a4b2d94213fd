"""How many facts have each word, and how long facts are: what a word's weight is made of.

Derived from `fact_tokens` and kept beside it: whatever changes a row there says here, in the same
transaction, which tokens came and which went. FTS5 could tell the same (`fts5vocab`) by walking
through every occurrence of a word, which is slowest for the words that a search asks for first.

Must hold: `words` has each token of `fact_tokens`, of any column, with the number of facts that
have it; `index_size` has the number of rows and of tokens in all of them.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Recount:
    """What came into the index and what left it in one run."""

    words: dict[str, int] = field(default_factory=dict[str, int])
    facts: int = 0
    tokens: int = 0

    def add(self, tokens: Sequence[str], *, facts: int) -> None:
        """Count the tokens of a fact that came (``facts=1``) or left (-1)."""
        kinds = set(tokens)
        count = self.words
        for word in kinds:
            count[word] = count.get(word, 0) + facts
        self.facts += facts
        self.tokens += facts * len(tokens)


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How many facts the index has, how many tokens a fact has in the mean, and how many facts
    have each of the words that were asked for; a word that none has is left out.
    """

    facts: int
    mean_tokens: float
    with_word: Mapping[str, int]


class Words:
    """The count of facts by word."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def apply(self, recount: Recount) -> None:
        """Bring the counts in step, inside the caller's transaction."""
        changes = sorted((word, change) for word, change in recount.words.items() if change)
        self._connection.executemany(
            "INSERT INTO words VALUES (?, ?) "
            "ON CONFLICT (word) DO UPDATE SET facts = facts + excluded.facts",
            changes,
        )
        if gone := [(word,) for word, change in changes if change < 0]:
            self._connection.executemany("DELETE FROM words WHERE word = ? AND facts <= 0", gone)
        self._connection.execute(
            "UPDATE index_size SET facts = facts + ?, tokens = tokens + ?",
            (recount.facts, recount.tokens),
        )

    def frequencies(self, words: Iterable[str]) -> Frequencies:
        """How widespread each of these words is."""
        facts, tokens = self._connection.execute("SELECT facts, tokens FROM index_size").fetchone()
        rows = self._connection.execute(
            "SELECT word, facts FROM words WHERE word IN (SELECT value FROM json_each(?))",
            (json.dumps(list(words)),),
        )
        return Frequencies(facts, tokens / facts if facts else 1.0, dict(map(tuple, rows)))

    def containing(self, texts: Sequence[str], *, limit: int) -> list[str]:
        """Words that contain one of ``texts``, the most widespread first; days are no words."""
        condition = " OR ".join(["instr(word, ?) > 0"] * len(texts)) or "0"
        rows = self._connection.execute(
            f"SELECT word FROM words WHERE word NOT LIKE '@%' AND ({condition}) "
            "ORDER BY facts DESC, word LIMIT ?",
            (*texts, limit),
        )
        return [row["word"] for row in rows]
