"""How statements come in: as they were given, never over another one."""

from collections.abc import Callable

import pytest

from mnemo.enums import Category
from mnemo.errors import InvalidInput, MnemoError
from mnemo.memory import Memory
from mnemo.models import AddReply, Fact
from mnemo.writing.add import NewFact
from mnemo.writing.checks import LENGTH_WARNING
from tests.store.scratch import Sql, table

Add = Callable[..., AddReply]
Get = Callable[[int], Fact]


def test_a_fact_is_stored_as_it_was_given(add: Add, get: Get, sql: Sql) -> None:
    reply = add(
        "  用户喜欢深色主题  ",
        category="tool_pref",
        tags="主题, 编辑器,主题,,",
        summary=" 深色 ",
        source="chat:42",
        date="2026-05-01",
    )
    assert reply.as_json() == {
        "fact_id": 1,
        "status": "added",
        "category": "tool_pref",
        "memory_class": "user_preference",
    }
    fact = get(1)
    assert (fact.content, fact.summary, fact.tags) == (
        "用户喜欢深色主题",
        "深色",
        ("主题", "编辑器"),
    )
    assert (fact.category, fact.trust_score, fact.status) == ("tool_pref", 0.5, "active")
    assert (fact.source_ref, fact.date, fact.summary_source) == ("chat:42", "2026-05-01", "user")
    assert fact.created_at == fact.updated_at == "2026-05-14 12:00:00"
    assert fact.last_retrieved_at is None
    assert sql("SELECT action, entry_id FROM audit_log") == [("WRITE", "1")]


def test_what_is_not_given_has_its_plain_default(add: Add, get: Get) -> None:
    assert add("a fact", summary=" \n", tags="", category="", date="").category == "general"
    fact = get(1)
    assert (fact.summary, fact.tags, fact.date, fact.summary_source) == (None, (), None, None)
    assert fact.source_ref
    assert fact.source_ref.startswith("session:")


def test_one_memory_is_one_session(add: Add, get: Get) -> None:
    assert get(add("one").fact_id).source_ref == get(add("two").fact_id).source_ref


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("cafe\u0301", "café"),
        ("a\0b", "ab"),
        ("half \ud83d", "half \ufffd"),
        ("pair \ud83d\ude00", "pair 😀"),
        ("Ｐｙｔｈｏｎ　３", "Ｐｙｔｈｏｎ　３"),
        ("two\nlines", "two\nlines"),
        ("👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"),
    ],
)
def test_a_text_is_stored_in_its_normal_form(add: Add, get: Get, given: str, stored: str) -> None:
    assert get(add(given).fact_id).content == stored


@pytest.mark.parametrize("content", ["", "   ", "\n\t", "\0", "\u3000"])
def test_a_blank_statement_is_refused(memory: Memory, sql: Sql, content: str) -> None:
    [refused] = memory.add(NewFact(content))
    assert isinstance(refused, InvalidInput)
    assert "must not be empty" in refused.message
    assert sql("SELECT count(*) FROM facts") == [(0,)]
    assert sql("SELECT count(*) FROM operations") == [(0,)]


def test_a_statement_of_any_other_length_is_stored_or_refused_whole(
    memory: Memory, add: Add, get: Get
) -> None:
    assert len(get(add("深" * 20_000).fact_id).content) == 20_000
    [refused] = memory.add(NewFact("深" * 20_001))
    assert isinstance(refused, InvalidInput)
    assert "20001" in refused.message
    assert "split" in refused.hint


@pytest.mark.parametrize("category", ["generall", "GENERAL ", "身份", "null", "../etc"])
def test_an_unknown_category_is_refused_and_the_five_are_named(
    memory: Memory, category: str
) -> None:
    [reply] = memory.add(NewFact("a fact", category=category))
    if category == "GENERAL ":
        assert isinstance(reply, AddReply)
        return
    assert isinstance(reply, InvalidInput)
    assert all(name in reply.hint for name in Category)


@pytest.mark.parametrize("date", ["yesterday", "14.5.2026", "2026-13-01", "20260514", "2026-02-30"])
def test_what_names_no_day_is_refused_as_a_date(memory: Memory, sql: Sql, date: str) -> None:
    [refused] = memory.add(NewFact("a fact", date=date))
    assert isinstance(refused, InvalidInput)
    assert "2026-05-14" in refused.hint
    assert sql("SELECT count(*) FROM facts") == [(0,)]


@pytest.mark.parametrize("date", ["2026-05-01", " 2026-05-01 ", "2026-05-01T10:00:00Z"])
def test_a_date_is_stored_as_a_day(add: Add, get: Get, date: str) -> None:
    assert get(add("a fact", date=date).fact_id).date == "2026-05-01"


def test_tags_may_be_a_list_and_are_twenty_at_most(memory: Memory, add: Add, get: Get) -> None:
    assert get(add("one", tags=["a", " b ", "a,c"]).fact_id).tags == ("a", "b", "c")
    assert len(get(add("two", tags=[str(n) for n in range(20)]).fact_id).tags) == 20
    [refused] = memory.add(NewFact("three", tags=[str(n) for n in range(21)]))
    assert isinstance(refused, InvalidInput)


