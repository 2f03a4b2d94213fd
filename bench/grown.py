"""A store as large as wanted whose words are as frequent as in real texts.

A fact joins clauses of real texts, drawn with a fixed seed, so that words keep their frequencies;
most also hold a name, new in three of ten cases and else one that was used before, so that the
vocabulary grows with the store as it does in life (Simon's process: the names have Zipf's law).
"""

import itertools
import json
import random
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mnemo.enums import Actor, Op
from mnemo.store import Store

NOW = datetime(2026, 5, 14, 12, tzinfo=UTC)
OWN = Path(__file__).parent.parent / "tests" / "data" / "facts.jsonl"
BATCH = 1000
DAYS = 700  # over which the facts are spread

_CLAUSE = re.compile(r"[^,，。.!?！？;；、\n]+")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_SYLLABLES = "ba ke li mo na ro si tu ve zan dor lin mar pel quin ras tho wen yor fel".split()
_FAMILY = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗"
_GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰涛明超霞平刚桂英华玉兰红建国志文辉力龙飞鹏雪梅晨曦"


def texts_in(folders: Sequence[Path], name: str) -> list[str]:
    """The texts of the files of that name; without folders our own few facts."""
    files = [file for folder in folders if (file := folder / name).exists()]
    rows = [json.loads(line) for file in files or [OWN] for line in file.open(encoding="utf-8")]
    return [row["text"] if "text" in row else row["content"] for row in rows]


def facts_like(texts: Sequence[str], count: int, *, seed: int) -> Iterator[str]:
    """So many facts made of the clauses of these texts; the same ones for the same seed."""
    draw = random.Random(seed)
    clauses = [clause.strip() for text in texts for clause in _CLAUSE.findall(text)]
    chinese = [c for c in clauses if _HAN.search(c) and len(c) > 3]
    english = [c for c in clauses if c.isascii() and len(c.split()) > 2]
    names: dict[bool, list[str]] = {True: [], False: []}
    for _ in range(count):
        in_chinese = bool(chinese) and (draw.random() < 0.5 or not english)
        pool, joint, end = (chinese, "，", "。") if in_chinese else (english, ", ", ".")
        parts = [draw.choice(pool) for _ in range(draw.choice((1, 2, 2, 3)))]
        if draw.random() < 0.6:
            used = names[in_chinese]
            new = not used or draw.random() < 0.3
            used.append(_name(draw, in_chinese) if new else draw.choice(used))
            parts.insert(draw.randrange(len(parts) + 1), used[-1])
        yield joint.join(parts) + end


def _name(draw: random.Random, in_chinese: bool) -> str:
    if in_chinese:
        return draw.choice(_FAMILY) + "".join(draw.choices(_GIVEN, k=draw.choice((1, 2, 2))))
    return "".join(draw.choices(_SYLLABLES, k=draw.choice((2, 3, 3)))).title()


def questions_in(folders: Sequence[Path], count: int, *, seed: int) -> list[str]:
    """So many questions, or all there are; without folders the first clauses of our own facts."""
    found = texts_in(folders, "queries.jsonl")
    random.Random(seed).shuffle(found)
    return [q if folders else _CLAUSE.findall(q)[0] for q in found[:count]]


def fill(path: Path, facts: Iterator[str]) -> None:
    """A store with these facts, each of some day of the last two years."""
    store = Store(path, now=NOW)
    store.index.catch_up(seconds=1)  # notes the token function, so that nothing is indexed again
    draw = random.Random(0)
    while batch := list(itertools.islice(facts, BATCH)):
        op = store.journal.operation(Op.ADD, actor=Actor.USER, session="bench", now=NOW)
        with op.batch():
            for fact in batch:
                day = NOW.date() - timedelta(days=draw.randrange(DAYS))
                op.insert(content=fact, date=day.isoformat())
    store.close()
