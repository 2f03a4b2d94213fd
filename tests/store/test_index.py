"""The derived rows follow the facts, whoever changes them."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemo.enums import Actor, Op, Status
from mnemo.store import Filter, Operation, Store
from mnemo.text.query import match_expression
from mnemo.text.tokens import index_tokens
from tests.store.scratch import Sql

Add = Callable[..., int]
Change = Callable[..., None]

EVERYTHING = Filter(statuses=tuple(Status))


def found(store: Store, query: str, wanted: Filter = EVERYTHING) -> list[int]:
    expression = match_expression(index_tokens(query))
    return sorted(c.fact_id for c in store.index.candidates(expression, wanted, limit=50))


def assert_in_step(path: Path) -> None:
    """Rows of the index are those of the searchable facts, and FTS5 finds nothing wrong."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO fact_index(fact_index) VALUES ('integrity-check')")
        indexed = connection.execute("SELECT fact_id FROM fact_tokens ORDER BY 1").fetchall()
        searchable = connection.execute(
            "SELECT fact_id FROM facts WHERE status IN ('active', 'archived', 'superseded') "
            "ORDER BY 1"
        ).fetchall()
        assert indexed == searchable
        assert connection.execute("SELECT count(*) FROM dirty").fetchone() == (0,)
        assert_counted(connection)


def assert_counted(connection: sqlite3.Connection) -> None:
    """The kept counts are those that FTS5 finds by walking through its index."""
    connection.execute("CREATE VIRTUAL TABLE temp.seen USING fts5vocab(main, fact_index, row)")
    seen = connection.execute("SELECT term, doc FROM seen ORDER BY 1").fetchall()
    assert connection.execute("SELECT word, facts FROM words ORDER BY 1").fetchall() == seen
    size = connection.execute("SELECT facts, tokens FROM index_size").fetchone()
    rows = connection.execute("SELECT match_text, body, tags, dates, token_count FROM fact_tokens")
    counted = [(" ".join(columns).split(), count) for *columns, count in rows]
    assert all(len(tokens) == count for tokens, count in counted)
    assert size == (len(counted), sum(count for _, count in counted))


@pytest.mark.parametrize(
    ("status", "indexed"),
    [
        (Status.ACTIVE, True),
        (Status.ARCHIVED, True),
        (Status.SUPERSEDED, True),
        (Status.PENDING, False),
        (Status.MERGED, False),
        (Status.REMOVED, False),
    ],
)
def test_only_what_may_be_shown_is_in_the_index(
    store: Store, add: Add, change: Change, path: Path, status: Status, indexed: bool
) -> None:
    fact_id = add("深色主题")
    change(fact_id, status=status)
    assert_in_step(path)
    assert found(store, "深色") == ([fact_id] if indexed else [])


def test_the_old_words_of_a_changed_fact_are_found_no_longer(
    store: Store, add: Add, change: Change, path: Path
) -> None:
    fact_id = add("tabs are four wide", tags="editor", summary="tab width")
    change(fact_id, content="spaces instead", tags="layout", summary=None)
    assert_in_step(path)
    assert found(store, "tabs four editor width") == []
    for query in ("spaces", "layout"):
        assert found(store, query) == [fact_id]


def test_a_fact_is_found_by_its_content_behind_a_summary(store: Store, add: Add) -> None:
    fact_id = add("the gateway is 10.1.2.3:8443", summary="network notes")
    assert found(store, "10.1.2.3:8443") == [fact_id]
    assert found(store, "network") == [fact_id]


@pytest.mark.parametrize("summary", ["", "  \n"])
def test_a_blank_summary_of_another_program_hides_no_content(
    store: Store, add: Add, summary: str
) -> None:
    fact_id = add("深色主题", summary=summary)
    [candidate] = store.index.candidates('"深色"', EVERYTHING, limit=5)
    assert (candidate.fact_id, candidate.match_length) == (fact_id, 4)
    assert "深色" in candidate.tokens.split()


def test_lengths_are_code_points(store: Store, add: Add) -> None:
    add("深色👍🏽 theme\0tail")
    [candidate] = store.index.candidates('"深色"', EVERYTHING, limit=5)
    assert candidate.match_length == len("深色👍🏽 theme\0tail")


# -- other programs -----------------------------------------------------------------------


def test_what_another_program_writes_is_found_at_the_next_call(
    store: Store, add: Add, sql: Sql, path: Path
) -> None:
    add("left alone")
    deleted = add("deleted elsewhere")
    changed = add("changed elsewhere")
    sql("INSERT INTO facts(content) VALUES ('written elsewhere')")
    sql("UPDATE facts SET content = 'rewritten by another' WHERE fact_id = ?", changed)
    sql("DELETE FROM facts WHERE fact_id = ?", deleted)
    assert store.index.is_stale()
    assert store.index.catch_up(seconds=60) == 0
    assert_in_step(path)
    assert found(store, "elsewhere") == [4]
    assert found(store, "rewritten") == [changed]


