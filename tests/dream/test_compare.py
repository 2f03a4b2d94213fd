"""What a comparison says, by the dream's own judgement."""

import pytest

from mnemo.dream.compare import CompareReply, compare_texts
from mnemo.dream.judge import Ruling, judge_facts
from mnemo.dream.plan import DreamFact
from mnemo.memory import Memory
from mnemo.models import AddReply
from mnemo.writing.add import NewFact
from mnemo.writing.update import Edit

SHORT, LONG = "The user prefers dark mode", "The user prefers dark mode at night"


def fact(fact_id: int, content: str, **given: object) -> DreamFact:
    return DreamFact(fact_id, content, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other", "ruling"),
    [
        (fact(1, SHORT), fact(2, LONG), Ruling.MERGE),
        (fact(1, SHORT, category="identity"), fact(2, LONG), Ruling.ELSEWHERE),
        (fact(1, SHORT), fact(2, "Logs are kept for a year"), Ruling.FEW_SHARED),
        (fact(1, SHORT), fact(2, "The user prefers light mode"), Ruling.CONTRAST),
        (fact(1, SHORT, pinned=True), fact(2, LONG, pinned=True), Ruling.PROTECTED),
        (fact(1, SHORT, retrieval_count=101), fact(2, LONG, pinned=True), Ruling.PROTECTED),
        (fact(1, SHORT, pinned=True), fact(2, f"{SHORT} in 3 tools"), Ruling.HELD),
    ],
)
def test_a_ruling_has_one_reason_and_no_direction(
    one: DreamFact, other: DreamFact, ruling: Ruling
) -> None:
    there, back = judge_facts(one, other), judge_facts(other, one)
    assert there.ruling is back.ruling is ruling
    assert there.similarity == back.similarity


def said(reply: CompareReply) -> tuple[str, str]:
    return reply.verdict, reply.why


def test_the_reason_names_the_one_that_stays() -> None:
    verdict, why = said(compare_texts(LONG, SHORT))
    assert verdict == "merge"
    assert why.endswith("the first stays as it is, the second would be merged into it")


def test_the_sides_of_a_contrast_are_those_of_the_texts() -> None:
    for one, other in ((SHORT, "The user prefers light mode"), ("a > 5 ms", "a < 5 ms")):
        [here], [there] = compare_texts(one, other).contrasts, compare_texts(other, one).contrasts
        assert (here.left, here.right) == (there.right, there.left)


def test_a_comparison_and_a_dream_see_a_locked_category_alike(memory: Memory) -> None:
    rule = "编码规范：函数要短小而清楚，变量用小写"
    [one, other] = memory.add(
        NewFact(rule, category="general"), NewFact(f"{rule}和下划线", category="coding_style")
    )
    assert isinstance(one, AddReply)
    assert isinstance(other, AddReply)
    assert memory.compare(one.fact_id, other.fact_id).verdict == "merge"
    memory.update(one.fact_id, Edit(category="identity"))
    assert memory.dream(dry_run=True).merge_pairs == ()
    assert memory.compare(one.fact_id, other.fact_id).verdict == "keep"
