"""Databases of earlier programs open in place, and lose nothing."""

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from mnemo.enums import Actor, Op
from mnemo.errors import StoreUnavailable
from mnemo.store import Filter, Store
from mnemo.store.migrations import SCHEMA_VERSION
from mnemo.text.query import match_expression
from mnemo.text.tokens import index_tokens
from tests.store import ancestors

ANCESTORS = {"first": ancestors.FIRST, "last": ancestors.LAST, "bare": ancestors.BARE}
TABLES = ("facts", "entities", "fact_entities", "retrieval_log")


@pytest.fixture(params=ANCESTORS)
def ancestor(request: pytest.FixtureRequest, path: Path) -> Path:
    ancestors.make(path, ANCESTORS[request.param])
    return path


def open_and_close(path: Path, now: datetime) -> None:
    Store(path, now=now).close()


def tables_of(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master").fetchall()
    return [name for (name,) in names]


def found(store: Store, query: str) -> list[int]:
    expression = match_expression(index_tokens(query))
    return [c.fact_id for c in store.index.candidates(expression, Filter(), limit=10)]


def test_every_value_of_an_ancestor_is_kept(ancestor: Path, now: datetime) -> None:
    tables = [table for table in TABLES if table in tables_of(ancestor)]
    before = {table: ancestors.rows(ancestor, table) for table in tables}
    open_and_close(ancestor, now)
    for table in tables:
        after = ancestors.rows(ancestor, table)
        assert len(after) == len(before[table])
        for old, new in zip(before[table], after, strict=True):
            assert {name: new.get(name) for name in old} == old


def test_what_an_ancestor_left_empty_is_read_as_in_a_new_fact(path: Path, now: datetime) -> None:
    ancestors.make(path, ancestors.FIRST)
    with closing(Store(path, now=now)) as store:
        [fact] = store.facts.get([4])
    assert fact.content == ""
    assert (fact.category, fact.trust_score, fact.retrieval_count) == ("general", 0.5, 0)
    assert (fact.status, fact.summary, fact.tags) == ("active", None, ())


def test_the_words_of_an_ancestor_are_found(ancestor: Path, now: datetime) -> None:
    with closing(Store(ancestor, now=now)) as store:
        assert store.index.pending() == len(ancestors.rows(ancestor, "facts"))
        assert store.index.catch_up(seconds=60) == 0
        for fact in store.facts.page(Filter(), limit=10, offset=0):
            if fact.content:
                assert found(store, fact.content)[0] == fact.fact_id
        assert not found(store, "gone")


def test_two_characters_are_enough_to_be_found(path: Path, now: datetime) -> None:
    ancestors.make(path, ancestors.LAST)
    with closing(Store(path, now=now)) as store:
        store.index.catch_up(seconds=60)
        assert found(store, "超时") == [1]


def test_an_id_that_was_used_once_is_never_given_again(path: Path, now: datetime) -> None:
    ancestors.make(path, ancestors.FIRST)
    assert add_one(path, now) == 6


def test_an_id_is_not_given_again_where_every_fact_was_deleted(path: Path, now: datetime) -> None:
    ancestors.make(path, f"{ancestors.FIRST} DELETE FROM facts;")
    assert add_one(path, now) == 6


def add_one(path: Path, now: datetime) -> int:
    with closing(Store(path, now=now)) as store:
        op = store.journal.operation(Op.ADD, actor=Actor.USER, session="s", now=now)
        with op.batch():
            return op.insert(content="one more")


def test_the_ancestors_index_and_its_triggers_are_gone(ancestor: Path, now: datetime) -> None:
    open_and_close(ancestor, now)
    left = [name for name in tables_of(ancestor) if name.startswith(("facts_fts", "ancestor_"))]
    assert left == []
    assert not {"facts_ai", "facts_ad", "facts_au"} & set(tables_of(ancestor))


def test_the_same_text_may_be_stored_twice_after_the_move(path: Path, now: datetime) -> None:
    ancestors.make(path, ancestors.LAST)
    with closing(Store(path, now=now)) as store:
        op = store.journal.operation(Op.ADD, actor=Actor.USER, session="s", now=now)
        with op.batch():
            text = "数据库连接池大小为 20，超时 30 秒"
            assert op.insert(content=text, category="workflow") == 3


def test_a_verified_backup_of_the_ancestor_is_made_once(ancestor: Path, now: datetime) -> None:
    before = {t: ancestors.rows(ancestor, t) for t in TABLES if t in tables_of(ancestor)}
    open_and_close(ancestor, now)
    open_and_close(ancestor, now)
    [backup] = (ancestor.parent / "backup").iterdir()
    assert backup.name == "migrate-20260514T120000Z.db"
    assert {table: ancestors.rows(backup, table) for table in before} == before


def test_opening_again_changes_not_a_byte(ancestor: Path, now: datetime) -> None:
    open_and_close(ancestor, now)
    before = ancestor.read_bytes()
    open_and_close(ancestor, now)
    assert ancestor.read_bytes() == before


def test_nothing_is_adopted_where_no_backup_can_be_written(ancestor: Path, now: datetime) -> None:
    (ancestor.parent / "backup").write_text("a file where the folder belongs")
    before = {t: ancestors.rows(ancestor, t) for t in TABLES if t in tables_of(ancestor)}
    with pytest.raises(StoreUnavailable, match="no backup could be written"):
        Store(ancestor, now=now)
    assert "meta" not in tables_of(ancestor)
    assert {table: ancestors.rows(ancestor, table) for table in before} == before


def test_a_column_that_somebody_added_is_kept_and_journaled(path: Path, now: datetime) -> None:
    ancestors.make(
        path,
        f"""{ancestors.LAST}
        ALTER TABLE facts ADD COLUMN "my notes" TEXT;
        ALTER TABLE facts ADD COLUMN status TEXT;
        UPDATE facts SET "my notes" = 'kept' WHERE fact_id = 2;
        """,
    )
    with closing(Store(path, now=now)) as store:
        op = store.journal.operation(Op.UPDATE, actor=Actor.USER, session="s", now=now)
        with op.batch():
            op.update(2, trust_score=0.1)
        [fact] = store.facts.get([1])
    assert fact.status == "active"
    [row] = [row for row in ancestors.rows(path, "facts") if row["fact_id"] == 2]
    assert row["my notes"] == "kept"
    [change] = ancestors.rows(path, "changes")
    assert '"my notes":"kept"' in str(change["before"])


def test_what_another_program_keeps_beside_the_facts_stays(path: Path, now: datetime) -> None:
    ancestors.make(
        path,
        f"""{ancestors.LAST}
        CREATE TABLE notes(
          fact_id INTEGER REFERENCES facts(fact_id) ON DELETE CASCADE, note TEXT
        );
        INSERT INTO notes VALUES (1, 'ask Jane'), (2, 'see the wiki');
        CREATE VIEW trusted AS SELECT content FROM facts WHERE trust_score > 0.9;
        """,
    )
    open_and_close(path, now)
    assert [row["note"] for row in ancestors.rows(path, "notes")] == ["ask Jane", "see the wiki"]
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA foreign_keys=ON")
        assert connection.execute("SELECT count(*) FROM trusted").fetchone() == (1,)
        connection.execute("DELETE FROM facts WHERE fact_id = 1")
        assert connection.execute("SELECT note FROM notes").fetchall() == [("see the wiki",)]


def test_a_table_of_settings_with_other_columns_is_kept(path: Path, now: datetime) -> None:
    ancestors.make(
        path,
        f"{ancestors.BARE} CREATE TABLE meta(name, value);"
        "INSERT INTO meta VALUES ('schema_version', 'three'), ('colour', 'blue');",
    )
    open_and_close(path, now)
    kept = {row.get("name"): row.get("value") for row in ancestors.rows(path, "meta")}
    assert kept["colour"] == "blue"


def test_facts_without_a_content_are_no_fact_memory(path: Path, now: datetime) -> None:
    ancestors.make(path, "CREATE TABLE facts(id, number);")
    before = path.read_bytes()
    with pytest.raises(StoreUnavailable, match="not a fact memory"):
        Store(path, now=now)
    assert path.read_bytes() == before


def test_a_text_that_is_no_unicode_is_moved_and_does_not_hide_the_others(
    path: Path, now: datetime
) -> None:
    ancestors.make(path, f"{ancestors.BARE} INSERT INTO facts VALUES (9, CAST(x'ff41' AS TEXT));")
    with closing(Store(path, now=now)) as store:
        store.index.catch_up(seconds=60)
        assert [f.content for f in store.facts.get([3, 9])] == ["手写的一条", "\ufffdA"]
        assert found(store, "手写") == [3]
        op = store.journal.operation(Op.UPDATE, actor=Actor.USER, session="s", now=now)
        with op.batch():
            op.update(9, content="mended")
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT content FROM facts WHERE fact_id = 9").fetchone() == (
            "mended",
        )


