"""Duplicates: what is said again is known, what is said anew is kept, and a likeness is named."""

import json

import pytest

from tests.doors import Door, Reply

pytestmark = pytest.mark.process

LENGTH_WARNING = "content 超过 500 字，建议提供 summary 或拆分为多条 fact"

# A stored text, then texts that say exactly the same.
TWINS = (
    (
        "Uses Zed, the editor.",
        "uses zed, the editor",
        "USES ZED,  THE\tEDITOR!",
        "  Uses Zed,\nthe editor… ",
        "Ｕｓｅｓ Ｚｅｄ， ｔｈｅ ｅｄｉｔｏｒ。",
    ),
    ("端口 8080 已占用", "端口8080已占用。", "端口　８０８０　已占用！"),
    ("The caf\u00e9 opens late", "The cafe\u0301 opens late."),
)
# Texts that look alike and are no twins.
NO_TWINS = (
    ("Knows C", "Knows C++", "Knows C#"),
    ("Rooms 10 20 are taken", "Rooms 1020 are taken"),
    ("The build is green.", "The build is green?"),
    ("Likes r\u00e9sum\u00e9 tips", "Likes resume tips"),
)
# Pairs that differ in one thing only, which is the thing that matters.
CONTRASTS = (
    ("每天上午 9 点开晨会", "每天上午 3 点开晨会"),
    ("The gateway listens on port 8080", "The gateway listens on port 8081"),
    ("Do commit the lock file", "Do not commit the lock file"),
    ("项目A 的数据库是 PostgreSQL", "项目B 的数据库是 PostgreSQL"),
    ("用户喜欢吃香菜", "用户不喜欢吃香菜"),
    ("缓存服务器在内网 10.0.3.21 上", "缓存服务器在内网 10.0.3.22 上"),
    ("张伟负责后端部署", "李娜负责后端部署"),
    ("The job runs on Python 3.11 in CI", "The job runs on Python 3.12 in CI"),
    ("Always squash before merging", "Never squash before merging"),
    ("The session lasts 30 seconds", "The session lasts 30 minutes"),
    ("打印文档时用浅色主题", "打印文档时用深色主题"),
    ("The flag --fast is set at night", "The flag --slow is set at night"),
)


def test_a_text_that_says_exactly_the_same_is_known(tool: Door) -> None:
    """WHEN a text is added that differs from a stored one only in case, width, white space or
    final punctuation, THEN the reply says exists with the id of the stored fact, which stays as it
    is; WHEN any other character differs, THEN it is a fact of its own.
    """
    for stored, *twins in TWINS:
        fact_id = tool.call("add", content=stored)["fact_id"]
        for twin in twins:
            reply = tool.call("add", content=twin)
            assert (reply["fact_id"], reply["status"]) == (fact_id, "exists"), twin
        assert read(tool, fact_id)["content"] == stored

    for texts in NO_TWINS:
        replies = tool.call("add", contents=list(texts))["results"]
        assert [reply["status"] for reply in replies] == ["added"] * len(texts), texts


def test_a_known_text_of_some_length_brings_the_warning_again(tool: Door) -> None:
    """WHEN a text of more than 500 characters is added again, THEN the reply says exists and warns
    of its length, as long as the stored fact has no summary.
    """
    content = "The archive is kept in the cellar. " * 20
    tool.call("add", content=content)

    known = tool.call("add", content=content)
    tool.call("update", fact_id=1, summary="Archive: cellar")
    summarised = tool.call("add", content=content)

    assert (known["status"], known["warnings"]) == ("exists", [LENGTH_WARNING])
    assert summarised == {"fact_id": 1, "status": "exists", "category": "general"}


