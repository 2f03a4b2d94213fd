"""What a dream costs: its time, its peak memory, how both grow, and how long an add waits for it.

A store is filled with texts of realistic word frequencies, one in ten of them an overlap with an
earlier one: the same and more, or the same but for a word or a number. `mnemo dream` then runs on
it as a process of its own, on a copy each time; beside one run another process adds facts.
`--large` adds a store ten times as big, and what counts there is the growth.

    python -m bench.dreaming [FOLDER …] [--facts 10000] [--large] [--json]

A FOLDER holds `corpus.jsonl` with a `text` a line. Where there are more facts than texts, further
ones are put together from pieces of several. Without a folder words are drawn from the Chinese
dictionary in proportion to their frequency.
"""

import argparse
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

from mnemo import times
from mnemo.enums import Actor, Op
from mnemo.memory import Memory
from mnemo.settings import Settings
from mnemo.store import Store
from mnemo.text import han
from mnemo.writing.add import NewFact

SEED = 20
FACTS = 10_000
LARGER = 10
OVERLAPS = 10  # one in so many
BUDGETS = {"seconds": 10.0, "peak_mib": 200.0, "longest_wait_ms": 300.0}
GROWTH_BUDGETS = {"seconds": 13.0, "peak_mib": 12.0}

_FILLED_AT_ONCE = 500
_BETWEEN_ADDS = 0.02  # seconds
_PIECES = re.compile(r"(?:\S+\s+){3,6}|[^\s，。；,;]{2,12}[，。；,;]?\s*")


@dataclass(frozen=True)
class Measured:
    """One dream: wall-clock seconds, the process's peak in MiB, what it did, and the waits of adds
    in another process meanwhile, in milliseconds.
    """

    facts: int
    seconds: float
    again_seconds: float
    peak_mib: float
    merged: int
    conflicts: int
    usual_add_ms: float = 0.0
    longest_wait_ms: float = 0.0


# ------------------------------------------------------------------------------------- the texts


def real_texts(folders: Sequence[Path]) -> list[str]:
    """The texts of these folders, in order, each once."""
    texts: dict[str, None] = {}
    for folder in folders:
        with (folder / "corpus.jsonl").open(encoding="utf-8") as lines:
            texts |= dict.fromkeys(json.loads(line)["text"] for line in lines)
    return list(texts)


def put_together(texts: Sequence[str], chance: random.Random) -> Iterator[str]:
    """The texts themselves in any order, then texts made of pieces of them."""
    yield from chance.sample(texts, len(texts))
    pieces = [_PIECES.findall(text) or [text] for text in texts]
    while True:
        count = chance.randint(3, 7)
        yield "".join(chance.choice(chance.choice(pieces)) for _ in range(count)).strip()


def drawn(chance: random.Random) -> Iterator[str]:
    """Texts of words drawn from the dictionary in proportion to their frequency."""
    import jieba  # its dictionary is the one table of frequencies at hand

    jieba.setLogLevel(60)
    jieba.initialize()
    frequencies: dict[str, int] = {w: n for w, n in jieba.dt.FREQ.items() if n and w.strip()}
    words = list(frequencies)
    weights = list(accumulate(frequencies.values()))
    while True:
        drawn_words = chance.choices(words, cum_weights=weights, k=chance.randint(8, 22))
        yield "".join(drawn_words) + "。"


def with_overlaps(texts: Iterator[str], chance: random.Random) -> Iterator[str]:
    """The texts, every tenth one an overlap with one of the hundreds before it."""
    lately: list[str] = []
    while True:
        if lately and chance.randrange(OVERLAPS) == 0:
            yield _overlapping(chance.choice(lately), chance)
            continue
        text = next(texts)
        lately = [*lately[-300:], text]
        yield text


def _overlapping(text: str, chance: random.Random) -> str:
    """The same and more, the same and less, or the same with another number or word."""
    bare = text.rstrip("。. ")
    is_chinese = bool(re.search(r"[\u4e00-\u9fff]", text))
    kind = chance.randrange(4)
    if kind == 0:
        return bare + chance.choice(
            ["，早晚都是。", "，大家都知道。"] if is_chinese else [", as before."]
        )
    if kind == 1:
        return bare
    if kind == 2:
        return bare + (
            f"，共 {chance.randint(2, 99)} 次。"
            if is_chinese
            else f" {chance.randint(2, 99)} times."
        )
    return "不" + bare if is_chinese else f"{bare}, not."


# --------------------------------------------------------------------------------------- the run


def fill(home: Path, texts: Iterator[str], count: int) -> None:
    """A store in `home` with so many facts."""
    han.keep_dictionary_in(home / "cache")
    store = Store(home / "facts.db", now=times.utc_now())
    store.index.catch_up(seconds=0.0)  # notes how texts are cut into words
    operation = store.journal.operation(
        Op.ADD, actor=Actor.USER, session="bench", now=times.utc_now()
    )
    waiting = islice(texts, count)
    while portion := list(islice(waiting, _FILLED_AT_ONCE)):
        with operation.batch():
            for text in portion:
                operation.insert(content=text)
    store.close()


