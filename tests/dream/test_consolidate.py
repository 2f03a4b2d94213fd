"""What a dream proposes: moves, merges, summaries, and what it leaves alone."""

import random
from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemo.dream.consolidate import (
    compress_long_facts,
    consolidate,
    merge_overlapping_facts,
    reclassify_facts,
)
from mnemo.dream.judge import MERGE_THRESHOLD
from mnemo.dream.plan import Compression, DreamFact, Merge, Move, Plan, StayReason
from mnemo.text.contrast import find_contrasts, held_alone, words_alone
from mnemo.text.tokens import jaccard_similarity, tokenize_for_dedup
from tests.text.details import details

SHORT = "用户偏好使用深色主题和大字号"
LONG = "用户偏好使用深色主题和大字号，晚上也一样"


def _merges(*facts: DreamFact) -> list[tuple[int, int]]:
    return [(merge.kept, merge.removed) for merge in merge_overlapping_facts(facts).merges]


# ------------------------------------------------------------------------------- moves


@pytest.mark.parametrize(
    ("origin", "content", "target", "keyword"),
    [
        ("identity", "遵守编码规范，函数不超过五十行", "coding_style", "编码规范"),
        ("general", "单元测试用 pytest", "coding_style", "pytest"),
        ("tool_pref", "发布按 OpenSpec 的工作流来", "workflow", "工作流"),
        ("general", "用 vscode 写文档", "tool_pref", "VS Code"),
        ("workflow", "你的身份是暖暖，一个助手", "identity", "身份"),
        ("general", "用户偏好深色主题", "tool_pref", "偏好"),
        ("general", "用户偏好 pytest", "coding_style", "pytest"),
    ],
)
def test_a_fact_moves_where_its_words_say(
    origin: str, content: str, target: str, keyword: str
) -> None:
    found = reclassify_facts([DreamFact(1, content, category=origin)])
    assert found.moves == (Move(1, origin, target, keyword),)


@pytest.mark.parametrize(
    ("origin", "content"),
    [
        ("general", "使用 JWT 做身份验证接口"),
        ("general", "身份证号格式要校验"),
        ("general", "冬天喜欢暖暖的阳光"),
        ("general", "IDEA 是 JetBrains 出品"),
        ("general", "mypytester runs fine"),
        ("general", "nothing of the kind"),
    ],
)
def test_a_word_inside_another_word_is_not_seen(origin: str, content: str) -> None:
    found = reclassify_facts([DreamFact(1, content, category=origin)])
    assert (found.moves, found.skipped) == ((), ())


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        (DreamFact(1, "编码规范", category="identity", category_locked=True), StayReason.LOCKED),
        (DreamFact(1, "身份与编码规范", category="identity"), StayReason.OWN_EVIDENCE),
        (DreamFact(1, "用户偏好大字号", category="workflow"), StayReason.WEAK_EVIDENCE),
        (DreamFact(1, "编辑器里跑 pytest", category="general"), StayReason.UNDECIDED),
        (DreamFact(1, "用户偏好的身份", category="general"), StayReason.UNDECIDED),
    ],
)
def test_what_was_seen_and_not_moved_is_listed_with_the_reason(
    fact: DreamFact, reason: StayReason
) -> None:
    found = reclassify_facts([fact])
    assert found.moves == ()
    assert [skipped.reason for skipped in found.skipped] == [reason]


# ------------------------------------------------------------------------------ merges


def test_the_shorter_of_two_overlapping_facts_retires() -> None:
    overlaps = merge_overlapping_facts([DreamFact(1, SHORT), DreamFact(2, LONG)])
    similarity = jaccard_similarity(tokenize_for_dedup(SHORT), tokenize_for_dedup(LONG))
    assert overlaps.merges == (Merge(kept=2, removed=1, similarity=similarity),)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        (SHORT, LONG),
        ("Prefers pytest for unit tests", "Prefers pytest for unit tests in every project"),
        ("每天早上先看邮件再看待办清单", "每天早上先看邮件，再看待办清单，然后写代码"),
    ],
)
def test_a_fact_retires_into_its_longer_form(short: str, long: str) -> None:
    assert _merges(DreamFact(1, short), DreamFact(2, long)) == [(2, 1)]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("周会在 9 点开始", "周会在 3 点开始"),
        ("缩进使用 2 个空格", "缩进使用 4 个空格"),
        ("生产服务器的登录端口是 8080", "生产服务器的登录端口是 8081"),
        ("Do commit directly to main", "Do not commit directly to main"),
        ("项目A 的数据库用 PostgreSQL", "项目B 的数据库用 PostgreSQL"),
        ("Never force push to main", "Always force push to main"),
        ("Use tabs for indentation in code", "Use spaces for indentation in code"),
    ],
)
def test_overlapping_facts_that_say_opposite_things_are_listed(a: str, b: str) -> None:
    overlaps = merge_overlapping_facts([DreamFact(1, a), DreamFact(2, b)])
    assert overlaps.merges == ()
    assert [(skip.a, skip.b) for skip in overlaps.skipped_conflicts] == [(2, 1)]


