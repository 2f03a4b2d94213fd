"""How long learning takes on a large store, beside the least that any program would have to write.

Every fact awaits a change, most for a reason and at a time of its own. What it is compared with is
one UPDATE of the same columns and one INSERT … SELECT that keeps each whole row as JSON, in one
transaction, which judges nothing, knows the answer beforehand and keeps every other writer out
until it is done. Both are timed in turns on copies of one file, the answer of learn included.

    python -m bench.learning [--facts 100000] [--runs 3] [--json]
"""

import argparse
import json
import platform
import random
import shutil
import sqlite3
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.startup import texts
from mnemo import times
from mnemo.enums import Actor
from mnemo.memory import Memory
from mnemo.settings import Settings
from mnemo.store import Store

NOW = datetime(2026, 5, 14, 12, 0, tzinfo=UTC)
BUDGET = 1.5

# Trust as ratings and earlier runs leave it.
_TRUSTS = [
    round(base * factor, 12)
    for base in (0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9)
    for factor in (1, 0.9, 0.95, 0.81, 0.855)
    if base * factor > 0.42
]


def rows(count: int) -> Iterator[tuple[Any, ...]]:
    """As many facts as used: often recalled, of much or of no help, half of them long ago."""
    choose = random.Random(7)
    for text in texts(count):
        recalls = choose.randint(31, 400)
        helpful = recalls // choose.choice((2, 40))
        unused = timedelta(seconds=choose.randint(0, 120 * 86_400))
        yield (
            text,
            choose.choice(_TRUSTS),
            recalls,
            helpful,
            1,
            times.stamp(NOW - unused),
            "2026-01-01 12:00:00",
            "2026-01-01 12:00:00",
        )


def fill(path: Path, count: int) -> None:
    Store(path, now=NOW).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.executemany(
            "INSERT INTO facts(content, trust_score, retrieval_count, helpful_count, "
            "unhelpful_count, last_retrieved_at, created_at, updated_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            rows(count),
        )
        connection.execute("DELETE FROM dirty")
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def least(path: Path) -> None:
    """The two statements."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        names = [row[1] for row in connection.execute("PRAGMA table_info(facts)")]
        pairs = ", ".join(f"'{name}', {name}" for name in names)
        after = json.dumps(
            {
                "trust_score": 0.45,
                "learn_retrievals": 100,
                "learn_helpful": 2,
                "learn_at": times.stamp(NOW),
                "aged_at": times.stamp(NOW),
            }
        )
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            "INSERT INTO operations(kind, actor, session, started_at) "
            "VALUES ('learn', 'user', '', ?)",
            (times.stamp(NOW),),
        )
        connection.execute(
            "INSERT INTO changes(op_id, fact_id, before, after, reason) "
            f"SELECT 1, fact_id, json_object({pairs}), ?, 'demoted' FROM facts",
            (after,),
        )
        connection.execute(
            "UPDATE facts SET trust_score = trust_score * 0.9, learn_retrievals = retrieval_count, "
            "learn_helpful = helpful_count, learn_at = ?, aged_at = ?",
            (times.stamp(NOW), times.stamp(NOW)),
        )
        connection.execute("COMMIT")


def learn(path: Path) -> None:
    memory = Memory(Settings(home=path.parent, database=path), actor=Actor.USER, clock=lambda: NOW)
    try:
        reply = memory.learn()
    finally:
        memory.close()
    if reply.unchanged:
        raise RuntimeError(f"{reply.unchanged} facts did not change")


def seconds(work: Callable[[Path], None], full: Path) -> float:
    with tempfile.TemporaryDirectory(prefix="mnemo-bench-", dir=full.parent) as folder:
        path = Path(folder) / "facts.db"
        shutil.copy(full, path)
        begun = time.perf_counter()
        work(path)
        return time.perf_counter() - begun


def longest_wait(full: Path) -> float:
    """Seconds that another writer, who writes all the time, waits at most while learn runs."""
    done = threading.Event()
    waits = [0.0]

    def write(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=30)) as connection:
            while not done.wait(0.005):
                begun = time.perf_counter()
                connection.execute("BEGIN IMMEDIATE")
                waits.append(time.perf_counter() - begun)
                connection.execute("COMMIT")

    def both(path: Path) -> None:
        writer = threading.Thread(target=write, args=(path,))
        writer.start()
        try:
            learn(path)
        finally:
            done.set()
            writer.join()

    seconds(both, full)
    return max(waits)


def measure(*, facts: int, runs: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="mnemo-bench-") as folder:
        full = Path(folder) / "facts.db"
        fill(full, facts)
        taken: dict[str, list[float]] = {"learn": [], "least": []}
        for _ in range(runs):
            taken["least"].append(seconds(least, full))
            taken["learn"].append(seconds(learn, full))
        wait = longest_wait(full)
    medians = {name: statistics.median(values) for name, values in taken.items()}
    return {
        "bench": "learning",
        "python": platform.python_version(),
        "facts": facts,
        "runs": runs,
        "seconds": {name: round(value, 3) for name, value in medians.items()},
        "ratio": round(medians["learn"] / medians["least"], 3),
        "budget": BUDGET,
        "longest_wait_ms": round(wait * 1000, 1),
    }


def table(figures: dict[str, Any]) -> str:
    ours, theirs = figures["seconds"]["learn"], figures["seconds"]["least"]
    settings = f"{figures['facts']} facts, {figures['runs']} runs"
    return (
        f"{settings:32}{'mnemo':>10}{'least':>10}{'ratio':>8}{'budget':>8}\n"
        f"{'learn, all change (s)':32}{ours:>10.2f}{theirs:>10.2f}"
        f"{figures['ratio']:>8.3f}{BUDGET:>8.2f}\n"
        f"{'another writer waits (ms)':32}{figures['longest_wait_ms']:>10.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="learning beside the least that must be written")
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = measure(facts=options.facts, runs=options.runs)
    print(json.dumps(figures) if options.json else table(figures))


if __name__ == "__main__":
    main()
