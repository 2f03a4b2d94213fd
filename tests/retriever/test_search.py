"""A query is taken literally, finds what shares a word with it, and nothing else, in one order."""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemo.enums import Status
from mnemo.errors import InvalidInput
from mnemo.retriever.scoring import final_score
from mnemo.retriever.search import Scored, search_facts
from mnemo.store import Filter, Store
from tests.store.scratch import NOW, fill

Remember = Callable[..., list[int]]
Search = Callable[..., list[Scored]]


def ids(hits: Sequence[Scored]) -> list[int]:
    return [hit.fact_id for hit in hits]


# -- literal ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    [
        "C++",
        "C#",
        ".NET",
        "NOT",
        "NOT x",
        "AND",
        "retry OR",
        "NEAR(",
        "(a",
        "{a b}",
        '"',
        "'",
        'timeout "error',
        "*",
        "a*",
        "%",
        "_",
        "100%",
        "50%",
        "$5",
        "#123",
        "a,b",
        "ok?",
        "foo-bar",
        "key:val",
        "status: done",
        "don't use agents",
        "Downloads/transcripts",
        "src/main.py",
        "alice@example.com",
        "std::vector",
        "grammar::fa",
        "my-app.config.ts",
        '"my-app".config',
        "错题本 OR 错题 OR wrong-book",
        "👍🏽",
        "👨‍👩‍👧‍👦 家",
        "\x00\x01\x1f",
        "a\0b",
        "\ufeff",
        "--",
        "; DROP TABLE facts",
        "match_text : deploy",
        "^deploy",
        "deploy + deploy",
        "-deploy",
        "的",
        "不",
        "not",
        "the",
    ],
)
def test_no_query_is_ever_a_command_to_the_index(
    remember: Remember, search: Search, query: str
) -> None:
    """It answers, it is no wildcard, and a fact that holds it word for word is found."""
    [unrelated, itself] = remember("deploy on Tuesday", f"x {query} y")
    hits = ids(search(query))
    if "deploy" not in query:
        assert unrelated not in hits
    if any(char.isalnum() for char in query):
        assert itself in hits


def test_half_a_character_in_a_question_is_passed_over(remember: Remember, search: Search) -> None:
    remember("deploy on Tuesday")
    assert ids(search("deploy \ud83d")) == [1]
    assert search("\ud83d") == []


def test_a_question_as_long_as_a_document_is_answered(remember: Remember, search: Search) -> None:
    remember("深色主题", "light theme")
    assert ids(search("深色主题" + "完全不同的内容" * 1500)) == [1]
    assert ids(search("theme " + "word" * 2500)) == [2]
    assert search("z" * 10_000) == []


@pytest.mark.parametrize("query", ["", " ", "\n\t", "\u3000"])
def test_a_blank_question_is_refused(search: Search, query: str) -> None:
    with pytest.raises(InvalidInput, match="empty") as refused:
        search(query)
    assert "list" in refused.value.hint


@given(st.text(max_size=60))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_text_is_a_question(search: Search, query: str) -> None:
    if query.strip():
        search(query)


# -- what is found ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "queries"),
    [
        ("修改youer服务端的计划", ["youer", "youer 服务端 修改", "服务"]),
        ("昨天的聊天记录记忆断裂问题", ["记忆断裂"]),
        ("即适者生存，生存等于正确的道理", ["适者生存", "正确"]),
        ("今日は成語しりとりをした", ["しりとり"]),
        ("오늘 끝말잇기 게임을 했다", ["끝말잇기"]),
        ("我把用户身份加入白名单了", ["白名单", "名单", "用户身份"]),
        ("端口８０８０，Ｐｙｔｈｏｎ３", ["8080", "Python3"]),
        ("Likes C++", ["C++", "likes"]),
        ("café résumé a_b_c", ["cafe", "café", "a_b_c", "RESUME"]),
        ("getShippingMethodIdFromCheckout is slow", ["checkout", "shipping method"]),
        ("uteke-cloud-dev runs ADR-0005", ["uteke-cloud-dev", "ADR-0005", "cloud"]),
        ("κόσμος Straße", ["κοσμος", "strasse"]),
        ("請用繁體中文", ["请用繁体", "繁體"]),
        ("linear app uses a cli", ["linear cli", "cli linear"]),
        ("deployment rollback happened on Friday", ["what happened with the deployment rollback"]),
        ("the server is 10.20.30.41", ["10.20.30.41"]),
        ("prefers tabs", ["preferred tab", "prefer"]),
    ],
)
def test_a_fact_is_found_by_its_words(
    remember: Remember, search: Search, content: str, queries: list[str]
) -> None:
    [fact_id, *_] = remember(content, "完全无关的一条", "zebra crossing")
    for query in queries:
        assert ids(search(query)) == [fact_id], query


