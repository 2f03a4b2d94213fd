"""A fact is never taken for what it becomes when one thing in it is changed.

Real facts are changed in one place by a fixed dice: two parts swapped, something negated, a number,
a preposition, a word exchanged. Each change makes another fact, so nearly none may merge with its
original. `MNEMO_DATA` may name a folder of corpora (`*_zh/corpus.jsonl`, `*_en/corpus.jsonl`); else
the facts of this repository are taken.
"""

import json
import os
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mnemo.dream.judge import Ruling, judge_overlap, rank
from mnemo.dream.plan import DreamFact
from mnemo.text.reading import read
from mnemo.text.roles import Role
from mnemo.text.units import Unit

OWN = Path(__file__).parent.parent / "data" / "facts.jsonl"
PER_LANGUAGE = 150
LONGEST = 200  # code points; a fact is short
LEAST = 0.97

PREPOSITIONS = {
    "en": {
        "from": "to", "to": "from", "in": "under", "on": "behind", "before": "after",
        "after": "before", "over": "under", "without": "with", "with": "without", "for": "against",
    },
    "zh": {"从": "到", "到": "从", "之前": "之后", "之后": "之前", "给": "跟", "跟": "给"},
}  # fmt: skip
OTHER_WORDS = {"en": ("harbour", "walnut", "violin"), "zh": ("港口", "核桃", "提琴")}


def facts(language: str) -> list[str]:
    """Some facts of a language, the same ones each time."""
    folder = os.environ.get("MNEMO_DATA")
    files = sorted(Path(folder).glob(f"*_{language}/corpus.jsonl")) if folder else [OWN]
    texts: list[str] = []
    for file in files:
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                texts.append(str(row.get("content") or row.get("text") or ""))
    fitting = sorted({text for text in texts if 0 < len(text) <= LONGEST and fits(text, language)})
    random.Random(language).shuffle(fitting)
    # As it is read: a mutation needs to know where each word stands.
    return [read(text).folded for text in fitting[:PER_LANGUAGE]]


def fits(text: str, language: str) -> bool:
    return (re.search("[\u4e00-\u9fff]", text) is not None) == (language == "zh")


def said(fact: str) -> list[Unit]:
    """Its words, names and numbers in text order."""
    words = [u for u in read(fact).units if u.role in (Role.WORD, Role.NAME, Role.NUMBER)]
    units = sorted(words, key=lambda unit: unit.start)
    return [unit for unit in units if fact[unit.start : unit.end] == unit.text]


def swapped(fact: str, _: str, dice: random.Random) -> str | None:
    """Two words of different things in each other's place."""
    units = [unit for unit in said(fact) if unit.role is not Role.NUMBER]
    pairs = [(a, b) for a in units for b in units if a.end <= b.start and a.key != b.key]
    if not pairs:
        return None
    a, b = dice.choice(pairs)
    return fact[: a.start] + b.text + fact[a.end : b.start] + a.text + fact[b.end :]


def negated(fact: str, language: str, dice: random.Random) -> str | None:
    """A "not" before one of its words."""
    units = [unit for unit in said(fact) if unit.role is Role.WORD]
    if not units:
        return None
    at = dice.choice(units).start
    return f"{fact[:at]}{'不' if language == 'zh' else 'not '}{fact[at:]}"


def recounted(fact: str, _: str, dice: random.Random) -> str | None:
    """Another number for one of its numbers."""
    numbers = list(re.finditer(r"(?<![\w.])\d+(?![\w.])|(?<=[\u4e00-\u9fff])\d+", fact))
    if not numbers:
        return None
    number = dice.choice(numbers)
    other = str(int(number[0]) + dice.randint(1, 40))
    return fact[: number.start()] + other + fact[number.end() :]


def relocated(fact: str, language: str, dice: random.Random) -> str | None:
    """Another preposition for one of its prepositions."""
    words = PREPOSITIONS[language]
    edge = "" if language == "zh" else r"\b"
    found = list(re.finditer(f"{edge}(?:{'|'.join(words)}){edge}", fact))
    if not found:
        return None
    preposition = dice.choice(found)
    return fact[: preposition.start()] + words[preposition[0]] + fact[preposition.end() :]


def reworded(fact: str, language: str, dice: random.Random) -> str | None:
    """Another word for one of its words."""
    units = [unit for unit in said(fact) if unit.role is Role.WORD]
    if not units:
        return None
    word = dice.choice(units)
    return fact[: word.start] + dice.choice(OTHER_WORDS[language]) + fact[word.end :]


MUTATIONS: dict[str, Callable[[str, str, random.Random], str | None]] = {
    "swap": swapped,
    "negation": negated,
    "number": recounted,
    "preposition": relocated,
    "word": reworded,
}


def mutants(kind: str, language: str) -> Iterator[tuple[str, str]]:
    for fact in facts(language):
        changed = MUTATIONS[kind](fact, language, random.Random(f"{kind} {fact}"))
        if changed is not None and changed != fact:
            yield fact, changed


def may_merge(fact: str, changed: str) -> bool:
    survivor, other = sorted((DreamFact(1, fact), DreamFact(2, changed)), key=rank)
    return judge_overlap(survivor, other, 1.0).ruling is Ruling.MERGE


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("kind", MUTATIONS)
def test_a_fact_in_which_one_thing_is_changed_is_another_fact(kind: str, language: str) -> None:
    pairs = list(mutants(kind, language))
    merged = [pair for pair in pairs if may_merge(*pair)]
    print(f"{kind} {language}: {len(pairs)} changed, {len(merged)} would merge")
    assert pairs
    assert 1 - len(merged) / len(pairs) >= LEAST, merged