def test_a_known_text_fills_in_what_the_stored_fact_lacks(tool: Door) -> None:
    """WHEN a known text is added with a summary and tags, THEN the stored fact gets those that it
    lacks, keeps those that it has, and is otherwise unchanged.
    """
    tool.call("add", content="The kettle is in the kitchen")
    before = read(tool, 1)

    filled = tool.call(
        "add", content="the kettle is in the kitchen.", summary="Kettle", tags="tea,home"
    )
    again = tool.call(
        "add", content="The kettle is in the kitchen", summary="Another", tags="other"
    )

    assert (filled["status"], again["status"]) == ("exists", "exists")
    after = read(tool, 1)
    assert (after["summary"], after["tags"]) == ("Kettle", ["tea", "home"])
    changed = {"summary", "summary_source", "tags", "updated_at"}
    assert {k: v for k, v in after.items() if k not in changed} == {
        k: v for k, v in before.items() if k not in changed
    }


def test_one_text_in_two_categories_is_two_facts(tool: Door) -> None:
    """WHEN one text is added under two categories and a near duplicate of it under a third, THEN
    each is a fact of its own, and none is named as similar to another.
    """
    text = "用户喜欢在晚上写代码"

    replies = [
        tool.call("add", content=text, category="workflow"),
        tool.call("add", content=text, category="identity"),
        tool.call("add", content=f"{text}和文档", category="general"),
        tool.call("add", content=f"{text}。", category="workflow"),
    ]

    assert [reply["fact_id"] for reply in replies] == [1, 2, 3, 1]
    assert [reply["status"] for reply in replies] == ["added", "added", "added", "exists"]
    assert not any("similar_to" in reply for reply in replies)


def test_a_near_duplicate_is_kept_and_named(tool: Door) -> None:
    """WHEN a text is added that says nearly what a stored one says, THEN both are kept as they are
    and the reply names the stored one with how similar it is.
    """
    tool.call("add", contents=["The user prefers short answers", "用户喜欢在晚上写代码"])

    shorter = tool.call("add", content="User prefers short answers")
    longer = tool.call("add", content="用户喜欢在晚上写代码和文档")

    for reply, similar in ((shorter, 1), (longer, 2)):
        assert reply["status"] == "added"
        (named,) = reply["similar_to"]
        assert named["fact_id"] == similar
        assert 0.7 <= named["similarity"] <= 1.0
    assert tool.call("list")["total"] == 4
    assert read(tool, 2)["content"] == "用户喜欢在晚上写代码"


def test_a_contrasting_text_is_kept_and_named_as_such(tool: Door) -> None:
    """WHEN a text is added that differs from a stored one in an hour, a port, a negation, a
    project, an address, a person, a version, a unit or an opposite, THEN both are active facts, and
    the reply names the stored one among those that it conflicts with and not as similar.
    """
    for left, right in CONTRASTS:
        first = tool.call("add", content=left)
        second = tool.call("add", content=right)

        assert second["status"] == "added", right
        assert [other["fact_id"] for other in second["conflicts_with"]] == [first["fact_id"]], right
        assert "similar_to" not in second, right

    assert tool.call("list")["total"] == 2 * len(CONTRASTS)
    assert tool.call("status")["facts"] == {"active": 2 * len(CONTRASTS)}


def test_trusted_facts_do_not_hide_a_near_duplicate(tool: Door) -> None:
    """WHEN sixty trusted facts share words with a new text and one of little trust says nearly the
    same, THEN the reply names that one.
    """
    tool.call("add", content="用户在晚上写代码时喜欢听雨声")
    tool.call("add", contents=[f"用户在第 {n} 周的晚上写第 {n} 章" for n in range(60)])
    tool.sql("UPDATE facts SET trust_score = CASE fact_id WHEN 1 THEN 0.1 ELSE 0.95 END")

    reply = tool.call("add", content="用户在晚上写代码时喜欢听雨声和鸟鸣")

    assert [similar["fact_id"] for similar in reply["similar_to"]] == [1]