def test_nothing_unrelated_fills_a_list_up(remember: Remember, search: Search) -> None:
    remember(
        "I care about tests",
        "what a day",
        "port 3000",
        "深色主题",
        {"content": "x", "trust_score": 1.0},
    )
    assert search("what about zzzz") == []
    assert search("完全陌生") == []
    assert ids(search("tests")) == [1]


def test_a_question_of_small_words_alone_is_answered_by_them(
    remember: Remember, search: Search
) -> None:
    remember("to be or not to be", "something else")
    assert ids(search("to be or not")) == [1]


@pytest.mark.parametrize(
    ("query", "expected"),
    [("gres", [1]), ("greSQL", [1]), ("色主", [2]), ("%", []), ("qqq", [])],
)
def test_where_no_word_is_known_words_that_contain_it_are_found(
    remember: Remember, search: Search, query: str, expected: list[int]
) -> None:
    remember("uses PostgreSQL", "深色主题", "light theme")
    assert ids(search(query)) == expected


def test_a_word_within_a_word_counts_nothing_in_the_index(
    remember: Remember, search: Search
) -> None:
    remember("kubernetes")
    [hit] = search("bernet")
    assert hit.fts == 0.0
    assert hit.jaccard == 1.0
    assert hit.score == pytest.approx(0.5 * 0.5)


def test_the_day_of_a_fact_is_no_word_within_a_word(remember: Remember, search: Search) -> None:
    """Every fact has a day; digits that no fact holds must not find them all."""
    remember({"content": "light theme", "date": "2026-05-14"})
    assert search("room 20") == []
    assert search("05") == []


def test_a_day_ranks_and_recalls_only_where_there_is_nothing_else(
    remember: Remember, search: Search
) -> None:
    remember(
        {"content": "dinner with Ann", "date": "2023-05-08"},
        {"content": "dinner with Bob", "date": "2023-06-01"},
        {"content": "a walk", "date": "2023-05-08"},
        *({"content": "a run", "date": f"2024-01-{day:02}"} for day in range(1, 21)),
    )
    assert ids(search("dinner on 8 May 2023"))[0] == 1
    assert 3 not in ids(search("dinner on 8 May 2023"))
    # The year alone is shared by the one of June, which comes last.
    assert sorted(ids(search("2023年5月8日"))[:2]) == [1, 3]


def test_tags_find_and_do_not_rank(remember: Remember, search: Search) -> None:
    remember({"content": "dark theme", "tags": "editor,colours"})
    [hit] = search("editor")
    assert hit.jaccard == 0.0
    assert hit.fts == 1.0


def test_a_fact_is_ranked_on_its_summary_and_found_by_its_content(
    remember: Remember, search: Search
) -> None:
    remember({"content": f"the gateway is 10.1.2.3 {'and more ' * 300}", "summary": "VS Code"})
    [hit] = search("VS Code")
    assert (hit.jaccard, hit.penalty) == (1.0, 1.0)
    [hit] = search("gateway")
    assert hit.jaccard == 0.0


def test_the_end_of_a_very_long_fact_is_found(remember: Remember, search: Search) -> None:
    remember(f"{'word ' * 3900} xylophone", "unrelated")
    assert ids(search("xylophone")) == [1]
    remember("x" * 15_000, "x" * 14_000 + "y" * 1_000)
    assert ids(search("x" * 15_000)) == [3]


# -- filters ------------------------------------------------------------------------------


def test_only_what_is_wanted_is_found(remember: Remember, search: Search) -> None:
    remember(
        {"content": "deploy a", "category": "workflow", "trust_score": 0.9},
        {"content": "deploy b", "category": "general", "trust_score": 0.2},
        {"content": "deploy c", "status": Status.ARCHIVED},
        {"content": "deploy d", "status": Status.REMOVED},
        {"content": "deploy e", "status": Status.SUPERSEDED},
        {"content": "deploy f", "status": Status.PENDING},
    )
    assert sorted(ids(search("deploy"))) == [1, 2]
    assert ids(search("deploy", Filter(category="workflow"))) == [1]
    assert ids(search("deploy", Filter(min_trust=0.5))) == [1]
    everything = Filter(statuses=(Status.ACTIVE, Status.ARCHIVED))
    assert sorted(ids(search("deploy", everything))) == [1, 2, 3]


