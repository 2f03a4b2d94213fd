"""How long a search takes as the store grows, beside the plainest query that could answer it.

The plain query asks FTS5 for any of the words of the question, `ORDER BY rank LIMIT 500`. Ours is a
whole search through `Memory`, its row in the log included. The same run tells whether the quick way
finds the same: how much of the ten best facts is what every word of the question, choosing, would
have brought. Facts and questions are made of real texts with a fixed seed (`grown.py`).

    python -m bench.search [FOLDER...] [--sizes 10000 100000] [--questions 200] [--json]
"""

import argparse
import json
import platform
import sqlite3
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from bench.grown import NOW, facts_like, fill, questions_in, texts_in
from mnemo.memory import Memory
from mnemo.retriever.search import DEFAULT_LIMIT, rank_facts, read_question
from mnemo.retriever.words import MOST_MATCHES
from mnemo.settings import Settings
from mnemo.store import Filter, Store
from mnemo.text.query import match_expression
from mnemo.text.tokens import index_tokens

SEED = 7
BUDGETS = {"ratio": 0.30, "overlap": 0.99, "growth": 3.4}
_PLAIN = "SELECT rowid, rank FROM fact_index WHERE fact_index MATCH ? ORDER BY rank LIMIT 500"


def measure(folders: list[Path], size: int, questions: list[str]) -> dict[str, Any]:
    """Milliseconds of both ways over the questions, each asked once for warmth, and the overlap."""
    with tempfile.TemporaryDirectory(prefix="mnemo-bench-") as home:
        path = Path(home) / "facts.db"
        begun = time.perf_counter()
        fill(path, facts_like(texts_in(folders, "corpus.jsonl"), size, seed=SEED))
        filled = time.perf_counter() - begun
        times = time_both(Path(home), path, questions)
        with closing(Store(path, now=NOW)) as store:
            overlap = statistics.mean(same_answers(store, question) for question in questions)
    figures = {
        name: {"p50": percentile(values, 50), "p95": percentile(values, 95)}
        for name, values in times.items()
    }
    ratio = round(figures["search"]["p95"] / figures["plain"]["p95"], 3)
    per_fact = round(filled / size * 1e6)
    return {**figures, "ratio": ratio, "overlap": round(overlap, 4), "filling_us": per_fact}


def time_both(home: Path, path: Path, questions: list[str]) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {"search": [], "plain": []}
    memory = Memory(Settings(home=home, database=path), clock=lambda: NOW)
    with closing(sqlite3.connect(path)) as connection:
        for question in questions:
            expression = match_expression(index_tokens(question))
            for ours in (False, True, True, False):
                begun = time.perf_counter()
                if ours:
                    memory.search(question)
                else:
                    connection.execute(_PLAIN, (expression,)).fetchall()
                times["search" if ours else "plain"].append((time.perf_counter() - begun) * 1000)
    memory.close()
    # The first of each kind only warmed the cache.
    return {"search": times["search"][1::2], "plain": times["plain"][1::2]}


def same_answers(store: Store, question: str) -> float:
    """The share of the ten best facts that the quick way has too."""
    read = read_question(question, NOW.date())
    quick, whole = (
        {
            hit.fact_id
            for hit in rank_facts(store, read, Filter(), limit=DEFAULT_LIMIT, most_matches=most)
        }
        for most in (MOST_MATCHES, sys.maxsize)
    )
    return len(quick & whole) / len(whole) if whole else 1.0


def percentile(values: list[float], percent: int) -> float:
    return round(statistics.quantiles(values, n=100)[percent - 1], 2)


def main() -> None:
    parser = argparse.ArgumentParser(description="a search beside the plainest query")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--sizes", nargs="+", type=int, default=[10_000, 100_000])
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    questions = questions_in(options.folders, options.questions, seed=SEED)
    sizes = {size: measure(options.folders, size, questions) for size in options.sizes}
    smallest, largest = sizes[options.sizes[0]], sizes[options.sizes[-1]]
    growth = round(largest["search"]["p95"] / smallest["search"]["p95"], 2)
    if options.json:
        figures = {"bench": "search", "python": platform.python_version(), "sizes": sizes}
        print(json.dumps(figures | {"growth": growth, "budgets": BUDGETS}))
        return
    print(f"{'facts':>9}{'search p50':>12}{'p95':>9}{'plain p50':>12}{'p95 (ms)':>9}", end="")
    print(f"{'ratio':>8}{'overlap':>9}{'filling (µs/fact)':>19}")
    for size, figures in sizes.items():
        ours, plain = figures["search"], figures["plain"]
        print(f"{size:>9}{ours['p50']:>12.1f}{ours['p95']:>9.1f}", end="")
        print(f"{plain['p50']:>12.1f}{plain['p95']:>9.1f}{figures['ratio']:>8.3f}", end="")
        print(f"{figures['overlap']:>9.4f}{figures['filling_us']:>19}")
    print(
        f"budgets at 100 000 facts: ratio of p95 ≤ {BUDGETS['ratio']}, "
        f"overlap ≥ {BUDGETS['overlap']}; "
        f"p95 has grown {growth} × (≤ {BUDGETS['growth']})"
    )


if __name__ == "__main__":
    main()