def test_merging_is_a_choice_and_keeps_the_richer_text(tool: Door) -> None:
    """WHEN config.json has near duplicates merged and a text is added that says less than a stored
    one, THEN the stored text stays; WHEN it says more, THEN it takes the place of the stored one;
    either way the stored fact keeps its id and gains trust, and a contrasting text is kept.
    """
    configure(tool, near_duplicate_action="merge")
    tool.call("add", content="用户喜欢在晚上写代码和文档")

    poorer = tool.call("add", content="用户喜欢在晚上写代码")
    kept = read(tool, 1)
    richer = tool.call("add", content="用户喜欢在晚上写代码和文档和测试")
    taken = read(tool, 1)
    opposite = tool.call("add", content="用户不喜欢在晚上写代码和文档和测试")

    assert (poorer["fact_id"], poorer["status"], poorer["reason"]) == (1, "exists", "similar")
    assert (kept["content"], kept["trust_score"]) == ("用户喜欢在晚上写代码和文档", 0.55)
    assert (richer["fact_id"], richer["status"]) == (1, "updated")
    assert richer["reason"] == "similar_fact_merged"
    assert (taken["content"], taken["trust_score"]) == ("用户喜欢在晚上写代码和文档和测试", 0.6)
    assert (opposite["fact_id"], opposite["status"]) == (2, "added")
    assert opposite["conflicts_with"][0]["fact_id"] == 1


def test_merging_appends_what_is_new_up_to_three_hundred_characters(tool: Door) -> None:
    """WHEN merging is chosen and two similar texts each have a word of their own, THEN the new
    sentence is appended with its day; WHEN that would make the fact longer than 300 characters,
    THEN the text is kept as a fact of its own and the stored one is named as similar.
    """
    configure(tool, near_duplicate_action="merge")
    short = "The nightly backup also copies the photos to the archive server."
    long = (
        "The release checklist of the web shop also covers the payment pages, the search pages, "
        "the product pages, the basket, the newsletter form, the account settings, the order "
        "history, the returns form, the gift cards, the wish list, the reviews and the store "
        "finder, on desktop and on mobile."
    )
    tool.call("add", contents=[short, long])

    appended = tool.call("add", content=f"{short.replace(' also', '')} It starts at two.")
    apart = tool.call("add", content=f"{long.replace(' also', '')} Testers sign it.")

    assert (appended["fact_id"], appended["status"]) == (1, "updated")
    content = read(tool, 1)["content"]
    assert content.startswith(f"{short} ｜ [+20")
    assert content.endswith("] It starts at two.")
    assert len(content) <= 300
    assert (apart["fact_id"], apart["status"]) == (3, "added")
    assert [similar["fact_id"] for similar in apart["similar_to"]] == [2]
    assert read(tool, 2)["content"] == long


def test_merging_fills_in_what_the_stored_fact_lacks(tool: Door) -> None:
    """WHEN merging is chosen and a richer text comes with a summary and tags, THEN the stored fact
    takes them where it had none; WHEN the text that results is long and has no summary, THEN the
    reply warns of its length.
    """
    configure(tool, near_duplicate_action="merge")
    long = "The archive in the cellar holds the letters. " * 12
    tool.call("add", contents=["用户喜欢在晚上写代码", long])

    richer = tool.call("add", content="用户喜欢在晚上写代码和文档", summary="夜里写", tags="习惯")
    longer = tool.call("add", content=f"{long} It is dry.")

    fact = read(tool, 1)
    assert richer["status"] == "updated"
    assert (fact["summary"], fact["tags"]) == ("夜里写", ["习惯"])
    assert (longer["status"], longer["fact_id"]) == ("updated", 2)
    assert longer["warnings"] == [LENGTH_WARNING]


def test_skipping_is_a_choice_and_stores_nothing(tool: Door) -> None:
    """WHEN config.json has near duplicates skipped and a text is added that says nearly what a
    stored one says, THEN nothing is stored and the reply names the stored one; a contrasting text
    and a new one are stored.
    """
    configure(tool, nearDuplicateAction="skip")
    tool.call("add", content="用户喜欢在晚上写代码")

    skipped = tool.call("add", content="用户喜欢在晚上写代码和文档")
    opposite = tool.call("add", content="用户不喜欢在晚上写代码")

    assert (skipped["fact_id"], skipped["status"]) == (1, "skipped")
    assert (opposite["fact_id"], opposite["status"]) == (2, "added")
    assert tool.sql("SELECT content FROM facts ORDER BY fact_id") == [
        ("用户喜欢在晚上写代码",),
        ("用户不喜欢在晚上写代码",),
    ]