def test_a_text_that_is_stored_as_bytes_is_moved_and_can_be_changed(
    path: Path, now: datetime
) -> None:
    script = ancestors.LAST.replace("'[\"数据库\"]'", "'[]'")
    ancestors.make(
        path,
        f"{script} INSERT INTO facts(content, tags) "
        "VALUES (CAST('深色主题' AS BLOB), '深色,色主,主题');",
    )
    with closing(Store(path, now=now)) as store:
        [fact] = store.facts.get([3])
        assert fact.content == "深色主题"
        op = store.journal.operation(Op.UPDATE, actor=Actor.USER, session="s", now=now)
        with op.batch():
            op.update(3, trust_score=0.6)
        assert [text.content for text in store.evidence.texts()][2] == "深色主题"


def test_the_word_pairs_that_an_ancestor_put_into_the_tags_are_gone(
    path: Path, now: datetime
) -> None:
    ancestors.make(
        path,
        f"{ancestors.LAST} UPDATE facts SET tags = '数据库,mine,数据,据库,库连,连接' "
        "WHERE fact_id = 1;",
    )
    with closing(Store(path, now=now)) as store:
        assert [fact.tags for fact in store.facts.get([1])] == [("数据库", "mine")]
    [backup] = (path.parent / "backup").iterdir()
    assert ancestors.rows(backup, "facts")[0]["tags"] == "数据库,mine,数据,据库,库连,连接"


def test_the_moment_of_the_first_start_is_kept(ancestor: Path, now: datetime) -> None:
    with closing(Store(ancestor, now=now)) as store:
        assert store.meta.get("first_start") == "2026-05-14 12:00:00"
        assert store.meta.get("migrated_at") == "2026-05-14 12:00:00"
        assert store.schema_version() == SCHEMA_VERSION
