"""How often the right facts are found: recall@1/5/10, MRR and nDCG@10 over folders of data.

A folder holds `corpus.jsonl` (id, text, optional group and date) and `queries.jsonl` (id, text,
relevant ids, optional group, type and question_date). Each group is a store of its own, filled and
asked through `Memory`, as an agent would, on the day of the question where it has one.

    python -m bench.retrieval FOLDER... [--json]
"""

import argparse
import json
import math
import re
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mnemo.memory import Memory
from mnemo.settings import Settings
from mnemo.writing.add import NewFact

DEPTHS = (1, 5, 10)
_DATE_FORMS = ("%Y-%m-%d", "%Y/%m/%d", "%Y年%m月%d日", "%d %B, %Y")


@dataclass
class Scores:
    """Sums over queries."""

    recall: dict[int, float] = field(default_factory=lambda: dict.fromkeys(DEPTHS, 0.0))
    reciprocal_rank: float = 0.0
    gain: float = 0.0
    queries: int = 0
    milliseconds: list[float] = field(default_factory=list)

    def count(self, found: list[str], relevant: set[str], *, milliseconds: float) -> None:
        ranks = [rank for rank, fact in enumerate(found, start=1) if fact in relevant]
        for depth in DEPTHS:
            self.recall[depth] += sum(rank <= depth for rank in ranks) / len(relevant)
        self.reciprocal_rank += 1 / ranks[0] if ranks else 0.0
        ideal = sum(1 / math.log2(1 + rank) for rank in range(1, min(10, len(relevant)) + 1))
        self.gain += sum(1 / math.log2(1 + rank) for rank in ranks if rank <= 10) / ideal
        self.queries += 1
        self.milliseconds.append(milliseconds)

    def means(self) -> dict[str, float]:
        mean = {f"recall@{depth}": self.recall[depth] / self.queries for depth in DEPTHS}
        mean |= {"MRR": self.reciprocal_rank / self.queries, "nDCG@10": self.gain / self.queries}
        mean = {name: round(value, 3) for name, value in mean.items()}
        return mean | {"p50 ms": round(statistics.median(self.milliseconds), 2)}


def rows(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def day_of(text: str | None) -> str:
    """The day that a data set's date names, as YYYY-MM-DD; "" for none."""
    if not text:
        return ""
    found = re.search(
        r"\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{4}年\d{1,2}月\d{1,2}日|\d{1,2} \w+, \d{4}", text
    )
    for form in _DATE_FORMS if found else ():
        try:
            return datetime.strptime(found[0] if found else "", form).strftime("%Y-%m-%d")  # noqa: DTZ007
        except ValueError:
            continue
    return ""


def measure(folder: Path) -> dict[str, Scores]:
    """Scores by type of query; the type "all" holds every one."""
    corpus: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows(folder / "corpus.jsonl"):
        corpus[row.get("group", "")].append(row)
    queries: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows(folder / "queries.jsonl"):
        queries[row.get("group", "")].append(row)
    scores: defaultdict[str, Scores] = defaultdict(Scores)
    for group, facts in corpus.items():
        with tempfile.TemporaryDirectory(prefix="mnemo-bench-") as home:
            ask(Path(home), facts, queries[group], scores)
    return scores


def ask(
    home: Path,
    facts: list[dict[str, Any]],
    queries: list[dict[str, Any]],
    scores: defaultdict[str, Scores],
) -> None:
    now = datetime.now(UTC)
    memory = Memory(Settings(home=home, database=home / "facts.db"), clock=lambda: now)
    stored_at = now
    replies = memory.add(*(NewFact(f["text"], date=day_of(f.get("date"))) for f in facts))
    # Twins share one stored fact.
    names: defaultdict[int, set[str]] = defaultdict(set)
    for fact, reply in zip(facts, replies, strict=True):
        if isinstance(reply, Exception):
            raise reply
        names[reply.fact_id].add(fact["id"])
    for query in queries:
        asked_on = day_of(query.get("question_date"))
        now = datetime.fromisoformat(f"{asked_on}T12:00:00+00:00") if asked_on else stored_at
        begun = time.perf_counter()
        hits = memory.search(query["text"]).results
        took = (time.perf_counter() - begun) * 1000
        found = [name for hit in hits for name in sorted(names[hit.fact_id])]
        for kind in {"all", query.get("type", "all")}:
            scores[kind].count(found, set(query["relevant"]), milliseconds=took)
    memory.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="how often the right facts are found")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = {
        folder.name: {kind: s.means() for kind, s in sorted(measure(folder).items())}
        for folder in options.folders
    }
    if options.json:
        print(json.dumps(figures))
        return
    for name, kinds in figures.items():
        for kind, means in kinds.items():
            shown = "  ".join(f"{what} {value:.3f}" for what, value in means.items())
            print(f"{name:18}{kind:28}{shown}")


if __name__ == "__main__":
    main()
