"""Trust in bulk: a rule of the floor above, asked about many facts in one statement.

The rule is an ordinary Python function, which SQLite calls with what use has shown about each
fact. Its verdicts lie in temporary tables until they are written, so nothing is locked while
facts are judged. What must hold: no verdict is written that rests on what another connection has
changed since; a fact on which the rule says nothing is not touched.
"""

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from mnemo import times
from mnemo.store.evidence import HELPFUL, IS_RATED, RETRIEVALS_SO_FAR, TRUST
from mnemo.store.journal import Operation


class Verdict(NamedTuple):
    """What becomes of a fact. Many facts share one."""

    trust: float
    reason: str
    opens_window: bool  # the next window of evidence begins with the counters as they are
    ages: bool  # the next step of ageing is counted from now


# Called with trust, new recalls, new helpful ones, whether it was ever rated, whether it is
# pinned, and last_retrieved_at and aged_at as they are stored; None where nothing changes.
Rule = Callable[[float, int, int, bool, bool, Any, Any], Verdict | None]


@dataclass(frozen=True, slots=True)
class Look:
    """Up to where the use of a fact was looked at already, beside what its row says."""

    fact_id: int
    retrievals: int = 0
    helpful: int = 0
    aged_at: str = ""


class Judging:
    """One pass over the active facts, by id."""

    def __init__(self, connection: sqlite3.Connection, rule: Rule) -> None:
        self._connection = connection
        self._rule = rule
        self._numbers: dict[Verdict, int] = {}
        self._numbers_written = 0
        self._after = self._upto = 0
        self._version = 0

    def judge_next(self, limit: int) -> bool:
        """Judge the next ``limit`` facts, whatever their status; False where none are left."""
        (upto,) = self._connection.execute(
            "SELECT max(fact_id) FROM "
            "(SELECT fact_id FROM facts WHERE fact_id > ? ORDER BY fact_id LIMIT ?)",
            (self._upto, limit),
        ).fetchone()
        if upto is None:
            return False
        self._after, self._upto = self._upto, upto
        self._judge()
        return True

    @property
    def is_moved(self) -> bool:
        """Whether any of these facts would change."""
        return bool(
            self._connection.execute("SELECT EXISTS (SELECT 1 FROM temp.judged)").fetchone()[0]
        )

    def write(self, operation: Operation) -> Counter[str]:
        """Write the verdicts, inside a batch of the operation; comes back with how many facts
        changed for each reason.

        Where another connection has written since, the facts are judged again.
        """
        if self._data_version() != self._version:
            self._judge()
        verdicts = list(self._numbers)
        self._connection.executemany(
            "INSERT INTO temp.verdicts VALUES (?, ?, ?, ?, ?)",
            [
                (number, v.trust, v.reason, v.opens_window, v.ages)
                for number, v in enumerate(verdicts)
                if number >= self._numbers_written
            ],
        )
        self._numbers_written = len(verdicts)
        operation.update_from(
            "temp.judged",
            _values(times.stamp(operation.now)),
            reason="v.reason",
            joined="CROSS JOIN temp.verdicts AS v USING (number)",
        )
        counts = Counter[str]()
        for number, count in self._connection.execute(
            "SELECT number, count(*) FROM temp.judged GROUP BY number"
        ):
            counts[verdicts[int(number)].reason] += count
        return counts

    def number(self, *use: Any) -> int | None:
        """The number of the rule's verdict."""
        verdict = self._rule(*use)
        if verdict is None:
            return None
        return self._numbers.setdefault(verdict, len(self._numbers))

    def _judge(self) -> None:
        # Asked first: whatever is committed from here on counts as a change.
        self._version = self._data_version()
        self._connection.execute("DELETE FROM temp.judged")
        self._connection.execute(_JUDGE, (self._after, self._upto))

    def _data_version(self) -> int:
        return self._connection.execute("PRAGMA data_version").fetchone()[0]


@contextlib.contextmanager
def judging(
    connection: sqlite3.Connection, rule: Rule, *, looks: Iterable[Look] = ()
) -> Generator[Judging]:
    """A pass by this rule; ``looks`` moves where the present window of those facts begins."""
    judging = Judging(connection, rule)
    connection.create_function("verdict", 7, judging.number)
    try:
        for table, columns in _TABLES.items():
            connection.execute(f"CREATE TEMP TABLE {table} ({columns})")
        connection.executemany(
            "INSERT INTO temp.looks VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "retrievals = max(retrievals, excluded.retrievals), "
            "helpful = max(helpful, excluded.helpful), aged_at = max(aged_at, excluded.aged_at)",
            [(look.fact_id, look.retrievals, look.helpful, look.aged_at) for look in looks],
        )
        yield judging
    finally:
        connection.create_function("verdict", 7, None)
        for table in _TABLES:
            connection.execute(f"DROP TABLE IF EXISTS temp.{table}")


_TABLES = {
    "judged": "fact_id INTEGER PRIMARY KEY, number INTEGER NOT NULL",
    "verdicts": "number INTEGER PRIMARY KEY, trust REAL, reason TEXT, opens_window INTEGER, ages "
    "INTEGER",
    "looks": "fact_id INTEGER PRIMARY KEY, retrievals INTEGER, helpful INTEGER, aged_at TEXT",
}

# A fact on which the rule says nothing has no number, and is ignored. By the index of statuses
# the facts would come out of order.
_JUDGE = f"""
INSERT OR IGNORE INTO temp.judged
SELECT f.fact_id,
       verdict(
         {TRUST},
         {RETRIEVALS_SO_FAR} - max(learn_retrievals, coalesce(looks.retrievals, 0)),
         {HELPFUL} - max(learn_helpful, coalesce(looks.helpful, 0)),
         {IS_RATED},
         pinned,
         last_retrieved_at,
         iif(looks.aged_at > '',
             max(looks.aged_at, iif(f.aged_at GLOB '[0-9][0-9][0-9][0-9]-*', f.aged_at, '')),
             f.aged_at)
       )
FROM facts AS f NOT INDEXED LEFT JOIN temp.looks AS looks USING (fact_id)
WHERE f.fact_id > ? AND f.fact_id <= ? AND f.status = 'active'
"""


def _values(stamp: str) -> dict[str, str]:
    """What a verdict ``v`` sets on its fact ``f``."""
    return {
        "trust_score": "v.trust",
        "learn_retrievals": f"iif(v.opens_window, {RETRIEVALS_SO_FAR}, f.learn_retrievals)",
        "learn_helpful": f"iif(v.opens_window, {HELPFUL}, f.learn_helpful)",
        "learn_at": f"iif(v.opens_window, '{stamp}', f.learn_at)",
        "aged_at": f"iif(v.ages, '{stamp}', f.aged_at)",
    }
