"""Memory classes: whose word a fact is, told from its text and never to a suggestion's favour."""

import pytest

from tests.doors import Door

pytestmark = pytest.mark.process

STATEMENTS = {
    "user_decision": ("用户决定把数据库换成 PostgreSQL", "User decided to drop IE support"),
    "user_preference": ("用户喜欢简短的回答", "User prefers tabs over spaces"),
    "fact": ("预发布数据库在 10.0.42.7", "The staging database is at 10.0.42.8"),
    "model_suggestion": ("建议把日志迁移到 Loki", "The user should consider using Redis"),
    "model_inference": ("用户可能在上海工作", "The user probably works at night"),
}
ADVICE = (
    "建议用户决定采用 Redis",
    "用户喜欢 Redis，可以考虑用它做缓存",
    "推荐用户一律使用 ruff",
    "The user decided on a cache, I suggest Redis",
    "User prefers tabs and should consider a formatter",
)
OTHERS = (
    "我妈喜欢吃辣",
    "我的上司挺喜欢攀岩",
    "项目经理决定下周发布",
    "John prefers light beers",
    "My manager decided to move the release",
)
OPEN = (
    "用户还没有决定用哪个框架",
    "用户决定了吗？",
    "如果用户决定取消，订单就关闭",
    "I can't decide between Vue and React",
    "The user has not decided yet",
)


def test_each_statement_is_stored_under_its_class(door: Door) -> None:
    """WHEN statements of each of the five kinds are added, in Chinese and in English, without a
    class, THEN each is stored under its class, which the reply names where it is not fact.
    """
    for memory_class, texts in STATEMENTS.items():
        for text in texts:
            reply = door.call("add", content=text)
            assert reply.get("memory_class", "fact") == memory_class, text
            assert ("memory_class" in reply) == (memory_class != "fact")
    for memory_class, texts in STATEMENTS.items():
        found = door.call("list", memory_class=memory_class)["facts"]
        assert {fact["content"] for fact in found} == set(texts)


def test_a_class_that_is_given_holds(tool: Door) -> None:
    """WHEN a class is given, also by a name of the other ancestor, THEN it is stored whatever the
    text says; WHEN there is no such class, THEN it is refused with those that there are.
    """
    tool.call("add", content="用户喜欢简短的回答", memory_class="fact")
    tool.call("add", content="We moved to Postgres", memory_class="decision")

    assert classes(tool) == ["fact", "user_decision"]
    assert "model_inference" in tool.refused("add", content="x", memory_class="truth")["hint"]


def test_advice_is_never_a_decision(tool: Door) -> None:
    """WHEN texts give advice and speak of decisions and preferences of the user as well, THEN each
    is a model_suggestion, also where the source names the user.
    """
    tool.call("add", contents=list(ADVICE))
    tool.call("add", contents=list(ADVICE), category="workflow", source="user")

    assert classes(tool) == ["model_suggestion"] * 2 * len(ADVICE)


def test_the_users_own_words_need_no_subject(door: Door) -> None:
    """WHEN a preference is added with track=user and a source, THEN it is stored as
    user_preference with that source; the same text without them is a fact.
    """
    reply = door.call("add", content="偏好深色主题", track="user", source="chat:42")
    door.call("add", content="偏好深色主题", category="workflow")

    assert reply["memory_class"] == "user_preference"
    assert classes(door) == ["user_preference", "fact"]
    assert door.sql("SELECT source_ref FROM facts WHERE fact_id = 1") == [("chat:42",)]


def test_what_others_like_is_a_fact(tool: Door) -> None:
    """WHEN texts say what other people like and decide, THEN each is a fact."""
    tool.call("add", contents=list(OTHERS))

    assert classes(tool) == ["fact"] * len(OTHERS)


def test_an_open_decision_is_none(tool: Door) -> None:
    """WHEN texts deny a decision, ask for one or leave it open, THEN each is a fact."""
    tool.call("add", contents=list(OPEN))

    assert classes(tool) == ["fact"] * len(OPEN)


def classes(door: Door) -> list[str]:
    """The classes of the facts, in the order in which they came."""
    return [name for (name,) in door.sql("SELECT memory_class FROM facts ORDER BY fact_id")]
