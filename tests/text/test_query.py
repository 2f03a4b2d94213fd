"""What a question asks for, and how the index is asked."""

import sqlite3

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mnemo.text.query import (
    beginning_of,
    match_expression,
    recalling_tokens,
    refine_query,
    sequences,
)
from mnemo.text.tokens import index_tokens

PARTS = """
请问 请 帮我 麻烦你 我想知道 告诉我 能不能 运行 测试 端口 是 什么 吗 谢谢 ？ ， " 「 」 《 》 '
can you please tell me what is the port thanks ? hey Visual Studio Code git status C++ npm
""".split()
QUERY = st.one_of(
    st.text(st.characters(), max_size=40),
    st.lists(st.sampled_from(PARTS), max_size=12).map(" ".join),
    st.lists(st.sampled_from([*"请问帮我想知道吗谢？吧「」端口测试运行"]), max_size=12).map(
        "".join
    ),
)


@given(QUERY)
@example("please thanks")
@example("thanks" + "please" * 3)
@example("what is what's please?吗？")
@settings(deadline=None)
def test_refining_a_refined_query_changes_nothing(text: str) -> None:
    refined = refine_query(text)
    if refined is not None:
        assert refine_query(refined.query) == refined
        assert refined.query in text
        assert refined.tokens == tuple(index_tokens(refined.query))


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("帮我用 TypeScript 重构 auth 模块", "用 TypeScript 重构 auth 模块"),
        ("请问，用户的编辑器是什么？", "用户的编辑器是什么"),
        ("请帮我查一下数据库密码", "查一下数据库密码"),
        ("麻烦您告诉我服务端口，谢谢！", "服务端口"),
        ("我想知道部署流程", "部署流程"),
        ("你能不能帮我找部署流程好吗？", "找部署流程"),
        ("Can you please tell me what is the port?", "the port"),
        ("What\u2019s the deployment process, please?", "the deployment process"),
        ("hey, could you remind me of the release date? Thanks!", "the release date"),
        ("I'd like to know where tests live", "where tests live"),
        ("  port 8443  ", "port 8443"),
        ("帮我们部署网站", "部署网站"),
        ("可以告诉我们部署流程吗", "部署流程"),
        ("我想问问部署流程", "部署流程"),
        ("请问候老师", "问候老师"),
        ("他的爱好吗", "他的爱好"),
        ("这是银行吗？", "这是银行"),
        ("部署流程，行吗？", "部署流程"),
    ],
)
def test_polite_words_go_from_both_ends(text: str, query: str) -> None:
    refined = refine_query(text)
    assert refined is not None
    assert refined.query == query


@pytest.mark.parametrize(
    "text",
    [
        "npm 账号",
        "单元测试规范",
        "请假流程",
        "请客名单",
        "C++ 偏好",
        "git 工作流偏好",
        "运行测试的命令是 pytest",
        "附近的酒吧",
        "麻烦制造者",
        "他请我帮我弟弟",
        "status page",
        "thanksgiving dinner",
        "pleased customers",
        "whatsapp group",
        ".NET 版本",
        "给我妈妈打电话",
        "干吗",
        'say "please" first',
        "告诉我们的密码",
        "告诉我的密码",
        "帮忙的同事",
        "帮我的同事",
        "帮我们的同事",
        "能帮忙的人",
        "你能帮我的地方",
        "给我们的礼物",
        "给我的礼物",
        "我想要的礼物",
        "我想知道一下的事",
        "我想了解决方案",
    ],
)
def test_words_that_mean_something_stay(text: str) -> None:
    refined = refine_query(text)
    assert refined is not None
    assert refined.query == text


@pytest.mark.parametrize(
    "text",
    [
        "运行测试",
        "git status",
        "git commit",
        "创建文件",
        "请帮我运行测试",
        "run the tests, please",
        "can you",
        "谢谢",
        "",
        " \n",
        "？！…",
    ],
)
def test_a_query_that_only_operates_asks_for_nothing(text: str) -> None:
    assert refine_query(text) is None


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("喜欢「深色主题」吗", ("深色主题",)),
        ("《设计模式》是什么书", ("设计模式",)),
        ("open Visual Studio Code settings", ("Visual Studio Code",)),
        ('"Visual Studio Code" 偏好', ("Visual Studio Code",)),
        ("the “release plan” and 'code freeze'", ("release plan", "code freeze")),
        ("Is VS Code faster than Sublime Text 4?", ("VS Code", "Sublime Text 4")),
        ("The Project starts", ()),
        ("don't use Bob's editor", ()),
        ('「」 "" 《 》', None),
        ("「运行测试」", ("运行测试",)),
    ],
)
def test_phrases_are_kept_whole(text: str, phrases: tuple[str, ...] | None) -> None:
    refined = refine_query(text)
    assert (refined and refined.phrases) == phrases


def test_a_match_expression_quotes_every_token_once() -> None:
    assert match_expression([]) == ""
    assert match_expression(["c++"]) == '"c++"'
    assert match_expression(iter(["a", "b", "a"])) == '"a" OR "b"'
    assert match_expression(['a"b']) == '"a""b"'


FACTS = (
    "Likes C++",
    "Likes C",
    "don't use agents",
    "错题本在 wrong-book 里",
    "retry the my-app.config.ts build",
    "std::vector and grammar::fa",
    "Downloads/transcripts holds #123 at 50% for $5, a,b, ok?",
    "status: done, timeout error, NEAR (a) {a b} NOT x AND OR",
    "mail alice@example.com",
    "snake_case_var",
    "折扣100%",
    "折扣200",
    "key:val foo-bar",
    "👍",
)


