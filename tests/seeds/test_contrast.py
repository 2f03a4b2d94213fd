"""Contrast: what keeps two facts apart, and how anybody can see why."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemo.text.contrast import find_contrasts
from tests.doors import CommandDoor, Door

pytestmark = pytest.mark.process

# High overlap, opposite meaning; each pair was once taken for one fact.
OPPOSITES = (
    ("周会在 9 点开始", "周会在 3 点开始"),
    ("缩进使用 2 个空格", "缩进使用 4 个空格"),
    ("生产服务器的登录端口是 8080", "生产服务器的登录端口是 8081"),
    ("Do commit directly to main", "Do not commit directly to main"),
    ("项目A 的数据库用 PostgreSQL", "项目B 的数据库用 PostgreSQL"),
    ("Never force push to main", "Always force push to main"),
    ("Use tabs for indentation", "Use spaces for indentation"),
    ("The server IP is 10.0.0.5", "The server IP is 10.0.0.6"),
    ("用户喜欢深色主题", "用户不喜欢深色主题"),
)
TENSES = (
    ("Ines lived in Turin", "Ines lives in Turin"),
    ("Ines was the owner", "Ines is the owner"),
    ("她以前住在苏州", "她住在苏州"),
)
QUANTITIES = (
    ("Run more than 3 replicas", "Run 3 replicas"),
    ("Run at least 3 replicas", "Run 3 replicas"),
    ("副本数至少 3 个", "副本数 3 个"),
    ("三点前提交周报", "三点提交周报"),
    ("租金涨了10%", "租金涨到10%"),
)
SCOPES = (
    ("Everyone but Bo can deploy", "Everyone can deploy"),
    ("Deploy only on Mondays", "Deploy on Mondays"),
    ("工作日外可以部署", "工作日可以部署"),
    ("她喜欢喝茶吗", "她喜欢喝茶"),
)
ORDERS = (
    ("Ana reviews the code of Bo", "Bo reviews the code of Ana"),
    ("小明批评了小红", "小红批评了小明"),
)
KEPT = (*OPPOSITES, *TENSES, *QUANTITIES, *SCOPES, *ORDERS)
WORDS = st.sampled_from(
    "the user was is lived lives not only 3 4 more than Ana Bo and or in to tea"
    " 用户 不 喜欢 前 三 点 茶 != = ? , .".split()
)
TEXTS = st.lists(WORDS, max_size=12).map(" ".join)


def test_opposites_stay_two_facts_through_every_dream(tool: Door) -> None:
    """WHEN both texts of a pair that overlaps and says opposite things are added, and a dream runs
    twice, THEN both stay active each time, and the dream lists those that overlap by more than 0.6.
    """
    ids = [
        tool.call("add", content=text, category="workflow")["fact_id"]
        for pair in OPPOSITES
        for text in pair
    ]
    assert len(set(ids)) == 2 * len(OPPOSITES)
    for _ in range(2):
        dream = tool.call("dream")
        assert dream.get("merge_pairs", []) == []
        skipped = {frozenset((pair["a"], pair["b"])) for pair in dream["skipped_conflicts"]}
        for first, second in zip(ids[::2], ids[1::2], strict=True):
            jaccard = tool.call("compare", fact_ids=[first, second])["jaccard"]
            assert (frozenset((first, second)) in skipped) == (jaccard > 0.6)
    assert tool.call("list", limit=100)["total"] == len(ids)


@pytest.mark.parametrize("pairs", [TENSES, QUANTITIES, SCOPES, ORDERS])
def test_time_quantity_scope_and_order_keep_facts_apart(
    tool: Door, pairs: tuple[tuple[str, str], ...]
) -> None:
    """WHEN two texts differ in the time of a verb, in what bounds a number, in whom or what a
    statement holds for, or in the order of who does what, THEN they contrast and are kept.
    """
    for one, other in pairs:
        reply = tool.call("compare", contents=[one, other])
        assert (reply["verdict"], bool(reply["contrasts"])) == ("keep", True), (one, other)


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_a_contrast_has_no_direction(one: str, other: str) -> None:
    """WHEN two texts change places, THEN the same contrasts are found with their sides changed,
    and a text never contrasts with itself.
    """
    there, back = find_contrasts(one, other), find_contrasts(other, one)
    assert [(c.kind, c.left, c.right) for c in there] == [(c.kind, c.right, c.left) for c in back]
    assert find_contrasts(one, one) == ()


def test_what_says_more_of_the_same_may_be_one(tool: Door) -> None:
    """WHEN one text says all that another says and more, in another notation or another order of
    the same list, THEN nothing contrasts.
    """
    for one, other in (
        ("The user prefers dark mode", "The user prefers dark mode at night"),
        ("桌子高 120 厘米", "桌子高120cm"),
        ("The team uses Python and Go", "The team uses Go and Python"),
    ):
        reply = tool.call("compare", contents=[one, other])
        assert (reply["verdict"], reply["contrasts"]) == ("merge", []), (one, other)


def test_a_comparison_shows_words_contrasts_and_verdict(tool: Door, command: CommandDoor) -> None:
    """WHEN two texts or two facts are compared, THEN the reply holds their overlap, the words of
    either, the contrasts, the verdict and why; on the command line two numbers are ids and two
    texts stand in quotes.
    """
    reply = tool.call("compare", contents=["Port 8080 is open", "Port 8081 is open"])
    assert set(reply) == {"jaccard", "tokens", "contrasts", "verdict", "why"}
    assert reply["jaccard"] == 0.6
    assert reply["tokens"] == [["port", "8080", "is", "open"], ["port", "8081", "is", "open"]]
    assert reply["contrasts"] == [{"kind": "number", "left": "8080", "right": "8081"}]
    assert (reply["verdict"], "8080 / 8081" in reply["why"]) == ("keep", True)

    command.call("add", content="Port 8080 is open")
    command.call("add", content="Port 8081 is open")
    by_id = command.call("compare", fact_ids=[1, 2])
    typed = command.run("compare", "Port 8080 is open", "Port 8081 is open", "--json")
    assert by_id == json.loads(typed.stdout) == reply


def test_a_comparison_says_what_a_dream_then_does(tool: Door) -> None:
    """WHEN two facts are compared and a dream runs then, THEN they are merged where the verdict was
    merge, and both stay where it was keep; a fact that is not active is kept.
    """
    pairs = [
        *KEPT,
        ("The user prefers dark mode", "The user prefers dark mode at night"),
        ("用户每天早上先看邮件", "用户每天早上先看邮件再看日程"),
    ]
    ids = [tuple(tool.call("add", content=text)["fact_id"] for text in pair) for pair in pairs]
    said = [tool.call("compare", fact_ids=pair)["verdict"] for pair in ids]

    dream = tool.call("dream")

    merged = {frozenset((pair["kept"], pair["removed"])) for pair in dream["merge_pairs"]}
    assert merged
    for pair, verdict in zip(ids, said, strict=True):
        assert (frozenset(pair) in merged) == (verdict == "merge"), pair
    again = [tool.call("compare", fact_ids=sorted(pair))["verdict"] for pair in merged]
    assert set(again) == {"keep"}


def test_a_comparison_reads_only(tool: Door) -> None:
    """WHEN facts and texts are compared, THEN nothing is written: no recall, no event, no count."""
    for text in ("Port 8080 is open", "Port 8081 is open"):
        tool.call("add", content=text)
    tool.settle()
    facts = "SELECT * FROM facts"
    before = tool.sql(facts), tool.sql("SELECT count(*) FROM retrieval_log")
    events = tool.sql("SELECT count(*) FROM audit_log")

    tool.call("compare", fact_ids=[1, 2])
    tool.call("compare", contents=["Port 8080", "Port 8081"])

    assert (tool.sql(facts), tool.sql("SELECT count(*) FROM retrieval_log")) == before
    assert tool.sql("SELECT count(*) FROM audit_log") == events


def test_a_comparison_takes_two(door: Door) -> None:
    """WHEN there are not two to compare, one fact is named twice, there is no such fact, or a text
    is blank, THEN the comparison is refused with a sentence and a hint.
    """
    door.call("add", content="Port 8080 is open")
    for arguments, said in (
        ({"fact_ids": [1]}, "compare takes two, not 1"),
        ({"fact_ids": [1, 1]}, "fact 1 was named twice"),
        ({"fact_ids": [1, 77]}, "there is no fact 77"),
    ):
        refusal = door.refused("compare", **arguments)
        assert said in refusal["error"]
        assert refusal["hint"]


def test_a_comparison_of_texts_takes_two(tool: Door) -> None:
    """WHEN one text, three, a blank one, or texts and ids are compared, THEN that is refused."""
    for arguments, said in (
        ({"content": "tea"}, "compare takes two, not 1"),
        ({"contents": ["tea", "rice", "salt"]}, "compare takes two, not 3"),
        ({"contents": ["tea", " "]}, "content must not be empty"),
        ({"contents": ["tea", "rice"], "fact_ids": [1, 2]}, "texts and ids"),
    ):
        refusal = tool.refused("compare", **arguments)
        assert said in refusal["error"]
        assert refusal["hint"]
