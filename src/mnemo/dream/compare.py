"""Two texts or two facts side by side: what they share, what contrasts, what a dream would do.

Tells what the dream's own judgement says of two and changes nothing. Facts are judged as a dream
would meet them: after it has moved them to the category that they speak of. Two texts are judged as
two new facts of one category. Knows nothing of the other facts, one of which may be closer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, assert_never

from mnemo.dream.judge import MERGE_THRESHOLD, Judgement, Ruling, judge_facts, rank
from mnemo.dream.plan import DreamFact
from mnemo.dream.reclassify import reclassify_facts
from mnemo.models import Frozen, Reply
from mnemo.text.tokens import tokenize_for_dedup

_SHOWN: Final = 4
"""Contrasts that the reason names."""


class ShownContrast(Frozen):
    """What tells the two apart: the words on either side, empty where there are none."""

    kind: str
    left: str
    right: str


class CompareReply(Reply):
    """What a dream would make of two texts. ``jaccard`` is 0 … 1; ``tokens`` and sides in the order
    in which the two were given.
    """

    jaccard: float
    tokens: tuple[tuple[str, ...], tuple[str, ...]]
    contrasts: tuple[ShownContrast, ...]
    verdict: str
    why: str
    held: tuple[str, ...] = ()


def compare_texts(one: str, other: str) -> CompareReply:
    """Two texts, judged as two new facts of one category."""
    left, right = DreamFact(1, one), DreamFact(2, other)
    return _reply(left, right, judge_facts(left, right), names=("the first", "the second"))


def compare_facts(
    one: DreamFact, other: DreamFact, *, asleep: Mapping[int, str] = MappingProxyType({})
) -> CompareReply:
    """Two stored facts. ``asleep`` has the status of those that are not active: they are kept,
    since a dream does not look at them.
    """
    left, right = _moved([one, other])
    judgement = judge_facts(left, right)
    names = (f"fact {one.fact_id}", f"fact {other.fact_id}")
    reply = _reply(left, right, judgement, names=names)
    if not asleep:
        return reply
    said = " and ".join(f"fact {fact_id} is {status}" for fact_id, status in asleep.items())
    why = f"{said}: a dream looks at active facts only"
    return reply.model_copy(update={"verdict": "keep", "why": why})


def _moved(facts: Sequence[DreamFact]) -> list[DreamFact]:
    targets = {move.fact_id: move.target for move in reclassify_facts(facts).moves}
    return [replace(fact, category=targets.get(fact.fact_id, fact.category)) for fact in facts]


def _reply(
    left: DreamFact, right: DreamFact, judgement: Judgement, *, names: tuple[str, str]
) -> CompareReply:
    return CompareReply(
        jaccard=round(judgement.similarity, 3),
        tokens=(tokenize_for_dedup(left.content), tokenize_for_dedup(right.content)),
        contrasts=tuple(
            ShownContrast(kind=c.kind, left=c.left, right=c.right) for c in judgement.contrasts
        ),
        verdict="merge" if judgement.ruling is Ruling.MERGE else "keep",
        why=_why(left, right, judgement, names),
        held=judgement.held,
    )


def _why(left: DreamFact, right: DreamFact, judgement: Judgement, names: tuple[str, str]) -> str:
    """The ruling as one sentence for a person."""
    kept, retiring = names if rank(left) < rank(right) else names[::-1]
    match judgement.ruling:
        case Ruling.MERGE:
            return (
                f"they overlap and nothing contrasts: {kept} stays as it is, "
                f"{retiring} would be merged into it"
            )
        case Ruling.CONTRAST:
            return f"they say different things: {_in_words(judgement)}"
        case Ruling.FEW_SHARED:
            also = f", and they contrast: {_in_words(judgement)}" if judgement.contrasts else ""
            share = f"{judgement.similarity:.3f}"
            return f"they share {share} of their words, which must be above {MERGE_THRESHOLD}{also}"
        case Ruling.ELSEWHERE:
            return (
                f"they are in two categories, {left.category} and {right.category}; "
                "a dream merges within one"
            )
        case Ruling.PROTECTED:
            return f"{retiring} would go, but is pinned or was recalled more than a hundred times"
        case Ruling.HELD:
            return f"only one of them says: {', '.join(judgement.held)}"
        case _:
            assert_never(judgement.ruling)


def _in_words(judgement: Judgement) -> str:
    pairs = (f"{c.left or '–'} / {c.right or '–'}" for c in judgement.contrasts[:_SHOWN])
    return "; ".join(pairs)
