"""What is nearly the same is named beside a new fact, and what only looks so, is named as that."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mnemo.memory import Memory
from mnemo.models import AddReply
from mnemo.settings import Settings
from mnemo.text.contrast import find_contrasts
from mnemo.text.tokens import tokenize_for_dedup
from mnemo.writing.add import NewFact
from mnemo.writing.neighbours import NEAR_DUPLICATE, text_similarity
from tests.store.scratch import NOW, Sql

Add = Callable[..., AddReply]

OPPOSITES = [
    ("周会在 9 点开始", "周会在 3 点开始"),
    ("缩进使用 2 个空格", "缩进使用 4 个空格"),
    ("测试环境的登录端口是 8080", "测试环境的登录端口是 8081"),
    ("Do commit directly to main", "Do not commit directly to main"),
    ("项目A 的数据库用 PostgreSQL", "项目B 的数据库用 PostgreSQL"),
    ("Never force push to main", "Always force push to main"),
    ("Use tabs for indentation", "Use spaces for indentation"),
    ("The server IP is 192.168.0.5", "The server IP is 192.168.0.6"),
    ("用户喜欢深色主题", "用户不喜欢深色主题"),
    ("Production deployment is allowed", "Production deployment is not allowed"),
    ("Project deadline is October 15th", "Project deadline is October 16th"),
    ("Runs on Python 3.11", "Runs on Python 3.12"),
    ("The budget is $500", "The budget is $5000"),
    ("I love Chinese food", "I hate Chinese food"),
    ("2026-05-01: latency 120 ms", "2026-05-02: latency 95 ms"),
]


def named(reply: AddReply) -> tuple[list[int], list[int]]:
    return (
        [similar.fact_id for similar in reply.similar_to],
        [similar.fact_id for similar in reply.conflicts_with],
    )


@pytest.mark.parametrize(("left", "right"), OPPOSITES)
def test_what_says_the_opposite_is_kept_and_never_named_as_similar(
    add: Add, sql: Sql, left: str, right: str
) -> None:
    add(left)
    reply = add(right)
    assert reply.status == "added"
    assert find_contrasts(left, right)
    alike = text_similarity(tokenize_for_dedup(left), tokenize_for_dedup(right)) >= NEAR_DUPLICATE
    assert named(reply) == ([], [1] if alike else [])
    assert sql("SELECT content, status FROM facts") == [(left, "active"), (right, "active")]


def test_enough_of_the_opposites_are_alike_for_that_to_mean_something() -> None:
    alike = [
        text_similarity(tokenize_for_dedup(left), tokenize_for_dedup(right)) >= NEAR_DUPLICATE
        for left, right in OPPOSITES
    ]
    assert sum(alike) >= 8


def test_a_conflict_says_what_is_against_what(add: Add) -> None:
    add("测试环境的登录端口是 8080")
    [conflict] = add("测试环境的登录端口是 8081").conflicts_with
    assert conflict.fact_id == 1
    assert conflict.similarity >= NEAR_DUPLICATE
    assert "8080" in conflict.contrast
    assert "8081" in conflict.contrast


def test_a_near_duplicate_is_named_with_its_similarity(add: Add) -> None:
    add("用户偏好使用深色主题的编辑器")
    reply = add("用户偏好使用深色主题的编辑器和终端")
    assert named(reply) == ([1], [])
    assert 0.7 <= reply.similar_to[0].similarity <= 1.0


def test_what_is_not_alike_is_not_named(add: Add) -> None:
    add("用户喜欢深色主题")
    assert named(add("数据库连接池大小为 20")) == ([], [])


def test_the_three_closest_are_named_the_closest_first(add: Add) -> None:
    for colour in ("", " quietly", " quietly and carefully", " quietly and slowly", " at night"):
        add(f"the nightly job copies all the tables of the archive{colour}")
    similar = add("the nightly job copies all the tables of the archive quietly now").similar_to
    assert len(similar) == 3
    assert [s.similarity for s in similar] == sorted((s.similarity for s in similar), reverse=True)


def test_only_the_same_category_is_looked_at(add: Add) -> None:
    add("用户偏好使用深色主题的编辑器", category="tool_pref")
    assert named(add("用户偏好使用深色主题的编辑器和终端")) == ([], [])


def test_retired_facts_are_not_named(memory: Memory, add: Add) -> None:
    add("用户偏好使用深色主题的编辑器")
    memory.remove(1)
    assert named(add("用户偏好使用深色主题的编辑器和终端")) == ([], [])


def test_sixty_trusted_facts_do_not_hide_a_near_duplicate_of_little_trust(
    memory: Memory, add: Add, sql: Sql
) -> None:
    add("用户偏好使用深色主题的编辑器")
    sql("UPDATE facts SET trust_score = 0.05")
    memory.add(*(NewFact(f"第 {n} 号服务器由第 {n} 组维护") for n in range(60)))
    sql("UPDATE facts SET trust_score = 0.95 WHERE fact_id > 1")
    assert named(add("用户偏好使用深色主题的编辑器和终端")) == ([1], [])
    assert add("用户偏好使用深色主题的编辑器！").status == "exists"


def test_the_same_words_in_another_order_are_compared_as_sets() -> None:
    assert text_similarity(["a", "b"], ["b", "a"]) == 1.0
    assert text_similarity([], []) == 0.0
    assert text_similarity(["a"], []) == 0.0


def test_containment_counts_only_among_texts_of_comparable_size() -> None:
    long = [str(n) for n in range(10)]
    assert text_similarity(long[:6], long) == 1.0
    assert text_similarity(long[:5], long) == 0.5


# -- what a person can set ----------------------------------------------------------------


def memory_that(tmp_path: Path, **preferences: object) -> Memory:
    settings = Settings(home=tmp_path, database=tmp_path / "facts.db")
    wanted = settings.preferences.model_copy(update=preferences)
    return Memory(replace(settings, preferences=wanted), clock=lambda: NOW)


def one(memory: Memory, content: str) -> AddReply:
    [reply] = memory.add(NewFact(content))
    assert isinstance(reply, AddReply)
    return reply


def test_with_merge_the_richer_text_stays_and_gains_trust(tmp_path: Path, sql: Sql) -> None:
    memory = memory_that(tmp_path, near_duplicate_action="merge")
    one(memory, "用户偏好使用深色主题的编辑器和终端")
    poorer = one(memory, "用户偏好使用深色主题的编辑器")
    assert (poorer.fact_id, poorer.status, poorer.reason) == (1, "exists", "similar")
    richer = one(memory, "用户偏好使用深色主题的编辑器和终端和浏览器")
    assert (richer.fact_id, richer.status) == (1, "updated")
    assert richer.reason == "similar_fact_merged"
    assert sql("SELECT content, round(trust_score, 2) FROM facts") == [
        ("用户偏好使用深色主题的编辑器和终端和浏览器", 0.6)
    ]
    assert sql("SELECT count(*) FROM audit_log WHERE action = 'WRITE-MERGE'") == [(2,)]
    memory.close()


def test_with_merge_opposites_are_still_two_facts(tmp_path: Path, sql: Sql) -> None:
    memory = memory_that(tmp_path, near_duplicate_action="merge")
    for left, right in OPPOSITES:
        one(memory, left)
        one(memory, right)
    assert sql("SELECT count(*) FROM facts") == [(2 * len(OPPOSITES),)]
    memory.close()


def test_with_skip_nothing_is_stored_and_the_other_is_named(tmp_path: Path, sql: Sql) -> None:
    memory = memory_that(tmp_path, near_duplicate_action="skip")
    one(memory, "用户偏好使用深色主题的编辑器")
    reply = one(memory, "用户偏好使用深色主题的编辑器和终端")
    assert (reply.fact_id, reply.status) == (1, "skipped")
    assert sql("SELECT content FROM facts") == [("用户偏好使用深色主题的编辑器",)]
    assert sql("SELECT action FROM audit_log ORDER BY id") == [("WRITE",), ("WRITE-SKIP",)]
    memory.close()


def test_a_threshold_of_nothing_turns_the_comparison_off(tmp_path: Path) -> None:
    memory = memory_that(tmp_path, near_duplicate_threshold=0.0)
    one(memory, "用户偏好使用深色主题的编辑器")
    assert named(one(memory, "用户偏好使用深色主题的编辑器和终端")) == ([], [])
    memory.close()