def test_a_row_that_another_program_replaced_is_noticed(
    store: Store, add: Add, sql: Sql, path: Path
) -> None:
    fact_id = add("before")
    sql("INSERT OR REPLACE INTO facts(fact_id, content) VALUES (?, 'afterwards')", fact_id)
    store.index.catch_up(seconds=60)
    assert_in_step(path)
    assert (found(store, "before"), found(store, "afterwards")) == ([], [fact_id])


def test_what_is_no_text_is_indexed_as_the_text_it_looks_like(
    store: Store, sql: Sql, path: Path
) -> None:
    sql("INSERT INTO facts(content) VALUES (CAST('深色主题' AS BLOB)), (8443)")
    store.index.catch_up(seconds=60)
    assert_in_step(path)
    assert (found(store, "深色"), found(store, "8443")) == ([1], [2])


def test_nothing_is_written_where_nothing_waits(store: Store, add: Add, sql: Sql) -> None:
    add("a fact")
    store.index.catch_up(seconds=60)
    before = sql("PRAGMA data_version")
    written = sql("SELECT count(*) FROM dirty")
    assert not store.index.is_stale()
    assert store.index.catch_up(seconds=60) == 0
    assert sql("PRAGMA data_version") == before
    assert sql("SELECT count(*) FROM dirty") == written


def test_facts_are_indexed_in_portions_and_the_rest_is_counted(
    store: Store, sql: Sql, path: Path
) -> None:
    sql(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450) "
        "INSERT INTO facts(content) SELECT 'fact ' || i FROM n"
    )
    assert store.index.pending() == 450
    left = store.index.catch_up(seconds=0)
    assert 0 < left < 450
    assert left == store.index.pending()
    assert store.index.catch_up(seconds=60) == 0
    assert_in_step(path)


def test_a_write_does_not_wait_for_the_backlog_of_others(store: Store, add: Add, sql: Sql) -> None:
    sql(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
        "INSERT INTO facts(content) SELECT 'fact ' || i FROM n"
    )
    fact_id = add("written here")
    assert found(store, "written") == [fact_id]
    assert store.index.pending() == 300


def test_another_token_function_has_every_fact_indexed_anew(
    store: Store, add: Add, sql: Sql, path: Path
) -> None:
    fact_id = add("深色主题")
    store.index.catch_up(seconds=60)
    sql("UPDATE fact_tokens SET match_text = 'as an older function made it'")
    sql("UPDATE meta SET v = 'tokens-0 of another dictionary' WHERE k = 'tokens_version'")
    assert store.index.is_stale()
    assert store.index.catch_up(seconds=60) == 0
    [candidate] = store.index.candidates('"深色"', EVERYTHING, limit=5)
    assert candidate.fact_id == fact_id
    assert "深色" in candidate.tokens.split()
    assert not store.index.is_stale()


# -- merged facts -------------------------------------------------------------------------


def test_the_words_of_a_merged_fact_are_found_under_its_survivor(
    store: Store, add: Add, change: Change, path: Path
) -> None:
    kept, gone = add("likes the dark theme"), add("prefers midnight colours")
    change(gone, status=Status.MERGED, merged_into=kept)
    assert_in_step(path)
    assert found(store, "midnight") == [kept]
    change(gone, status=Status.ACTIVE, merged_into=None)
    assert_in_step(path)
    assert found(store, "midnight") == [gone]


def test_the_words_of_a_chain_of_merges_are_found_under_its_last_survivor(
    store: Store, add: Add, change: Change, path: Path
) -> None:
    first, second, last = add("alpha"), add("beta"), add("gamma")
    change(first, status=Status.MERGED, merged_into=second)
    change(second, status=Status.MERGED, merged_into=last)
    assert_in_step(path)
    assert found(store, "alpha beta") == [last]
    change(first, status=Status.ACTIVE, merged_into=None)
    assert (found(store, "alpha"), found(store, "beta")) == ([first], [last])
    change(second, status=Status.ACTIVE, merged_into=None)
    assert_in_step(path)
    assert (found(store, "beta"), found(store, "gamma")) == ([second], [last])


def test_facts_that_were_merged_into_each_other_hang_nothing(
    store: Store, add: Add, sql: Sql, path: Path
) -> None:
    first, second = add("alpha"), add("beta")
    sql("UPDATE facts SET status = 'merged', merged_into = ? WHERE fact_id = ?", second, first)
    sql("UPDATE facts SET status = 'merged', merged_into = ? WHERE fact_id = ?", first, second)
    assert store.index.catch_up(seconds=60) == 0
    assert_in_step(path)


def test_the_words_go_with_a_merged_fact_that_another_program_deletes(
    store: Store, add: Add, change: Change, sql: Sql, path: Path
) -> None:
    kept, gone = add("alpha"), add("beta")
    change(gone, status=Status.MERGED, merged_into=kept)
    sql("DELETE FROM facts WHERE fact_id = ?", gone)
    store.index.catch_up(seconds=60)
    assert_in_step(path)
    assert found(store, "beta") == []