def test_filters_hold_for_words_within_words_too(remember: Remember, search: Search) -> None:
    remember(
        {"content": "PostgreSQL", "category": "workflow"},
        {"content": "PostgreSQL", "category": "general"},
    )
    assert ids(search("gres", Filter(category="workflow"))) == [1]


# -- order --------------------------------------------------------------------------------


def test_a_score_is_made_of_its_parts(remember: Remember, search: Search) -> None:
    remember("deploy on Tuesday", {"content": "deploy " * 60, "trust_score": 0.9})
    for hit in search("deploy Tuesday"):
        assert hit.relevance == pytest.approx(0.5 * hit.fts + 0.5 * hit.jaccard)
        assert hit.score == pytest.approx(hit.relevance * hit.trust * hit.penalty)
        assert 0.0 <= hit.score <= 1.0


def test_trust_lifts_a_fact_over_hundreds_that_match_as_well(
    remember: Remember, search: Search
) -> None:
    """Candidates are scored first and cut afterwards."""
    trusted = {"content": "deploy on Tuesday", "trust_score": 1.0}
    remember(*["deploy on Monday"] * 100, trusted, *["deploy on Friday"] * 100)
    assert ids(search("deploy", limit=1)) == [101]


def test_equals_are_ordered_by_trust_then_age_then_id(remember: Remember, search: Search) -> None:
    remember(
        {"content": "deploy", "created_at": "2026-01-01 00:00:00"},
        {"content": "deploy", "created_at": "2026-02-01 00:00:00"},
        {"content": "deploy", "created_at": "2026-02-01 00:00:00"},
        {"content": "deploy", "trust_score": 0.0, "created_at": "2026-03-01 00:00:00"},
        {"content": "deploy", "trust_score": 0.9, "created_at": "2025-01-01 00:00:00"},
    )
    assert ids(search("deploy")) == [5, 2, 3, 1, 4]


def test_the_same_question_has_the_same_answer(remember: Remember, search: Search) -> None:
    remember(*(f"deploy number {number}" for number in range(50)))
    assert search("deploy number") == search("deploy number")


_FACTS = st.lists(
    st.fixed_dictionaries(
        {
            "content": st.sampled_from(
                ["deploy", "deploy on Tuesday", "部署在周二", "deploy 部署", "tests", "run tests"]
            ),
            "trust_score": st.sampled_from([0.2, 0.5, 0.9]),
            "created_at": st.sampled_from(["2026-01-01 00:00:00", "2026-02-01 00:00:00"]),
        }
    ),
    min_size=1,
    max_size=8,
)


@given(data=st.data(), facts=_FACTS)
@settings(max_examples=20, deadline=None)
def test_the_order_does_not_depend_on_the_order_of_storing(
    data: st.DataObject, facts: list[dict[str, Any]]
) -> None:
    shuffled = data.draw(st.permutations(facts))

    def answer(stored: list[dict[str, Any]]) -> tuple[list[Any], list[Any]]:
        with TemporaryDirectory() as folder, closing(Store(Path(folder) / "f", now=NOW)) as store:
            fill(store, stored)
            hits = search_facts(store, "deploy 部署 tests", Filter(), limit=9, today=NOW.date())
            facts = {fact.fact_id: fact for fact in store.facts.get(ids(hits))}
        # Which of equals comes first is all that the ids may decide.
        keys = [(h.score, h.trust, h.created_at) for h in hits]
        return keys, sorted((*k, facts[h.fact_id].content) for k, h in zip(keys, hits, strict=True))

    assert answer(facts) == answer(shuffled)


def test_a_hit_scores_what_the_formula_says(remember: Remember, search: Search) -> None:
    remember({"content": "deploy " + "x" * 593, "trust_score": 0.8})
    [hit] = search("deploy")
    assert hit.score == pytest.approx(final_score(hit.relevance, 0.8, 600))
    assert hit.penalty == 0.5
