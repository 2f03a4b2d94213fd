"""Where sentences end, and what a summary is made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.text.sentences import split_sentences, summarise


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "先写测试。再写代码！好吗？好；走。",
            ["先写测试。", "再写代码！", "好吗？", "好；", "走。"],
        ),
        ("Write tests. Then code! Done?", ["Write tests.", "Then code!", "Done?"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("Really?! Yes.", ["Really?!", "Yes."]),
        ("他说“好。”然后走了", ["他说“好。”", "然后走了"]),
        ("", []),
        (" \n ", []),
        ("...", ["..."]),
    ],
)
def test_sentences_keep_their_punctuation(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ('She said "stop." Then she left.', ['She said "stop."', "Then she left."]),
        ("他说：“停。”然后走了。", ["他说：“停。”", "然后走了。"]),
        ("用的是 3.12.后来换成 3.13。", ["用的是 3.12.", "后来换成 3.13。"]),
        ("地址是 10.0.0.1.端口是 8080.", ["地址是 10.0.0.1.", "端口是 8080."]),
        ("写信给 a.b@c.org.谢谢。", ["写信给 a.b@c.org.", "谢谢。"]),
        (
            "See https://a.org/b?x=1. Then v2.0.1. Done",
            ["See https://a.org/b?x=1.", "Then v2.0.1.", "Done"],
        ),
        ("等等……然后再说。好", ["等等……然后再说。", "好"]),
        ("I see... Then go.", ["I see...", "Then go."]),
        ("- one\n- two. And more", ["- one", "- two.", "And more"]),
        ("（注：先备份。）再执行。", ["（注：先备份。）", "再执行。"]),
        ("价格是 3.5 元.便宜", ["价格是 3.5 元.", "便宜"]),
    ],
)
def test_numbers_addresses_quotes_and_lists_are_whole(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


def test_a_line_that_only_announces_is_no_summary() -> None:
    assert summarise("注意事项：\n" + "长" * 200) is None
    assert summarise("Remember:\nBack up first.\n" + "word " * 60) == "Remember: Back up first."


@pytest.mark.parametrize(
    "text",
    [
        "Python 3.11 costs 1.5 seconds",
        "Release v1.2.3 of it",
        "See https://example.com/a.html?b=1.2 for more",
        "Mail jane.doe@example.com about it",
        "Edit config.yaml and README.md first",
        "Use linters, e.g. ruff, i.e. one",
        "Ask Dr. Smith or J. Smith",
        "tabs vs. spaces",
        "See Fig. 2 and No. 5",
        "数值是3.14米",
        "Wait... then go on",
        "if a != b then stop",
        "用 .NET 开发",
        "1. Install it",
        "She asked (why?) and left",
        "She said 'stop.' and left",
        "He got a Ph.D. in 2001",
        "It takes 5 min. and no more",
    ],
)
def test_a_full_stop_inside_a_word_number_address_or_abbreviation_ends_nothing(text: str) -> None:
    assert split_sentences(text) == [text]


def test_a_full_stop_before_a_han_character_ends_a_sentence() -> None:
    assert split_sentences("测试用pytest.提交前先跑一遍.") == ["测试用pytest.", "提交前先跑一遍."]


def test_an_abbreviation_can_also_close_a_sentence() -> None:
    assert split_sentences("Buy milk, eggs, etc. Then call. He said no. It is 5 p.m. Go") == [
        "Buy milk, eggs, etc.",
        "Then call.",
        "He said no.",
        "It is 5 p.m.",
        "Go",
    ]


def test_the_number_of_a_step_stays_with_its_step() -> None:
    assert split_sentences("1. Install it. 2. Run it.") == ["1. Install it.", "2. Run it."]


def test_a_summary_is_the_first_two_sentences() -> None:
    assert summarise("一是这样。二是那样。三是别样。") == "一是这样。二是那样。"
    assert summarise("One. Two. Three.") == "One. Two."


def test_a_summary_joins_sentences_as_they_stand() -> None:
    assert summarise("One.\n\nTwo.") == "One. Two."
    assert summarise("一。二。") == "一。二。"


def test_the_first_sentence_alone_where_two_are_too_long() -> None:
    text = "短句。" + "长" * 149 + "。"
    assert summarise(text) == "短句。"


def test_exactly_the_limit_still_fits() -> None:
    text = "甲" * 74 + "。" + "乙" * 74 + "。" + "丙。"
    assert summarise(text) == text[:150]
    assert summarise("丁" + text) == "丁" + text[:75]


def test_no_summary_where_no_whole_sentence_fits() -> None:
    assert summarise("长" * 200 + "。短。") is None
    assert summarise("word " * 60) is None
    assert summarise("  ") is None


@given(st.text(alphabet='ab1.。!?； \n好…"”/=', max_size=60))
def test_splitting_loses_nothing_but_white_space(text: str) -> None:
    joined = "".join("".join(split_sentences(text)).split())
    assert joined == "".join(text.split())


@given(st.text(alphabet="ab1.。!?； \n好…", max_size=200), st.integers(1, 150))
def test_a_summary_is_short_and_stands_in_the_text(text: str, limit: int) -> None:
    summary = summarise(text, limit=limit)
    if summary is not None:
        assert 0 < len(summary) <= limit
        assert summary in " ".join(text.split())
