"""What no dream may do to real facts: lose a number or a name, change a text, go on for ever.
from tests.text.details import details

The facts are those in `tests/data`, or with MNEMO_DATA set those of its folders' `corpus.jsonl`.
"""

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemo.errors import MnemoError
from mnemo.memory import Memory
from mnemo.writing.add import NewFact
from tests.store.scratch import Sql
from tests.text.details import details

_OWN = Path(__file__).parent.parent / "data" / "facts.jsonl"
_FACTS = 400  # of each file
_DREAMS = 30


def _texts() -> Iterator[str]:
    named = os.environ.get("MNEMO_DATA")
    files = sorted(Path(named).glob("*/corpus.jsonl")) if named else [_OWN]
    for file in files:
        with file.open(encoding="utf-8") as lines:
            for _, line in zip(range(_FACTS), lines, strict=False):
                row = json.loads(line)
                yield row.get("content") or row["text"]


def _variants(texts: list[str], chance: random.Random) -> Iterator[str]:
    """Texts that say the same as others, less, more, or the opposite."""
    for text in chance.sample(texts, min(8, len(texts))):
        bare = text.rstrip("。.！!")
        yield bare
        yield f"{bare}, as before" if text.isascii() else f"{bare}，和以前一样"
        yield f"{bare} {chance.randint(2, 99)}"
        yield f"not: {bare}" if text.isascii() else f"不是：{bare}"


def _held(sql: Sql) -> set[str]:
    """The numbers, names, addresses and identifiers of the active facts."""
    rows = sql("SELECT content FROM facts WHERE status = 'active'")
    return {detail for (content,) in rows for detail in details(content)}


@pytest.mark.slow
def test_thirty_dreams_lose_nothing_and_change_no_text(memory: Memory, sql: Sql) -> None:
    chance = random.Random(7)
    texts = list(dict.fromkeys(_texts()))
    _add(memory, texts)
    retired = 0
    for _ in range(_DREAMS):
        _add(memory, list(_variants(texts, chance)))
        held = _held(sql)
        contents = sql("SELECT fact_id, content FROM facts")

        dreamed = memory.dream()

        retired += dreamed.deleted
        assert _held(sql) == held
        assert sql("SELECT fact_id, content FROM facts") == contents
    assert retired > _DREAMS, "there was something to merge"
    again = memory.dream()
    counts = (again.merged, again.compressed, again.reclassified, again.deleted)
    assert counts == (0, 0, 0, 0)
    assert again.op == ""


def _add(memory: Memory, texts: list[str]) -> None:
    for start in range(0, len(texts), 200):
        for reply in memory.add(*(NewFact(text) for text in texts[start : start + 200])):
            assert not isinstance(reply, MnemoError), reply


def test_the_words_of_a_merged_fact_find_its_survivor(memory: Memory, sql: Sql) -> None:
    _add(
        memory, ["The deploys run on Tuesday", "The deploy runs on Tuesday, from the small office"]
    )
    sql("UPDATE facts SET tags = 'release' WHERE fact_id = 1")
    assert memory.dream().deleted == 1
    assert [hit.fact_id for hit in memory.search("deploys Tuesday").results] == [2]
    assert [hit.fact_id for hit in memory.search("release").results] == [2]
