"""Fact retrieval: how a question is weighed against the facts, and what comes back."""

import pytest

from tests.doors import Door, Reply

pytestmark = pytest.mark.process

ROUNDED = 1e-4
"""Figures in a reply have four decimals."""


def test_a_short_question_weighs_index_and_overlap_equally(door: Door) -> None:
    """WHEN a question of two words is asked, THEN the relevance of every hit is one half of its
    rank in the full-text index and one half of its word overlap.
    """
    add_theme_facts(door)

    hits = door.call("search", query="深色主题", explain=True)["results"]

    assert_equal_weights(hits)


def test_a_long_question_weighs_index_and_overlap_equally(door: Door) -> None:
    """WHEN a question of eight words in two languages is asked, THEN the weights are the same as
    for a short one.
    """
    door.call("add", content="TypeScript 编译报错找不到模块时先检查 paths 配置")
    door.call("add", content="模块命名一律用小写")
    door.call("add", content="TypeScript 开启 strict")

    hits = door.call("search", query="为什么 TypeScript 编译报错找不到模块", explain=True)

    assert_equal_weights(hits["results"])


def test_the_weights_do_not_depend_on_the_length_of_the_question(door: Door) -> None:
    """WHEN questions of one, four, twelve and fifty words are asked, THEN the weights of index and
    overlap are one half each in all of them.
    """
    add_theme_facts(door)
    filler = [f"word{number}" for number in range(49)]

    for length in (1, 4, 12, 50):
        query = " ".join(["深色", *filler[: length - 1]])
        assert_equal_weights(door.call("search", query=query, explain=True)["results"])


def test_a_fact_is_matched_on_its_summary_where_it_has_one(door: Door) -> None:
    """WHEN a fact has a long content and a short summary, THEN its word overlap with the question
    is that of the summary, as if the summary were the whole fact.
    """
    door.call("add", content=unrelated(600), summary="用户偏好 VS Code")
    door.call("add", content="用户偏好 VS Code")

    reply = door.call("search", query="VS Code", explain=True)
    hits = {hit["factId"]: hit for hit in reply["results"]}

    assert (hits[1]["match_on"], hits[2]["match_on"]) == ("summary", "content")
    assert hits[1]["jaccard"] == hits[2]["jaccard"] > 0
    assert hits[1]["penalty"] == 1


def test_a_full_hit_carries_the_whole_fact(door: Door) -> None:
    """WHEN a search asks for full detail, THEN a hit carries the complete original content and the
    summary of the fact.
    """
    content = "部署流程：" + unrelated(800)
    door.call("add", content=content, summary="部署流程一览")

    (hit,) = door.call("search", query="部署流程", detail="full")["results"]

    assert hit["content"] == content
    assert hit["summary"] == "部署流程一览"


def test_the_words_of_a_content_are_found_behind_a_summary(door: Door) -> None:
    """WHEN a word stands only in the content of a fact that has a summary, THEN a search for the
    word finds the fact all the same.
    """
    door.call("add", content=unrelated(300) + " kestrel", summary="用户偏好 VS Code")

    reply = door.call("search", query="kestrel")

    assert [hit["factId"] for hit in reply["results"]] == [1]


def test_a_weak_hit_is_returned_however_low_its_score(door: Door) -> None:
    """WHEN the only fact that shares a word with the question is long and little trusted, THEN it
    is returned, with a score far below any threshold that one might set.
    """
    door.call("add", content="The archive room is called Mercury. " + "filler text " * 250)
    door.sql("UPDATE facts SET trust_score = 0.1")

    (hit,) = door.call("search", query="Mercury")["results"]

    assert hit["factId"] == 1
    assert 0 < hit["score"] < 0.05


def test_a_search_returns_twenty_hits_at_most(door: Door) -> None:
    """WHEN thirty facts match and a hundred hits are asked for, THEN twenty are returned; without
    a limit, ten.
    """
    door.call("list")
    door.sql(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)"
        " INSERT INTO facts(content) SELECT 'Sensor ' || i || ' hangs in the greenhouse' FROM n"
    )

    assert door.call("search", query="greenhouse", limit=100)["count"] == 20
    assert door.call("search", query="greenhouse")["count"] == 10


def test_a_search_is_narrowed_by_class_and_project(door: Door) -> None:
    """WHEN a search names a project or a class, THEN only its facts are found, and a class that
    there is not is refused with the names of those there are.
    """
    decided = {"memory_class": "user_decision", "project_id": "shop"}
    door.call("add", content="The deploy runs on Fridays", **decided)
    door.call("add", content="The deploy needs two reviews")

    for narrowed in ({"memory_class": "user_decision"}, {"project_id": "shop"}):
        hits = door.call("search", query="deploy", **narrowed)["results"]
        assert [hit["factId"] for hit in hits] == [1]
        assert door.call("list", **narrowed)["total"] == 1
    assert "user_decision" in door.refused("search", query="deploy", memory_class="x")["hint"]


def test_a_question_is_taken_literally(door: Door) -> None:
    """WHEN a question holds quotes, operators or wildcards of the index's query language, THEN it
    is answered, and none of them matches what was not asked for.
    """
    door.call("add", content="Likes C++ and foo-bar")

    for query in ('C++ "foo-bar', "NOT foo-bar*", "(foo-bar OR"):
        assert door.call("search", query=query)["count"] == 1
    assert door.call("search", query='%_* "')["results"] == []


def test_a_blank_question_is_refused(door: Door) -> None:
    """WHEN a question is blank, THEN it is refused, and the hint names list, which browses."""
    refusal = door.refused("search", query="  ")

    assert refusal["error"]
    assert "list" in refusal["hint"]


def add_theme_facts(door: Door) -> None:
    door.call("add", content="用户喜欢深色主题")
    door.call("add", content="深色主题的配色方案放在设计文档的第三章，由前端小组维护")
    door.call("add", content="会议室的墙是深色的")


def unrelated(length: int) -> str:
    return ("午餐通常在十二点半，食堂在一楼，周五供应面条。" * 50)[:length]


def assert_equal_weights(hits: list[Reply]) -> None:
    """Every hit keeps the formula, and at least one would betray other weights."""
    for hit in hits:
        half_each = 0.5 * hit["fts"] + 0.5 * hit["jaccard"]
        assert hit["relevance"] == pytest.approx(half_each, abs=ROUNDED)
        expected = hit["relevance"] * hit["trustScore"] * hit["penalty"]
        assert hit["score"] == pytest.approx(expected, abs=ROUNDED)
    assert any(abs(hit["fts"] - hit["jaccard"]) > 0.1 for hit in hits)
