"""What a dream would do with a set of facts: move, merge, summarise. A plan, nothing done.

Knows facts as values; how two are judged is `judge.py`'s. The survivor's text never changes, so
every fact is compared with texts as they were stored and no chain can grow. What must hold: no
pinned or much recalled fact retires; a survivor never retires in the same plan; the order in which
facts are handed in changes nothing; a plan for what is left after a plan was applied is empty.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import heappush, heappushpop
from typing import Final

from mnemo.dream.judge import MERGE_THRESHOLD, Ruling, judge_overlap, rank
from mnemo.dream.overlap import overlapping
from mnemo.dream.plan import (
    Compression,
    Compressions,
    DreamFact,
    Merge,
    Overlaps,
    Plan,
    SkippedConflict,
    SkippedMerge,
    SkippedTooLong,
)
from mnemo.dream.reclassify import DEFAULT_RULES, CategoryRules, reclassify_facts
from mnemo.text.contrast import Contrast, find_contrasts
from mnemo.text.secrets import unless_secret
from mnemo.text.sentences import summarise

__all__ = [
    "DEFAULT_RULES",
    "CategoryRules",
    "compress_long_facts",
    "consolidate",
    "merge_overlapping_facts",
    "reclassify_facts",
]

LONG_CONTENT: Final = 200
"""Code points above which a fact without a summary gets one."""
LISTED_CONFLICTS: Final = 1000
"""Conflicts that a plan lists; one template filled 10 000 times would have fifty million."""


def consolidate(facts: Sequence[DreamFact], rules: CategoryRules = DEFAULT_RULES) -> Plan:
    """The whole plan: moves first, merges within the new categories, summaries for what remains."""
    moved = reclassify_facts(facts, rules)
    targets = {move.fact_id: move.target for move in moved.moves}
    facts = [
        replace(fact, category=targets[fact.fact_id]) if fact.fact_id in targets else fact
        for fact in facts
    ]
    overlaps = merge_overlapping_facts(facts)
    retired = {merge.removed for merge in overlaps.merges}
    short = compress_long_facts([fact for fact in facts if fact.fact_id not in retired])
    return Plan(
        moves=moved.moves,
        merges=overlaps.merges,
        compressions=short.compressions,
        skipped_moves=moved.skipped,
        skipped_conflicts=overlaps.skipped_conflicts,
        skipped_merges=overlaps.skipped_merges,
        skipped_too_long=short.skipped_too_long,
        unlisted_conflicts=overlaps.unlisted_conflicts,
    )


def is_long(fact: DreamFact) -> bool:
    """Whether a fact is long and has no summary."""
    return len(fact.content) > LONG_CONTENT and not (fact.summary or "").strip()


def compress_long_facts(facts: Sequence[DreamFact]) -> Compressions:
    """A summary of whole sentences for each long fact without one, by id.

    A fact of which no sentence is short enough is listed as skipped.
    """
    compressions: list[Compression] = []
    skipped: list[SkippedTooLong] = []
    for fact in sorted(facts, key=lambda fact: fact.fact_id):
        if not is_long(fact):
            continue
        summary = summarise(fact.content)
        if summary is None:
            skipped.append(SkippedTooLong(fact.fact_id, len(fact.content)))
        else:
            compressions.append(Compression(fact.fact_id, summary))
    return Compressions(tuple(compressions), tuple(skipped))


def merge_overlapping_facts(
    facts: Sequence[DreamFact], *, threshold: float = MERGE_THRESHOLD
) -> Overlaps:
    """Which facts retire into which, and the overlapping pairs that stay apart.

    Facts are compared within their category. The survivor is the pinned one, else the one recalled
    more than 100 times, else the longer, the more trusted, the older. Of two that are pinned or so
    often recalled neither retires. Conflicts come newest first; a pair is listed only where both of
    its facts stay.
    """
    merges: list[Merge] = []
    held: list[SkippedMerge] = []
    conflicts = _Newest()
    by_category: defaultdict[str, list[DreamFact]] = defaultdict(list)
    for fact in sorted(facts, key=rank):
        by_category[fact.category].append(fact)
    for category in sorted(by_category):
        ranked = by_category[category]
        contents = [fact.content for fact in ranked]
        retired: set[int] = set()
        for kept, other, similarity, apart in overlapping(contents, threshold, retired):
            survivor, fact = ranked[kept], ranked[other]
            if apart:
                conflicts.add(survivor, fact, similarity)
                continue
            judgement = judge_overlap(survivor, fact, similarity)
            if judgement.ruling is Ruling.CONTRAST:
                conflicts.add(survivor, fact, similarity)
            elif judgement.ruling is Ruling.HELD:
                words = tuple(unless_secret(word, fact.content) for word in judgement.held)
                held.append(SkippedMerge(survivor.fact_id, fact.fact_id, similarity, words))
            elif judgement.ruling is Ruling.MERGE:
                retired.add(other)
                merges.append(Merge(survivor.fact_id, fact.fact_id, similarity))
    gone = {merge.removed for merge in merges}
    listed = conflicts.listed(gone)
    return Overlaps(
        merges=tuple(merges),
        skipped_conflicts=listed,
        skipped_merges=tuple(skip for skip in held if skip.removed not in gone),
        unlisted_conflicts=conflicts.unlisted,
    )


class _Newest:
    """The newest conflicts that were added, in bounded memory."""

    def __init__(self) -> None:
        self._heap: list[tuple[tuple[str, int, str, int], _Conflict]] = []
        self.unlisted = 0

    def add(self, one: DreamFact, other: DreamFact, similarity: float) -> None:
        newer, older = sorted((one, other), key=_age, reverse=True)
        entry = ((*_age(newer), *_age(older)), _Conflict(newer, older, similarity))
        if len(self._heap) < LISTED_CONFLICTS:
            heappush(self._heap, entry)
        else:
            heappushpop(self._heap, entry)
            self.unlisted += 1

    def listed(self, gone: set[int]) -> tuple[SkippedConflict, ...]:
        """The conflicts between facts that stay, newest first."""
        return tuple(
            SkippedConflict(
                pair.newer.fact_id,
                pair.older.fact_id,
                pair.similarity,
                _shown(pair),
            )
            for _, pair in sorted(self._heap, key=lambda entry: entry[0], reverse=True)
            if pair.newer.fact_id not in gone and pair.older.fact_id not in gone
        )


@dataclass(frozen=True, slots=True)
class _Conflict:
    newer: DreamFact
    older: DreamFact
    similarity: float


def _shown(pair: _Conflict) -> tuple[Contrast, ...]:
    """What contrasts, as a report may say it: two passwords contrast as well."""
    newer, older = pair.newer.content, pair.older.content
    return tuple(
        Contrast(c.kind, unless_secret(c.left, newer), unless_secret(c.right, older))
        for c in find_contrasts(newer, older)
    )


def _age(fact: DreamFact) -> tuple[str, int]:
    return fact.created_at, fact.fact_id
