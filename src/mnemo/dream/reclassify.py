"""Which facts lie in the wrong category, told by the words that stand in them.

A table gives each category strong words, one of which is evidence, and weak ones, of which it takes
two. Knows words only. What must hold: a fact that was moved has a word of its new category, and a
fact with a word of its own category stays, so that nothing ever moves back.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from mnemo.dream.plan import DreamFact, Move, Reclassification, SkippedMove, StayReason
from mnemo.enums import Category
from mnemo.text.normal import fold

_STRONG_WEIGHT: Final = 2
_WEAK_WEIGHT: Final = 1
_ENOUGH: Final = 2
"""Score that moves a fact: one strong word or two different weak ones."""


def _default_strong() -> Mapping[str, tuple[str, ...]]:
    return {
        Category.IDENTITY: ("角色设定",),
        Category.CODING_STYLE: ("编码规范", "代码风格", "pytest"),
        Category.TOOL_PREF: ("VS Code", "编辑器"),
        Category.WORKFLOW: ("工作流", "OpenSpec"),
    }


def _default_weak() -> Mapping[str, tuple[str, ...]]:
    return {Category.IDENTITY: ("身份", "暖暖"), Category.TOOL_PREF: ("偏好",)}


@dataclass(frozen=True, slots=True)
class CategoryRules:
    """The words of each category. `compounds` hold a word without meaning it: 身份 in 身份验证."""

    strong: Mapping[str, tuple[str, ...]] = field(default_factory=_default_strong)
    weak: Mapping[str, tuple[str, ...]] = field(default_factory=_default_weak)
    compounds: tuple[str, ...] = (
        "身份验证",
        "身份认证",
        "身份证",
        "身份校验",
        "身份识别",
        "身份鉴别",
        "身份管理",
        "身份标识",
        "身份令牌",
        "暖暖的",
        "暖暖和和",
    )


DEFAULT_RULES: Final = CategoryRules()


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What speaks for one category: a score and the word that says most."""

    score: int
    keyword: str


def reclassify_facts(
    facts: Sequence[DreamFact], rules: CategoryRules = DEFAULT_RULES
) -> Reclassification:
    """The moves that the words of `facts` ask for, and what was seen and not moved, by id.

    A fact moves where another category has one strong or two different weak words in it and more
    evidence than every other, where its own category has none, and where it is not locked. Out of
    the general category one weak word is enough if no other category has any.
    """
    moves: list[Move] = []
    skipped: list[SkippedMove] = []
    for fact in sorted(facts, key=lambda fact: fact.fact_id):
        found = _evidence(fact.content, rules)
        others = [category for category in found if category != fact.category]
        if not others:
            continue
        target = max(others, key=lambda category: (found[category].score, category))
        keyword = found[target].keyword
        reason = _reason_to_stay(fact, found, target)
        if reason is None:
            moves.append(Move(fact.fact_id, fact.category, target, keyword))
        else:
            skipped.append(SkippedMove(fact.fact_id, fact.category, target, keyword, reason))
    return Reclassification(tuple(moves), tuple(skipped))


def _reason_to_stay(
    fact: DreamFact, found: Mapping[str, _Evidence], target: str
) -> StayReason | None:
    if fact.category_locked:
        return StayReason.LOCKED
    if fact.category in found:
        return StayReason.OWN_EVIDENCE
    best = found[target].score
    if sum(evidence.score == best for evidence in found.values()) > 1:
        return StayReason.UNDECIDED
    if best >= _ENOUGH or (fact.category == Category.GENERAL and len(found) == 1):
        return None
    return StayReason.WEAK_EVIDENCE


def _evidence(content: str, rules: CategoryRules) -> dict[str, _Evidence]:
    """Category → what speaks for it, for the categories that have a word in `content`."""
    text = fold(content)
    for compound in rules.compounds:
        text = text.replace(fold(compound), "\n")
    found: dict[str, _Evidence] = {}
    for table, weight in ((rules.strong, _STRONG_WEIGHT), (rules.weak, _WEAK_WEIGHT)):
        for category, words in table.items():
            hits = [word for word in words if _pattern(word).search(text)]
            if hits:
                before = found.get(category)
                score = weight * len(hits) + (before.score if before else 0)
                found[str(category)] = _Evidence(score, before.keyword if before else hits[0])
    return found


@lru_cache(maxsize=256)
def _pattern(word: str) -> re.Pattern[str]:
    """A word in folded text: a Latin one between word borders, its spaces optional."""
    folded = fold(word)
    pattern = r"\s?".join(map(re.escape, folded.split()))
    before = r"(?<![a-z0-9_])" if folded[:1].isascii() else ""
    after = r"(?![a-z0-9_])" if folded[-1:].isascii() else ""
    return re.compile(before + pattern + after)