def test_facts_of_two_categories_never_merge() -> None:
    assert _merges(DreamFact(1, SHORT, category="tool_pref"), DreamFact(2, LONG)) == []


def test_an_overlap_of_exactly_the_threshold_is_not_enough() -> None:
    three, five = "alpha beta gamma", "alpha beta gamma delta epsilon"
    assert jaccard_similarity(tokenize_for_dedup(three), tokenize_for_dedup(five)) == 0.6
    assert _merges(DreamFact(1, three), DreamFact(2, five)) == []


def test_of_two_facts_of_one_length_the_more_trusted_stays_then_the_older() -> None:
    assert _merges(DreamFact(1, "A red box"), DreamFact(2, "a red box", trust=0.6)) == [(2, 1)]
    assert _merges(DreamFact(2, "A red box"), DreamFact(1, "a red box")) == [(1, 2)]


def test_a_fact_recalled_more_than_a_hundred_times_stays_though_it_is_shorter() -> None:
    assert _merges(DreamFact(1, SHORT, retrieval_count=101), DreamFact(2, LONG)) == [(1, 2)]
    assert _merges(DreamFact(1, SHORT, retrieval_count=100), DreamFact(2, LONG)) == [(2, 1)]


def test_a_pinned_fact_stays_though_it_is_shorter() -> None:
    assert _merges(DreamFact(1, SHORT, pinned=True), DreamFact(2, LONG)) == [(1, 2)]


@pytest.mark.parametrize("one", [{"pinned": True}, {"retrieval_count": 101}])
@pytest.mark.parametrize("other", [{"pinned": True}, {"retrieval_count": 500}])
def test_of_two_protected_facts_neither_retires(
    one: dict[str, bool | int], other: dict[str, bool | int]
) -> None:
    protected = replace(DreamFact(1, SHORT), **one), replace(DreamFact(2, LONG), **other)
    assert _merges(*protected) == []


def test_a_survivor_of_one_merge_is_not_retired_in_the_same_plan() -> None:
    texts = ["a b c d", "a b c d e", "a b c d e f", "a b c d e f g", "a b c d e f g h"]
    words = ["alpha", "bravo", "camel", "delta", "ember", "fjord", "grove", "hazel"]
    facts = [
        DreamFact(i, " ".join(words["abcdefgh".index(letter)] for letter in text.split()))
        for i, text in enumerate(texts)
    ]
    merges = _merges(*facts)
    kept, removed = {k for k, _ in merges}, [r for _, r in merges]
    assert merges
    assert kept.isdisjoint(removed)
    assert len(removed) == len(set(removed))


def test_facts_that_contrast_stay_apart_and_are_listed_newest_first() -> None:
    facts = [
        DreamFact(1, "生产服务器的登录端口是 8080", created_at="2026-01-01 00:00:00"),
        DreamFact(2, "生产服务器的登录端口是 8081", created_at="2026-01-03 00:00:00"),
        DreamFact(3, "Do commit directly to main", created_at="2026-01-02 00:00:00"),
        DreamFact(4, "Do not commit directly to main", created_at="2026-01-04 00:00:00"),
    ]
    overlaps = merge_overlapping_facts(facts)
    assert overlaps.merges == ()
    assert [(skip.a, skip.b) for skip in overlaps.skipped_conflicts] == [(4, 3), (2, 1)]
    assert overlaps.skipped_conflicts[0].contrasts == find_contrasts(
        facts[3].content, facts[2].content
    )


def test_a_pair_with_a_retired_fact_is_no_conflict_any_more() -> None:
    facts = [
        DreamFact(1, "The red server listens on port 8080"),
        DreamFact(2, "The red server listens on port 8080 today"),
        DreamFact(3, "The red server listens on port 8081"),
    ]
    overlaps = merge_overlapping_facts(facts)
    assert [(merge.kept, merge.removed) for merge in overlaps.merges] == [(2, 1)]
    assert [(skip.a, skip.b) for skip in overlaps.skipped_conflicts] == [(3, 2)]


def test_a_fact_that_alone_holds_a_number_is_not_retired_for_a_pinned_one() -> None:
    short = DreamFact(1, "The build server listens on the usual port", pinned=True)
    long = DreamFact(2, "The build server listens on the usual port 8443")
    overlaps = merge_overlapping_facts([short, long])
    assert overlaps.merges == ()
    assert [skip.held for skip in overlaps.skipped_merges] == [("8443",)]