# -- length -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("length", "summary", "warned"),
    [(300, "", False), (400, "", False), (500, "", False), (501, "", True), (600, "short", False)],
)
def test_a_long_statement_without_a_summary_is_stored_with_one_warning(
    add: Add, length: int, summary: str, warned: bool
) -> None:
    reply = add("深" * length, summary=summary)
    assert reply.status == "added"
    assert reply.warnings == ((LENGTH_WARNING,) if warned else ())


def test_a_summary_that_is_long_itself_is_stored_with_a_hint(add: Add) -> None:
    assert add("one", summary="s" * 300).hints == ()
    [hint] = add("two", summary="s" * 301).hints
    assert "301" in hint


# -- several ------------------------------------------------------------------------------


def test_one_bad_statement_does_not_stop_the_others(memory: Memory, sql: Sql) -> None:
    replies = memory.add(NewFact("one"), NewFact(" "), NewFact("two", category="x"), NewFact("two"))
    assert [isinstance(reply, MnemoError) for reply in replies] == [False, True, True, False]
    assert sql("SELECT content FROM facts") == [("one",), ("two",)]
    assert sql("SELECT op_id, kind FROM operations") == [(1, "add")]
    assert sql("SELECT DISTINCT op_id FROM changes") == [(1,)]


def test_the_same_statement_twice_in_one_call_is_one_fact(memory: Memory) -> None:
    replies = memory.add(NewFact("one"), NewFact("One."))
    assert [(r.fact_id, r.status) for r in replies if isinstance(r, AddReply)] == [
        (1, "added"),
        (1, "exists"),
    ]


# -- twins --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("用户喜欢深色主题", "用户喜欢深色主题"),
        ("用户喜欢深色主题", "用户喜欢 深色主题。"),
        ("用户喜欢深色主题。", "用户喜欢深色主题！"),
        ("Uses VS Code", "uses  vs code."),
        ("Python3", "Ｐｙｔｈｏｎ３"),
        ("café", "cafe\u0301"),
    ],
)
def test_an_exact_twin_is_the_fact_that_is_there(
    add: Add, get: Get, sql: Sql, first: str, again: str
) -> None:
    add(first, tags="mine", summary="mine")
    before = get(1)
    reply = add(again, tags="other", summary="other")
    assert (reply.fact_id, reply.status, reply.category) == (1, "exists", "general")
    assert get(1) == before
    assert sql("SELECT count(*) FROM facts") == [(1,)]
    assert sql("SELECT count(*) FROM operations") == [(1,)]


def test_a_twin_fills_in_what_the_first_one_lacked(add: Add, get: Get, sql: Sql) -> None:
    add("a fact")
    add("a fact", tags="a,b", summary="short")
    fact = get(1)
    assert (fact.tags, fact.summary, fact.summary_source) == (("a", "b"), "short", "user")
    assert sql("SELECT action FROM audit_log ORDER BY id") == [("WRITE",), ("UPDATE",)]


def test_a_twin_that_is_long_brings_the_warning_again(add: Add) -> None:
    add("x" * 600)
    assert add("x" * 600).warnings == (LENGTH_WARNING,)
    assert add("x" * 600, summary="short").warnings == ()


def test_the_same_text_in_another_category_is_another_fact(add: Add) -> None:
    add("a fact")
    assert add("a fact", category="workflow").as_json() == {
        "fact_id": 2,
        "status": "added",
        "category": "workflow",
    }


def test_the_text_of_a_retired_fact_brings_it_back(
    memory: Memory, add: Add, get: Get, sql: Sql
) -> None:
    add("a fact", tags="a")
    before = get(1)
    for status in ("removed", "merged", "archived", "superseded"):
        memory.remove(1)
        sql("UPDATE facts SET status = ? WHERE fact_id = 1", status)
        reply = add("a fact")
        assert (reply.fact_id, reply.status) == (1, "restored")
        assert status in reply.reason
        assert get(1) == before
    assert sql("SELECT count(*) FROM facts") == [(1,)]


def test_a_retired_fact_of_other_spelling_stays_retired(memory: Memory, add: Add, get: Get) -> None:
    add("a fact")
    memory.remove(1)
    assert add("A FACT!").as_json()["fact_id"] == 2
    assert (get(1).status, get(2).content) == ("removed", "A FACT!")


def test_texts_that_begin_alike_are_different_facts(add: Add) -> None:
    beginning = "生产环境数据库连接配置信息如下所示请注意"
    assert add(f"{beginning}host=a").status == "added"
    assert add(f"{beginning}host=b").status == "added"


def test_adding_never_touches_another_fact(add: Add, sql: Sql) -> None:
    texts = [
        "用户偏好深色主题",
        "用户偏好深色主题，但打印文档时必须使用浅色主题",
        "用户不偏好深色主题",
        "周会在 9 点开始",
        "周会在 3 点开始",
    ]
    rows: list[dict[str, object]] = []
    for text in texts:
        add(text)
        after = table(sql, "facts")
        assert after[:-1] == rows
        rows = after
    assert [row["content"] for row in rows] == texts
