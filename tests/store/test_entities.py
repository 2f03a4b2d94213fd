"""Which facts name whom: links follow the texts, names fold, what was given stays."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from mnemo.enums import Status
from mnemo.store import Filter, Store
from mnemo.store.connection import connect, transaction
from mnemo.store.entities import Entities
from tests.store import ancestors
from tests.store.scratch import Sql, fill

Add = Callable[..., int]


@pytest.fixture
def connection(store: Store, path: Path) -> Iterator[sqlite3.Connection]:
    with closing(connect(path)) as opened:
        yield opened


@pytest.fixture
def entities(connection: sqlite3.Connection) -> Entities:
    return Entities(connection)


@pytest.fixture
def link(entities: Entities, connection: sqlite3.Connection) -> Callable[..., None]:
    """Read a fact for its entities, in a transaction of its own."""

    def in_transaction(fact_id: int, *texts: str) -> None:
        with transaction(connection):
            entities.link(fact_id, texts)

    return in_transaction


@pytest.fixture
def named(add: Add, link: Callable[..., None]) -> Add:
    """Store a fact and read it for its entities."""

    def insert(content: str, **columns: object) -> int:
        fact_id = add(content, **columns)
        link(fact_id, content)
        return fact_id

    return insert


def ids(entities: Entities, *names: str, wanted: Filter | None = None) -> list[int]:
    return [fact.fact_id for fact in entities.facts_of(names, wanted or Filter())]


def test_a_fact_is_found_by_whom_it_names(entities: Entities, named: Add) -> None:
    fact_id = named("We had lunch with Alice in Paris")
    assert ids(entities, "Alice") == ids(entities, "Paris") == [fact_id]
    assert ids(entities, "Bob") == []


@pytest.mark.parametrize(
    "name", ["typescript", "TYPESCRIPT", " TypeScript ", "ＴｙｐｅＳｃｒｉｐｔ"]
)
def test_a_name_is_found_in_any_spelling_that_folds_to_it(
    name: str, entities: Entities, named: Add
) -> None:
    fact_id = named("All services are in TypeScript.")
    assert ids(entities, name) == [fact_id]


def test_traditional_and_simplified_are_one_name(entities: Entities, named: Add) -> None:
    assert named("張偉負責後端") == 1
    assert named("张伟喜欢喝茶") == 2
    assert ids(entities, "张伟") == ids(entities, "張偉") == [1, 2]
    assert len(entities.find("张伟")) == 1


def test_percent_and_underscore_are_no_wildcards(entities: Entities, named: Add) -> None:
    named("We use GitHub")
    assert ids(entities, "%") == ids(entities, "Git_ub") == []


def test_a_second_name_finds_the_facts_of_both(entities: Entities, named: Add) -> None:
    named("我们用持续集成（CI）部署")
    named("The CI runs at night")
    assert ids(entities, "CI") == ids(entities, "持续集成") == [1, 2]
    found = {entity.name: entity.aliases for entity in entities.find("CI")}
    assert found == {"持续集成": ("CI",), "CI": ()}


def test_a_second_name_goes_with_the_fact_that_gave_it(
    entities: Entities, named: Add, link: Callable[..., None]
) -> None:
    named("我们用持续集成（CI）部署")
    named("The CI runs at night")
    link(1, "我们不再部署了")
    assert ids(entities, "CI") == [2]
    assert entities.find("持续集成") == []


def test_a_new_text_has_new_links(
    entities: Entities, named: Add, link: Callable[..., None]
) -> None:
    fact_id = named("I met Alice")
    link(fact_id, "I met Bob")
    assert ids(entities, "Alice") == []
    assert ids(entities, "Bob") == [fact_id]


def test_reading_a_fact_again_changes_nothing(
    named: Add, link: Callable[..., None], sql: Sql
) -> None:
    named("I met Alice, also known as Al, in Paris")
    tables = ("entities", "fact_entities", "entity_keys")
    before = [sorted(sql(f"SELECT * FROM {table}"), key=repr) for table in tables]
    link(1, "I met Alice, also known as Al, in Paris")
    assert [sorted(sql(f"SELECT * FROM {table}"), key=repr) for table in tables] == before


def test_an_entity_goes_with_the_last_fact_that_names_it(
    connection: sqlite3.Connection, named: Add, sql: Sql
) -> None:
    named("I met Alice")
    named("Alice prefers tea")
    connection.execute("DELETE FROM facts WHERE fact_id = 1")
    assert sql("SELECT name FROM entities") == [("Alice",)]
    connection.execute("DELETE FROM facts WHERE fact_id = 2")
    assert sql("SELECT * FROM entities") == sql("SELECT * FROM entity_keys") == []


def test_only_facts_of_the_kind_that_is_wanted_are_given(entities: Entities, named: Add) -> None:
    named("I met Alice", status="archived")
    named("Alice prefers tea", category="identity", trust_score=0.2)
    named("Alice likes jazz")
    assert ids(entities, "Alice") == [3, 2]
    assert ids(entities, "Alice", wanted=Filter(category="identity")) == [2]
    assert ids(entities, "Alice", wanted=Filter(min_trust=0.4)) == [3]
    assert ids(entities, "Alice", wanted=Filter(statuses=(Status.ARCHIVED,))) == [1]


def test_facts_that_name_more_of_the_names_come_first(entities: Entities, named: Add) -> None:
    named("I met Alice", trust_score=0.9)
    named("I met Alice and Bob in Paris", trust_score=0.1)
    found = entities.facts_of(["Bob", "alice", "Alice"], Filter())
    assert [(fact.fact_id, fact.keys) for fact in found] == [
        (2, ("alice", "bob")),
        (1, ("alice",)),
    ]


def test_facts_are_bridged_by_what_they_share(entities: Entities, named: Add) -> None:
    named("Alice prefers PostgreSQL and GitHub")
    named("The backup of PostgreSQL runs at night")
    named("Our GitHub mirrors the PostgreSQL dumps")
    named("Coffee is in the kitchen")
    found = entities.bridges("Alice", Filter(), limit=10)
    assert [(fact.fact_id, fact.via) for fact in found] == [
        (3, ("GitHub", "PostgreSQL")),
        (2, ("PostgreSQL",)),
    ]
    assert [fact.fact_id for fact in entities.bridges("Alice", Filter(), limit=1)] == [3]


def test_what_a_fifth_of_all_facts_name_bridges_nothing(entities: Entities, named: Add) -> None:
    named("I met Alice, who uses GitHub and PostgreSQL")
    named("A dump of PostgreSQL is kept")
    for number in range(12):
        named(f"step {number} of the release uses GitHub")
    found = entities.bridges("Alice", Filter(), limit=20)
    assert [fact.fact_id for fact in found] == [2]


def test_the_more_telling_kind_of_an_entity_is_kept(entities: Entities, named: Add) -> None:
    named("The gift is for Alice")
    assert entities.find("Alice")[0].kind == "topic"
    named("Alice prefers tea")
    assert entities.find("Alice")[0].kind == "person"


@pytest.mark.parametrize("script", [ancestors.FIRST, ancestors.LAST])
def test_entities_of_an_ancestor_are_found_with_their_facts(
    script: str, path: Path, now: datetime
) -> None:
    aliased = "UPDATE entities SET aliases = '小敏, Min';"
    linked = "INSERT OR IGNORE INTO fact_entities VALUES (2, 1);"
    ancestors.make(path, f"{script} {aliased} {linked}")
    Store(path, now=now).close()
    with closing(connect(path)) as connection:
        entities = Entities(connection)
        [kept] = entities.find("min")
        assert kept.aliases == ("小敏", "Min")
        assert 2 in ids(entities, kept.name)
        with transaction(connection):
            entities.link(2, ["什么都不提"])
        assert 2 in ids(entities, "小敏")


def test_a_text_that_names_an_ancestors_entity_is_linked_to_it(path: Path, now: datetime) -> None:
    ancestors.make(path, ancestors.FIRST)
    Store(path, now=now).close()
    with closing(connect(path)) as connection, transaction(connection):
        entities = Entities(connection)
        entities.link(2, ["王敏负责后端"])
        assert [entity.entity_id for entity in entities.find("王敏")] == [1]
        assert 2 in ids(entities, "王敏")


# What version 1 did not have of entities and their links.
BACK_TO_VERSION_1 = """
DELETE FROM fact_entities;
DELETE FROM entities;
DROP TRIGGER entities_unnamed;
DROP TABLE entity_keys;
ALTER TABLE entities DROP COLUMN derived;
ALTER TABLE fact_entities DROP COLUMN derived;
DROP INDEX IF EXISTS operations_by_undone;
DROP INDEX IF EXISTS audit_log_by_operation;
ALTER TABLE operations DROP COLUMN undoes;
ALTER TABLE operations DROP COLUMN undone_by;
INSERT INTO entities(entity_id, name, aliases) VALUES (1, '王敏', '["小敏"]');
INSERT INTO fact_entities VALUES (1, 1);
DELETE FROM dirty;
UPDATE meta SET v = '1' WHERE k = 'schema_version';
"""


def test_a_database_of_version_1_has_its_entities_named_and_its_facts_read(
    path: Path, now: datetime
) -> None:
    with closing(Store(path, now=now)) as store:
        fill(store, ["王敏负责后端"])
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(BACK_TO_VERSION_1)
    with closing(Store(path, now=now)) as store, closing(connect(path)) as connection:
        assert store.index.pending() == 1
        assert ids(Entities(connection), "小敏") == [1]


# -- in step with the facts ---------------------------------------------------------------


def linked(store: Store, *fact_ids: int) -> dict[int, tuple[str, ...]]:
    return store.entities.named_by(fact_ids or range(1, 10))


def test_what_a_fact_names_follows_every_write(
    store: Store, add: Add, change: Callable[..., None]
) -> None:
    add("I met Alice in Paris")
    add("Bob prefers tea")
    assert linked(store) == {1: ("Alice", "Paris"), 2: ("Bob",)}
    change(1, content="I met Carol")
    change(2, status="removed")
    assert linked(store) == {1: ("Carol",)}
    change(2, status="active")
    assert linked(store, 2) == {2: ("Bob",)}


def test_a_survivor_names_what_was_merged_into_it(
    store: Store, add: Add, change: Callable[..., None]
) -> None:
    add("The release is on Friday, says Alice")
    add("The release is on Friday, says Bob")
    change(2, status="merged", merged_into=1)
    assert linked(store) == {1: ("Alice", "Bob")}
    change(2, status="active", merged_into=None)
    assert linked(store) == {1: ("Alice",), 2: ("Bob",)}


def test_what_another_program_wrote_is_linked_when_the_index_catches_up(
    store: Store, add: Add, sql: Sql
) -> None:
    add("I met Alice")
    sql("UPDATE facts SET content = 'I met Bob'")
    assert store.index.is_stale()
    store.index.catch_up(seconds=10)
    assert linked(store) == {1: ("Bob",)}


def test_a_fact_that_another_program_deleted_leaves_no_name(
    store: Store, add: Add, sql: Sql
) -> None:
    add("I met Alice")
    sql("DELETE FROM facts")
    store.index.catch_up(seconds=10)
    assert sql("SELECT * FROM entities") == sql("SELECT * FROM fact_entities") == []


def test_new_rules_for_names_read_every_fact_again(store: Store, add: Add, sql: Sql) -> None:
    add("I met Alice")
    sql("DELETE FROM fact_entities")
    sql("UPDATE meta SET v = 'entities-0' WHERE k = 'entities_version'")
    assert store.index.is_stale()
    assert store.index.catch_up(seconds=10) == 0
    assert linked(store) == {1: ("Alice",)}
    assert not store.index.is_stale()