def test_the_order_in_which_facts_come_changes_nothing() -> None:
    facts = _synthetic(200, seed=3)
    shuffled = facts[:]
    random.Random(1).shuffle(shuffled)
    assert consolidate(shuffled) == consolidate(facts)


# --------------------------------------------------------------------------- summaries


def test_a_long_fact_without_a_summary_gets_whole_sentences() -> None:
    content = "先写测试。再写代码。" + "然后继续下去" * 40
    fact = DreamFact(1, content, summary=" ")
    assert compress_long_facts([fact]).compressions == (Compression(1, "先写测试。再写代码。"),)


def test_a_short_fact_and_one_with_a_summary_are_left_alone() -> None:
    facts = [DreamFact(1, "短句。" + "字" * 197), DreamFact(2, "短句。" + "字" * 300, summary="有")]
    assert compress_long_facts(facts).compressions == ()


def test_a_long_fact_without_a_short_sentence_is_listed() -> None:
    skipped = compress_long_facts([DreamFact(7, "字" * 201)]).skipped_too_long
    assert [(skip.fact_id, skip.length) for skip in skipped] == [(7, 201)]


# -------------------------------------------------------------------------- whole plan


def test_facts_merge_within_the_categories_they_are_moved_to() -> None:
    short = "遵守编码规范，函数不超过五十行，变量名用小写"
    plan = consolidate(
        [
            DreamFact(1, short, category="identity"),
            DreamFact(2, short + "，注释用英文", category="coding_style"),
        ]
    )
    assert [move.fact_id for move in plan.moves] == [1]
    assert [(merge.kept, merge.removed) for merge in plan.merges] == [(2, 1)]


def test_a_fact_that_retires_gets_no_summary() -> None:
    base = "先写测试。再写代码。" + "".join(f"然后做第{i}件事，" for i in range(40))
    plan = consolidate([DreamFact(1, base), DreamFact(2, base + "完毕。")])
    assert [merge.removed for merge in plan.merges] == [1]
    assert [compression.fact_id for compression in plan.compressions] == [2]


def test_no_facts_no_plan() -> None:
    assert consolidate([]) == Plan()
    assert Plan().is_empty


# -------------------------------------------------------------------------------- laws

_SUBJECTS = ["The staging server", "The parser", "User", "Ana", "项目A", "用户", "测试环境"]
_VERBS = ["uses", "prefers", "does not use", "writes", "负责", "喜欢", "不喜欢", "部署在"]
_OBJECTS = ["port 8080", "port 8081", "dark mode", "YAML files", "深色主题", "上海机房", "v1.2.3"]
_TAILS = ["", " every morning", " in the small room", "，晚上也一样", " on Fridays", " with care"]


def _synthetic(count: int, *, seed: int) -> list[DreamFact]:
    chance = random.Random(seed)
    return [
        DreamFact(
            i,
            " ".join(
                [
                    chance.choice(_SUBJECTS),
                    chance.choice(_VERBS),
                    chance.choice(_OBJECTS),
                    *(chance.choice(_OBJECTS) for _ in range(chance.randint(0, 2))),
                ]
            )
            + chance.choice(_TAILS),
            category=chance.choice(["general", "workflow"]),
            trust=chance.choice([0.4, 0.5, 0.6]),
            retrieval_count=chance.choice([0, 0, 0, 0, 101]),
            pinned=chance.random() < 0.05,
            created_at=f"2026-01-{chance.randint(1, 28):02d} 00:00:00",
        )
        for i in range(count)
    ]


def _apply(facts: Sequence[DreamFact], plan: Plan) -> list[DreamFact]:
    """The facts after the plan: as a store would leave them, survivors' counters grown."""
    by_id = {fact.fact_id: fact for fact in facts}
    for move in plan.moves:
        by_id[move.fact_id] = replace(by_id[move.fact_id], category=move.target)
    for merge in plan.merges:
        kept, gone = by_id[merge.kept], by_id.pop(merge.removed)
        by_id[merge.kept] = replace(
            kept,
            trust=max(kept.trust, gone.trust),
            retrieval_count=kept.retrieval_count + gone.retrieval_count,
            created_at=min(kept.created_at, gone.created_at),
        )
    for compression in plan.compressions:
        kept = by_id[compression.fact_id]
        by_id[compression.fact_id] = replace(kept, summary=compression.summary)
    return list(by_id.values())