# -- twins --------------------------------------------------------------------------------


def test_twins_are_the_same_but_for_case_width_spaces_and_the_last_mark(
    store: Store, add: Add
) -> None:
    ids = [add("用户喜欢深色主题"), add("用户喜欢 深色主题。"), add("ＶＳ Code")]
    assert store.index.twins("用户喜欢深色主题！") == ids[:2]
    assert store.index.twins("vs code.") == ids[2:]
    assert store.index.twins("用户不喜欢深色主题") == []


def test_a_retired_fact_still_has_its_twin(store: Store, add: Add, change: Change) -> None:
    fact_id = add("a fact")
    change(fact_id, status=Status.REMOVED)
    assert store.index.twins("A fact.") == [fact_id]


# -- asking -------------------------------------------------------------------------------


def test_candidates_are_of_the_wanted_kind_best_first(
    store: Store, add: Add, change: Change
) -> None:
    add("deploy", trust_score=0.2)
    best = add("deploy deploy", category="workflow", trust_score=0.9)
    archived = add("deploy", category="workflow")
    change(archived, status=Status.ARCHIVED)

    def ids(wanted: Filter, limit: int = 10) -> list[int]:
        return [c.fact_id for c in store.index.candidates('"deploy"', wanted, limit=limit)]

    assert sorted(ids(Filter())) == [1, best]
    assert ids(Filter(category="workflow")) == [best]
    assert ids(Filter(min_trust=0.5)) == [best]
    assert sorted(ids(Filter(statuses=(Status.ACTIVE, Status.ARCHIVED)))) == [1, best, archived]
    assert ids(Filter(), limit=1) == ids(Filter())[:1]


def test_terms_that_contain_a_text_are_told_the_most_widespread_first(
    store: Store, add: Add
) -> None:
    for content in ("postgresql", "postgresql", "sqlite", "100% mysql"):
        add(content)
    assert store.index.terms_containing(["sql"])[0] == "postgresql"
    assert set(store.index.terms_containing(["sql"])) == {"postgresql", "sqlite", "mysql"}
    assert set(store.index.terms_containing(["lite", "mys"])) == {"sqlite", "mysql"}
    assert store.index.terms_containing(["%"]) == []
    assert store.index.terms_containing([]) == []


# -- any sequence -------------------------------------------------------------------------

_WORDS = st.sampled_from(["alpha", "beta", "gamma", "深色主题", "C++", ""])
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("insert"), _WORDS),
        st.tuples(st.just("content"), st.integers(1, 4), _WORDS),
        st.tuples(st.just("status"), st.integers(1, 4), st.sampled_from(Status)),
        st.tuples(st.just("merge"), st.integers(1, 4), st.integers(1, 4)),
        st.tuples(st.just("restore"), st.integers(1, 4)),
        st.tuples(st.just("delete elsewhere"), st.integers(1, 4)),
        st.tuples(st.just("write elsewhere"), _WORDS),
        st.tuples(st.just("fail"), _WORDS),
    ),
    max_size=8,
)


class _Broken(Exception):
    pass


def _fail(op: Operation, content: str) -> None:
    with op.batch():
        op.insert(content=content)
        raise _Broken


@given(steps=_STEPS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_index_is_in_step_after_any_sequence_of_changes(steps: list[tuple[Any, ...]]) -> None:
    now = datetime.fromisoformat("2026-05-14T12:00:00+00:00")
    with TemporaryDirectory() as folder, closing(Store(Path(folder) / "f.db", now=now)) as store:
        for step in steps:
            _take(store, step, now)
        store.index.catch_up(seconds=60)
        assert_in_step(store.path)
        for fact in store.facts.page(Filter(), limit=50, offset=0):
            if fact.content:
                assert fact.fact_id in found(store, fact.content)


def _take(store: Store, step: tuple[Any, ...], now: datetime) -> None:
    kind, *rest = step
    op = store.journal.operation(Op.UPDATE, actor=Actor.USER, session="s", now=now)
    if kind.endswith("elsewhere"):
        with closing(sqlite3.connect(store.path)) as connection:
            if kind.startswith("delete"):
                connection.execute("DELETE FROM facts WHERE fact_id = ?", rest)
            else:
                connection.execute("INSERT INTO facts(content) VALUES (?)", rest)
            connection.commit()
    elif kind == "fail":
        with pytest.raises(_Broken):
            _fail(op, rest[0])
    elif kind == "insert":
        with op.batch():
            op.insert(content=rest[0])
    elif store.facts.get([rest[0]]):
        columns = {
            "content": lambda: {"content": rest[1]},
            "status": lambda: {"status": rest[1]},
            "merge": lambda: {"status": Status.MERGED, "merged_into": rest[1]},
            "restore": lambda: {"status": Status.ACTIVE, "merged_into": None},
        }[kind]()
        with op.batch():
            op.update(rest[0], **columns)
