"""Which pairs of facts a dream would merge, by what people say of the pairs.

Each folder holds `pairs.jsonl`: one pair a line, with the texts `a` and `b` and a `label`. Beside
the share that dream merges stands the share whose words overlap enough, which is what a merge by
overlap alone would do; the time is that of one comparison, reading both texts included.

    python -m bench.merging [FOLDER …] [--data DIR] [--json]
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

from mnemo.dream.consolidate import merge_overlapping_facts
from mnemo.dream.judge import MERGE_THRESHOLD
from mnemo.dream.plan import DreamFact
from mnemo.text.contrast import find_contrasts
from mnemo.text.tokens import jaccard_similarity, tokenize_for_dedup

OWN = Path(__file__).with_name("data") / "pairs_small"


@dataclass(frozen=True)
class Pair:
    """Two facts and what a person says of them."""

    a: str
    b: str
    label: str


@dataclass(frozen=True)
class Share:
    """What became of the pairs with one label: shares 0 … 1."""

    data: str
    label: str
    pairs: int
    overlap: float
    merged: float
    microseconds: float


def read_pairs(folder: Path) -> Iterator[Pair]:
    """The pairs of one folder."""
    with (folder / "pairs.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield Pair(row["a"], row["b"], row["label"])


def overlaps(pair: Pair) -> bool:
    """Whether the words of a pair overlap enough for a merge."""
    tokens = (tokenize_for_dedup(text) for text in (pair.a, pair.b))
    return jaccard_similarity(*tokens) > MERGE_THRESHOLD


def merges(pair: Pair) -> bool:
    """Whether dream would make one fact of a pair."""
    facts = [DreamFact(1, pair.a), DreamFact(2, pair.b)]
    return bool(merge_overlapping_facts(facts).merges)


def measure(folder: Path) -> list[Share]:
    """The shares of one folder, label by label."""
    seen: Counter[str] = Counter()
    near: Counter[str] = Counter()
    merged: Counter[str] = Counter()
    seconds: defaultdict[str, float] = defaultdict(float)
    for pair in read_pairs(folder):
        began = perf_counter()
        find_contrasts(pair.a, pair.b)
        seconds[pair.label] += perf_counter() - began
        seen[pair.label] += 1
        near[pair.label] += overlaps(pair)
        merged[pair.label] += merges(pair)
    return [
        Share(
            folder.name,
            label,
            count,
            near[label] / count,
            merged[label] / count,
            seconds[label] / count * 1e6,
        )
        for label, count in sorted(seen.items())
    ]


def print_table(shares: Sequence[Share]) -> None:
    """One line a label."""
    print(f"{'data':24}{'label':16}{'pairs':>7}{'overlap':>9}{'merged':>9}{'µs':>7}")
    for share in shares:
        print(
            f"{share.data:24}{share.label:16}{share.pairs:7}"
            f"{share.overlap:9.3f}{share.merged:9.3f}{share.microseconds:7.0f}"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the folders named, every `pairs_*` under `--data`, or our own small set."""
    parser = argparse.ArgumentParser(prog="bench.merging", description="What dream would merge.")
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--data", type=Path, metavar="DIR", help="take every pairs_* folder in it")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args(arguments)
    folders: list[Path] = options.folders
    if options.data is not None:
        folders = [*folders, *sorted(options.data.glob("pairs_*"))]
    find_contrasts("暖机", "warm up")
    shares = [share for folder in folders or [OWN] for share in measure(folder)]
    if options.json:
        json.dump({"merging": [asdict(share) for share in shares]}, sys.stdout, ensure_ascii=False)
        print()
    else:
        print_table(shares)
    return 0


if __name__ == "__main__":
    sys.exit(main())