def _brute_force(facts: Sequence[DreamFact]) -> list[Merge]:
    """The same rule, every fact against every other."""
    ranked = sorted(
        facts,
        key=lambda f: (
            not f.pinned,
            f.retrieval_count <= 100,
            -len(f.content),
            -f.trust,
            f.fact_id,
        ),
    )
    tokens = {fact.fact_id: frozenset(tokenize_for_dedup(fact.content)) for fact in facts}
    merges: list[Merge] = []
    for category in sorted({fact.category for fact in facts}):
        retired: set[int] = set()
        mine = [fact for fact in ranked if fact.category == category]
        for place, kept in enumerate(mine):
            if kept.fact_id in retired:
                continue
            for other in mine[place + 1 :]:
                if other.fact_id in retired or other.pinned or other.retrieval_count > 100:
                    continue
                similarity = jaccard_similarity(tokens[kept.fact_id], tokens[other.fact_id])
                if similarity <= MERGE_THRESHOLD or find_contrasts(kept.content, other.content):
                    continue
                short, long = sorted((kept.content, other.content), key=len)
                if held_alone(other.content, beside=kept.content):
                    continue
                if held_alone(short, beside=long) or words_alone(short, beside=long):
                    continue
                if len(short) == len(long) and (
                    held_alone(long, beside=short) or words_alone(long, beside=short)
                ):
                    continue
                retired.add(other.fact_id)
                merges.append(Merge(kept.fact_id, other.fact_id, similarity))
    return merges


def test_the_plan_for_two_thousand_facts_is_that_of_comparing_all_with_all() -> None:
    facts = _synthetic(2000, seed=11)
    merges = merge_overlapping_facts(facts).merges
    assert len(merges) > 100
    assert list(merges) == _brute_force(facts)


def test_in_a_crowd_the_same_pairs_merge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemo.dream.overlap._CROWD", 10)
    monkeypatch.setattr("mnemo.dream.overlap._MANY", 0)
    facts = _synthetic(600, seed=5) + [
        DreamFact(
            1000 + i, f"项目{'甲乙丙丁戊己庚'[i % 7]}{i % 5}的负责人是{'张李王赵'[i % 4]}工{tail}"
        )
        for i in range(140)
        for tail in ["", "，每周三汇报"][: 1 + i // 70]
    ]
    facts = list({fact.fact_id: fact for fact in facts}.values())
    merges = merge_overlapping_facts(facts).merges
    assert len(merges) > 30
    assert list(merges) == _brute_force(facts)


TEXTS = st.builds(
    lambda subject, verb, objects, tail: f"{subject} {verb} {' '.join(objects)}{tail}",
    st.sampled_from(_SUBJECTS),
    st.sampled_from(_VERBS),
    st.lists(st.sampled_from(_OBJECTS), min_size=1, max_size=3),
    st.sampled_from(_TAILS),
)
FACTS = st.lists(
    st.builds(
        DreamFact,
        fact_id=st.integers(1, 10_000),
        content=TEXTS,
        category=st.sampled_from(["general", "identity", "tool_pref"]),
        trust=st.sampled_from([0.4, 0.5, 0.9]),
        retrieval_count=st.sampled_from([0, 60, 101]),
        pinned=st.booleans(),
    ),
    max_size=12,
    unique_by=lambda fact: fact.fact_id,
)


@given(FACTS)
@settings(max_examples=150, deadline=None)
def test_a_second_dream_finds_nothing(facts: list[DreamFact]) -> None:
    once = _apply(facts, consolidate(facts))
    assert consolidate(once).is_empty


@given(FACTS)
@settings(max_examples=150, deadline=None)
def test_no_number_or_name_of_the_active_facts_is_lost(facts: list[DreamFact]) -> None:
    def held(some: Sequence[DreamFact]) -> set[str]:
        return {detail for fact in some for detail in details(fact.content)}

    after = _apply(facts, consolidate(facts))
    assert held(after) == held(facts)
    texts = {fact.content for fact in facts}
    assert all(fact.content in texts for fact in after)


@given(FACTS)
@settings(max_examples=100, deadline=None)
def test_no_protected_fact_retires(facts: list[DreamFact]) -> None:
    by_id = {fact.fact_id: fact for fact in facts}
    for merge in consolidate(facts).merges:
        assert not by_id[merge.removed].pinned
        assert by_id[merge.removed].retrieval_count <= 100


@pytest.mark.slow
def test_one_template_filled_many_times_takes_no_square_of_time() -> None:
    def seconds(count: int) -> float:
        facts = [DreamFact(i, f"The settings page of project {i} is blue") for i in range(count)]
        began = perf_counter()
        assert merge_overlapping_facts(facts).merges == ()
        return perf_counter() - began

    seconds(100)
    assert seconds(8000) < 40 * seconds(800)
