"""Whose word a statement is: what is told from its text, and what is left a fact."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.enums import MemoryClass, Track
from mnemo.errors import InvalidInput
from mnemo.memory import Memory
from mnemo.models import AddReply, Fact
from mnemo.writing.add import NewFact
from mnemo.writing.classes import infer_class
from mnemo.writing.update import Edit
from tests.store.scratch import Sql

Add = Callable[..., AddReply]
Get = Callable[[int], Fact]


def classed(memory_class: MemoryClass, *texts: str) -> list[object]:
    return [pytest.param(text, memory_class, id=text) for text in texts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *classed(
            MemoryClass.USER_DECISION,
            "用户决定用 PostgreSQL",
            "用户最终拍板用方案 B",
            "用户决定不再支持 IE",
            "使用者決定改用深色主題",
            "我决定下个月搬到上海",
            "我们决定每周五发布",
            "User decided to use pnpm",
            "The user has finally decided to drop IE",
            "I've settled on a 3:1 ratio",
            "Where is it? I decided to walk.",
            "The user decided to use Redis. It is probably faster.",
        ),
        *classed(
            MemoryClass.USER_PREFERENCE,
            "用户偏好深色主题",
            "用户不喜欢香菜",
            "用户平时写代码时习惯用 vim",
            "用户要求提交信息一律用英文",
            "用户的偏好是简短的回答",
            "我特别钟爱这台机器",
            "User prefers tabs",
            "User doesn't like long answers",
            "The user said they prefer short answers",
            "The user always squashes before merging",
            "I never use tabs",
            "My favourite editor is Helix",
        ),
        *classed(
            MemoryClass.MODEL_SUGGESTION,
            "建议用户采用深色主题",
            "可以考虑迁移到 uv",
            "推荐使用 ruff",
            "User should consider Redis",
            "Suggest adding an index",
        ),
        *classed(
            MemoryClass.MODEL_INFERENCE,
            "用户可能喜欢深色主题",
            "用户似乎已经决定了",
            "大概下周发布",
            "User probably prefers dark mode",
            "It seems that the build is slow",
        ),
        *classed(
            MemoryClass.FACT,
            "The staging database is at 10.0.42.7",
            "偏好深色主题",
            "最终决定用 Postgres",
            "Always use type hints",
        ),
    ],
)
def test_the_text_says_whose_word_it_is(text: str, expected: MemoryClass) -> None:
    assert infer_class(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "我没有决定用哪个框架",
        "我还没决定",
        "I can't decide between Vue and React",
        "I have not decided yet",
        "User is undecided about Vue",
        "Have you decided which database?",
        "用户决定了吗？",
        "由用户决定何时发布",
        "如果用户决定取消，订单就关闭",
        "If the user decided to cancel, refund",
        "用户决定是否部署",
        "性能决定了用户的体验",
        "用户数量决定了服务器的规模",
    ],
)
def test_what_is_open_denied_or_asked_is_no_decision(text: str) -> None:
    assert infer_class(text) == MemoryClass.FACT


@pytest.mark.parametrize(
    "text",
    [
        "我妈喜欢吃辣",
        "我的上司挺喜欢攀岩",
        "我同事特别喜欢摄影",
        "经理决定用 Java",
        "我们团队决定每周五发布",
        "John prefers light beers",
        "The user interface prefers dark colours",
        "The users table always has an index",
    ],
)
def test_what_others_like_or_decide_is_not_the_users(text: str) -> None:
    assert infer_class(text) == MemoryClass.FACT


@pytest.mark.parametrize(
    "text",
    [
        "I've never been to Japan",
        "I always wondered why",
        "I'd like a table",
        "User has no preference",
        "用户不要求写注释",
        "推荐系统部署在 k8s",
        "不可能的任务",
        "大概 30 人参加",
        "Can you suggest a book?",
        "用户建议团队每天站会",
    ],
)
def test_a_word_that_only_looks_like_it_says_nothing(text: str) -> None:
    assert infer_class(text) == MemoryClass.FACT


def test_where_the_user_speaks_no_subject_is_needed() -> None:
    texts = {
        "最终决定用 Postgres": MemoryClass.USER_DECISION,
        "Decided: use Postgres": MemoryClass.USER_DECISION,
        "偏好深色主题": MemoryClass.USER_PREFERENCE,
        "提交信息一律用英文": MemoryClass.USER_PREFERENCE,
        "Never push to main": MemoryClass.USER_PREFERENCE,
        "我妈喜欢吃辣": MemoryClass.FACT,
        "经理决定用 Java": MemoryClass.FACT,
    }
    for text, expected in texts.items():
        assert infer_class(text, track=Track.USER) == expected, text
        for source in ("user", "用户口述", "chat with user"):
            assert infer_class(text, source=source) == expected, (text, source)


@pytest.mark.parametrize("source", ["", "docs/user-guide.md", "用户手册", "src/user.py", "users"])
def test_a_source_that_is_not_the_user_says_nothing(source: str) -> None:
    assert infer_class("最终决定用 Postgres", source=source) == MemoryClass.FACT


@pytest.mark.parametrize(
    ("text", "in_the_users_words"),
    [
        ("建议采用 Redis", MemoryClass.FACT),
        ("用户决定用 Redis，可以考虑集群", MemoryClass.USER_DECISION),
        ("我决定采用建议的方案", MemoryClass.USER_DECISION),
        ("I suggest that the user always uses tabs", MemoryClass.USER_PREFERENCE),
        ("I prefer tabs. Suggest a formatter.", MemoryClass.USER_PREFERENCE),
    ],
)
def test_only_in_the_users_own_words_can_a_suggestion_be_more(
    text: str, in_the_users_words: MemoryClass
) -> None:
    assert infer_class(text) == MemoryClass.MODEL_SUGGESTION
    assert infer_class(text, source="user") == MemoryClass.MODEL_SUGGESTION
    assert infer_class(text, track=Track.USER) == in_the_users_words


@given(st.text(), st.text())
def test_no_text_makes_advice_the_users_word(before: str, after: str) -> None:
    text = f"{before} 可以考虑 {after}。"
    assert infer_class(text, source="user") in (MemoryClass.MODEL_SUGGESTION, MemoryClass.FACT)


@pytest.mark.parametrize(
    "text", ["，" * 19_999, "我" * 19_999, "the user " * 2_200, "I also " * 2_800, "用户的" * 6_600]
)
def test_a_long_monotonous_text_takes_no_long_time(text: str) -> None:
    assert infer_class(text, track=Track.USER) == MemoryClass.FACT


# -- in the store ------------------------------------------------------------------------------


def test_a_class_that_is_given_holds_whatever_the_text_says(add: Add, get: Get) -> None:
    reply = add("用户决定用 Redis", memory_class="note", track="user")
    assert reply.memory_class == get(1).memory_class == MemoryClass.FACT
    assert "memory_class" not in reply.as_json()


def test_the_track_is_told_in_the_event(add: Add, sql: Sql) -> None:
    add("偏好深色主题", track="user")
    [(detail,)] = sql("SELECT detail FROM audit_log")
    assert '"memory_class":"user_preference","track":"user"' in detail


def test_a_track_that_does_not_exist_is_refused(memory: Memory) -> None:
    [error] = memory.add(NewFact("偏好深色主题", track="robot"))
    assert isinstance(error, InvalidInput)
    assert error.hint == "allowed: user, agent"
    assert memory.list().total == 0


def test_a_class_stays_when_the_text_changes(memory: Memory, add: Add, get: Get) -> None:
    add("用户喜欢深色主题")
    memory.update(1, Edit(content="The staging database is at 10.0.42.7"))
    assert get(1).memory_class == MemoryClass.USER_PREFERENCE