def test_a_threshold_of_zero_compares_nothing(tool: Door) -> None:
    """WHEN config.json sets the threshold of similarity to 0, THEN a near duplicate and a
    contrasting text are stored without a word about others, and an exact twin is known as ever.
    """
    configure(tool, near_duplicate_threshold=0)
    tool.call("add", content="用户喜欢在晚上写代码")

    replies = [
        tool.call("add", content="用户喜欢在晚上写代码和文档"),
        tool.call("add", content="用户不喜欢在晚上写代码"),
        tool.call("add", content="用户喜欢在晚上写代码。"),
    ]

    assert replies == [
        {"fact_id": fact_id, "status": status, "category": "general"}
        | {"memory_class": "user_preference"}
        for fact_id, status in ((2, "added"), (3, "added"), (1, "exists"))
    ]


def test_the_text_of_a_removed_fact_comes_back_with_its_past(tool: Door) -> None:
    """WHEN the text of a removed fact is added again, THEN that fact is active again with its id,
    its trust, its counters and its tags, and the reply says restored.
    """
    tool.call("add", content="The kettle is in the kitchen", tags="tea")
    tool.sql("UPDATE facts SET trust_score = 0.9, retrieval_count = 12, helpful_count = 3")
    before = read(tool, 1)
    tool.call("remove", fact_id=1)

    reply = tool.call("add", content="The kettle is in the kitchen")

    assert (reply["fact_id"], reply["status"]) == (1, "restored")
    after = read(tool, 1)
    assert {k: v for k, v in after.items() if k != "updated_at"} == {
        k: v for k, v in before.items() if k != "updated_at"
    }
    assert tool.call("search", query="kettle")["count"] == 1


def test_each_of_several_statements_has_its_own_reply(tool: Door) -> None:
    """WHEN several statements are added in one call, THEN each is stored or answered on its own, in
    their order: a twin of one before it is known, and one that cannot be stored has its error in
    its place and stops none of the others.
    """
    reply = tool.call(
        "add",
        contents=[
            "The kettle is in the kitchen",
            " ",
            "the kettle is in the kitchen!",
            "x" * 20_001,
            "Cups are on the shelf",
        ],
        category="workflow",
    )

    assert reply["count"] == 5
    kettle, blank, twin, long, cups = reply["results"]
    assert (kettle["fact_id"], kettle["status"]) == (1, "added")
    assert (twin["fact_id"], twin["status"]) == (1, "exists")
    assert (cups["fact_id"], cups["status"]) == (2, "added")
    assert "empty" in blank["error"]
    assert "20001" in long["error"]
    assert blank["hint"]
    assert long["hint"]
    assert [fact["category"] for fact in tool.call("list")["facts"]] == ["workflow"] * 2


def test_too_many_statements_are_refused_before_any_is_stored(tool: Door) -> None:
    """WHEN 201 statements come in one call, or 201 ids, THEN the call is refused, names the limit,
    and nothing was written; WHEN 200 come, THEN all are stored.
    """
    tool.call("add", content="The kettle is in the kitchen")

    for action, items in (
        ("add", {"contents": [f"shelf {n}" for n in range(201)]}),
        ("remove", {"fact_ids": [1] * 201}),
        ("helpful", {"fact_ids": [1] * 201}),
    ):
        refusal = tool.refused(action, **items)
        assert "201" in refusal["error"]
        assert "200" in refusal["hint"]
    assert tool.call("list")["total"] == 1
    assert read(tool, 1)["helpful_count"] == 0

    reply = tool.call("add", contents=[f"box {n} holds cable {n}" for n in range(200)])
    assert tool.call("list")["total"] == 201
    assert reply["results"][0]["fact_id"] == 2


def configure(door: Door, **preferences: object) -> None:
    """Leave a config.json in the home folder, before the first call."""
    (door.home / "config.json").write_text(json.dumps(preferences))


def read(door: Door, fact_id: int) -> Reply:
    (fact,) = door.call("get", fact_id=fact_id)["facts"]
    return fact