@pytest.fixture(scope="module")
def index() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute(
        """CREATE VIRTUAL TABLE facts USING fts5(
           body, tokenize="ascii tokenchars '!#$%&()*+,-./:;<=>?@[\\]^_`{|}~'")"""
    )
    for number, text in enumerate(FACTS):
        body = " ".join(index_tokens(text))
        connection.execute("INSERT INTO facts(rowid, body) VALUES (?, ?)", (number, body))
    return connection


def found(index: sqlite3.Connection, query: str) -> list[str]:
    expression = match_expression(index_tokens(query))
    if not expression:
        return []
    rows = index.execute("SELECT rowid FROM facts WHERE facts MATCH ? ORDER BY rank", (expression,))
    return [FACTS[number] for (number,) in rows]


@pytest.mark.parametrize("text", FACTS)
def test_every_fact_is_found_by_its_own_text(index: sqlite3.Connection, text: str) -> None:
    assert found(index, text)[0] == text


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("C++", "Likes C++"),
        ("don't use agents", "don't use agents"),
        ("错题本 OR 错题 OR wrong-book OR mistakes", "错题本在 wrong-book 里"),
        ('"my-app".config', "retry the my-app.config.ts build"),
        ("my-app.config.ts", "retry the my-app.config.ts build"),
        ("grammar::fa", "std::vector and grammar::fa"),
        ("Downloads/transcripts", "Downloads/transcripts holds #123 at 50% for $5, a,b, ok?"),
        ("#123", "Downloads/transcripts holds #123 at 50% for $5, a,b, ok?"),
        ("$5", "Downloads/transcripts holds #123 at 50% for $5, a,b, ok?"),
        ('timeout "error', "status: done, timeout error, NEAR (a) {a b} NOT x AND OR"),
        ("NEAR(", "status: done, timeout error, NEAR (a) {a b} NOT x AND OR"),
        ("NOT x", "status: done, timeout error, NEAR (a) {a b} NOT x AND OR"),
        ("alice@example.com", "mail alice@example.com"),
        ("snake_case_var", "snake_case_var"),
        ("折扣100%", "折扣100%"),
        ("key:val", "key:val foo-bar"),
        ("foo-bar", "key:val foo-bar"),
        ("👍", "👍"),
    ],
)
def test_a_query_is_taken_literally(index: sqlite3.Connection, query: str, text: str) -> None:
    assert found(index, query)[0] == text


@pytest.mark.parametrize("query", ["%", "_", "*", '"', "NOTHING*", "^", "()", "-", "body:", "zzz?"])
def test_no_query_is_a_wildcard(index: sqlite3.Connection, query: str) -> None:
    assert found(index, query) == []


@given(text=st.text(st.characters(), max_size=60))
@settings(deadline=None)
def test_no_query_is_a_syntax_error(index: sqlite3.Connection, text: str) -> None:
    found(index, text)


@pytest.mark.parametrize("size", [3000, 10_000])
def test_a_very_long_query_is_no_error(index: sqlite3.Connection, size: int) -> None:
    assert found(index, " ".join(f"w{number}" for number in range(size)) + " C++")
    assert found(index, "中文" * size) == []


@pytest.mark.parametrize(
    "text", ["word " * 9000, "数据库的密码" * 5000, "请" * 30_000, "x-" * 9000]
)
def test_the_beginning_of_a_very_long_text_is_what_it_asks_for(text: str) -> None:
    beginning = beginning_of(text)
    assert text.startswith(beginning)
    assert beginning_of(beginning) == beginning
    assert set(index_tokens(text[:3000])) & set(index_tokens(beginning))


def test_a_long_beginning_does_not_end_within_a_word() -> None:
    assert beginning_of("word " * 9000 + "end")[-5:].strip() == "word"
    assert beginning_of("x" * 20_000) == "x" * 20_000
    assert beginning_of("short") == "short"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("alpha3qq", ["alpha3qq", "alpha", "qq"]),
        ("python3 and 3", ["python3", "python", "3"]),
        ("port8080", ["port8080", "port", "8080"]),
        ("v1.2.3", ["v1.2.3", "1.2.3", "1", "2", "3"]),
        ("10.0.3.21", ["10.0.3.21", "10", "0", "3", "21"]),
        ("ADR-0005", ["adr-0005", "adr", "0005"]),
        ("room ７", ["room", "7"]),
        ("第3页", ["第", "3", "页"]),
        ("June 1st", ["june", "1st", "1"]),
        ("the", ["the"]),
    ],
)
def test_a_digit_within_a_word_recalls_nothing(text: str, shown: list[str]) -> None:
    assert recalling_tokens(text, tuple(dict.fromkeys(index_tokens(text)))) == shown


@pytest.mark.parametrize(
    ("phrases", "expected"),
    [
        (("release plan",), ["releas plan"]),
        (("深色主题",), ["深 色 主 题"]),
        (("VS Code 深色主题",), ["vs code", "深 色 主 题"]),
        (("主题", "theme"), []),
    ],
)
def test_a_phrase_is_looked_for_in_its_order(phrases: tuple[str, ...], expected: list[str]) -> None:
    assert sequences(phrases) == expected


@pytest.mark.parametrize("part", ["?", "please ", "aZ9", "AB ", "吗", "「", "请问"])
def test_a_very_long_query_is_refined_in_reasonable_time(part: str) -> None:
    refine_query(part * 5000)
