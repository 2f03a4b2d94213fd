"""What of a question finds facts: dates as wholes, phrases in their order, no stray digits."""

import time
from collections.abc import Callable

import pytest

from mnemo.retriever.search import Scored

Remember = Callable[..., list[int]]
Search = Callable[..., list[Scored]]


def ids(hits: list[Scored]) -> list[int]:
    return [hit.fact_id for hit in hits]


def test_the_numbers_of_a_date_find_nothing_that_only_has_such_numbers(
    remember: Remember, search: Search
) -> None:
    remember(
        "version 5 of 2023 budget",
        {"content": "met Anna for lunch", "date": "2023-05-08"},
        "lunch on 2023-06-01 in the office",
        "lift 8 broke down",
    )
    assert ids(search("lunch 8 May 2023")) == [2, 3]
    assert ids(search("lunch 2023-05-08")) == [2, 3]
    assert 1 in ids(search("tell me about 2023"))


@pytest.mark.parametrize(
    "query",
    [
        "incident of 8 May 2023",
        "incident on 2023-05-08",
        "incident, 2023年5月8日",
        "May 8, 2023 incident",
    ],
)
@pytest.mark.parametrize(
    "content",
    ["outage on 8 May 2023", "outage of 2023-05-08", "2023年5月8日的故障", "May 8 2023: outage"],
)
def test_a_date_in_a_text_is_found_by_the_same_date(
    remember: Remember, search: Search, content: str, query: str
) -> None:
    remember(content, "version 5 of 2023 budget", "8 tables in May")
    assert ids(search(query)) == [1]


def test_a_date_within_polite_words_finds_its_day(remember: Remember, search: Search) -> None:
    remember({"content": "a walk", "date": "2023-05-08"}, "a run")
    assert ids(search("tell me about 8 May 2023")) == [1]


def test_a_digit_within_a_word_finds_nothing_alone(remember: Remember, search: Search) -> None:
    remember("a fact about sqlite3 tuning", "the gateway is 10.0.3.21", "ADR-0005 is accepted")
    assert search("what about zzzz alpha3qq") == []
    assert ids(search("10.0.3.21"))[0] == 2
    assert ids(search("ADR-0005"))[0] == 3
    assert 1 in ids(search("sqlite 3"))


@pytest.mark.parametrize(
    ("query", "whole", "loose"),
    [
        ('"release plan"', "the release plan is in the wiki", "the plan is in the release wiki"),
        ("「深色主题」", "用户喜欢深色主题的编辑器", "用户喜欢主题深色的编辑器"),
        ("《设计模式》是什么书", "设计模式是一本书", "模式设计是一本书"),
    ],
)
def test_a_quoted_phrase_lifts_a_fact_that_holds_it_as_it_stands(
    remember: Remember, search: Search, query: str, whole: str, loose: str
) -> None:
    remember(*[loose] * 2, whole, *["unrelated"] * 9)
    assert ids(search(query))[0] == 3


def test_a_question_far_longer_than_any_fact_is_answered_quickly(
    remember: Remember, search: Search
) -> None:
    remember("数据库的密码在保险箱里")
    begun = time.perf_counter()
    assert ids(search("数据库的密码" + "天地玄黄宇宙洪荒" * 6250)) == [1]
    assert time.perf_counter() - begun < 1.0