def dream(
    home: Path, meanwhile: Callable[[], None] = lambda: None
) -> tuple[dict[str, Any], float, float]:
    """The report of `mnemo dream`, its seconds and its peak in MiB; `meanwhile` is called over and
    over until it ends.
    """
    environment = {**os.environ, "MNEMO_HOME": str(home)}
    environment.pop("MNEMO_DB_PATH", None)
    report = home / "report.json"
    began = time.perf_counter()
    with report.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "mnemo", "dream", "--json"], env=environment, stdout=out
        )
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        meanwhile()
        time.sleep(_BETWEEN_ADDS)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"mnemo dream ended with {process.returncode}")
    unit = 1024 if sys.platform != "darwin" else 1024 * 1024
    return json.loads(report.read_text()), seconds, usage.ru_maxrss / unit


class Adding:
    """Adds a fact at each call and notes how long that took, in milliseconds."""

    def __init__(self, home: Path) -> None:
        self._memory = Memory(Settings(home=home, database=home / "facts.db"))
        self._count = 0
        self.waits: list[float] = []

    def __call__(self) -> None:
        began = time.perf_counter()
        self._memory.add(NewFact(f"added meanwhile {self._count}", dedup=False))
        self.waits.append((time.perf_counter() - began) * 1000)
        self._count += 1

    def close(self) -> None:
        self._memory.close()


def measure(texts: Iterator[str], count: int, *, waits: bool) -> Measured:
    """One store of so many facts, dreamt over."""
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch) / "first"
        home.mkdir()
        fill(home, texts, count)
        usual, longest = _waits(home, Path(scratch) / "second") if waits else (0.0, 0.0)
        report, seconds, peak = dream(home)
        _, again, _ = dream(home)
    return Measured(
        facts=count,
        seconds=round(seconds, 2),
        again_seconds=round(again, 2),
        peak_mib=round(peak, 1),
        merged=report["deleted"],
        conflicts=len(report["skipped_conflicts"]) + report.get("unlisted_conflicts", 0),
        usual_add_ms=round(usual, 1),
        longest_wait_ms=round(longest, 1),
    )


def _waits(home: Path, copy: Path) -> tuple[float, float]:
    """The median of an add without a dream, and the longest of the adds during one."""
    shutil.copytree(home, copy)
    adding = Adding(copy)
    for _ in range(30):
        adding()
    usual = statistics.median(adding.waits)
    adding.waits.clear()
    dream(copy, adding)
    adding.close()
    return usual, max(adding.waits)


# ------------------------------------------------------------------------------------ the answer


def as_json(rows: Sequence[Measured], source: str) -> dict[str, Any]:
    answer: dict[str, Any] = {"source": source, "seed": SEED, "rows": [asdict(row) for row in rows]}
    answer["budgets"] = BUDGETS
    if len(rows) > 1:
        answer["growth"] = {name: round(value, 2) for name, value in growth(rows).items()}
        answer["growth_budgets"] = GROWTH_BUDGETS
    return answer


def growth(rows: Sequence[Measured]) -> dict[str, float]:
    """How many times as much the last row takes as the first."""
    first, last = rows[0], rows[-1]
    return {
        "seconds": last.seconds / first.seconds,
        "peak_mib": last.peak_mib / first.peak_mib,
    }


def print_table(rows: Sequence[Measured], source: str) -> None:
    print(f"a dream over {source}, one fact in {OVERLAPS} an overlap")
    print(
        f"{'facts':>8}{'s':>8}{'again s':>9}{'MiB':>8}{'merged':>8}{'apart':>8}"
        f"{'add ms':>8}{'longest':>9}"
    )
    for row in rows:
        print(
            f"{row.facts:8}{row.seconds:8.2f}{row.again_seconds:9.2f}{row.peak_mib:8.0f}"
            f"{row.merged:8}{row.conflicts:8}{row.usual_add_ms:8.1f}{row.longest_wait_ms:9.1f}"
        )
    if len(rows) > 1:
        for name, times_as_much in growth(rows).items():
            budget = GROWTH_BUDGETS[name]
            verdict = "within" if times_as_much <= budget else "OVER"
            print(f"{name} grow {times_as_much:.1f} x, {verdict} {budget:.0f} x")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="bench.dreaming", description="What a dream costs.")
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--facts", type=int, default=FACTS, metavar="N")
    parser.add_argument("--large", action="store_true", help=f"and {LARGER} times as many")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args(arguments)
    texts = real_texts(options.folders)
    source = f"{len(texts)} texts and pieces of them" if texts else "words of the dictionary"
    sizes = [options.facts, *([options.facts * LARGER] if options.large else [])]
    rows: list[Measured] = []
    for size in sizes:
        chance = random.Random(SEED)
        plain = put_together(texts, chance) if texts else drawn(chance)
        rows.append(measure(with_overlaps(plain, chance), size, waits=size == options.facts))
    if options.json:
        json.dump(as_json(rows, source), sys.stdout, ensure_ascii=False)
        print()
    else:
        print_table(rows, source)
    return 0


if __name__ == "__main__":
    sys.exit(main())
