"""How a database comes to the present schema, whichever program wrote it.

A new file gets `schema.sql` and `index.sql`. A file without a schema version of ours was written
by an ancestor or by hand: it is backed up, its `facts` are moved into our table (which has no
UNIQUE(content)) with every value that a person gave, and the ancestor's full-text index and
triggers go, all in one transaction. Later versions are numbered steps below, append-only, each
with its reason. A database that is newer than this program is refused, never changed.

Of the derived rows only the keys of twins are filled here: every fact is marked dirty, and the
index fills in batches while calls are answered.
"""

import contextlib
import json
import sqlite3
from datetime import datetime
from importlib import resources
from pathlib import Path

from mnemo import times
from mnemo.errors import StoreUnavailable
from mnemo.store.backup import backup_database
from mnemo.store.connection import connect, transaction
from mnemo.store.entities import key_given_entities
from mnemo.store.index import key_all, mark_all
from mnemo.text.tags import without_generated

SCHEMA_VERSION = 2

# Several programs may find a database that must be migrated: one does it, which takes seconds where
# there are a hundred thousand facts, and the others wait for that one.
_PATIENCE_SECONDS = 60.0

# What each version added to the one before, with its reason.
_STEPS = {
    # An operation can be taken back, and knows by which operation it was. Entities have folded
    # names to be found by, and those that are read out of facts are told from those given; every
    # fact is read for them.
    2: """
    ALTER TABLE operations ADD COLUMN undoes INTEGER DEFAULT NULL;
    ALTER TABLE operations ADD COLUMN undone_by INTEGER DEFAULT NULL;
    ALTER TABLE entities ADD COLUMN derived INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE fact_entities ADD COLUMN derived INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE entity_keys (
      key        TEXT NOT NULL,
      entity_id  INTEGER NOT NULL REFERENCES entities(entity_id) ON DELETE CASCADE,
      name       TEXT NOT NULL,
      fact_id    INTEGER DEFAULT NULL REFERENCES facts(fact_id) ON DELETE CASCADE
    );
    CREATE INDEX entity_keys_by_key ON entity_keys(key, entity_id);
    CREATE INDEX entity_keys_by_entity ON entity_keys(entity_id);
    CREATE INDEX entity_keys_by_fact ON entity_keys(fact_id) WHERE fact_id IS NOT NULL;
    CREATE TRIGGER entities_unnamed AFTER DELETE ON fact_entities BEGIN
      DELETE FROM entities WHERE entity_id = old.entity_id AND derived
        AND NOT EXISTS (SELECT 1 FROM fact_entities WHERE entity_id = old.entity_id);
    END;
    INSERT OR IGNORE INTO dirty SELECT fact_id FROM facts;
    CREATE INDEX operations_by_undone ON operations(undoes) WHERE undoes IS NOT NULL;
    CREATE INDEX audit_log_by_operation ON audit_log(op_id);
    """,
}

# What an ancestor left behind that our own index replaces.
_ANCESTORS_INDEX = """
DROP TRIGGER IF EXISTS facts_ai;
DROP TRIGGER IF EXISTS facts_ad;
DROP TRIGGER IF EXISTS facts_au;
DROP TABLE IF EXISTS facts_fts;
"""


def refuse_foreign(connection: sqlite3.Connection, path: Path) -> None:
    """Raise StoreUnavailable where the database is newer than this program, or was made by
    something else than a fact memory. Nothing is written.
    """
    # One statement, so that another process's first open is seen whole or not at all.
    names = {row["name"] for row in connection.execute("SELECT name FROM sqlite_master")}
    if names and not {"fact_id", "content"} <= set(_columns_of(connection, "facts")):
        raise StoreUnavailable(
            f"{path} is a database, but not a fact memory: it has no table of facts; "
            "it was left as it is",
            hint="set MNEMO_DB_PATH to another file",
        )
    version = schema_version(connection)
    if version > SCHEMA_VERSION:
        raise StoreUnavailable(
            f"{path} was written by a newer mnemo (schema {version}, this one knows "
            f"{SCHEMA_VERSION}); it was left as it is",
            hint="update mnemo, or set MNEMO_DB_PATH to another file",
        )


def migrate(connection: sqlite3.Connection, path: Path, *, now: datetime) -> None:
    """Bring the database to SCHEMA_VERSION; nothing is written where it is there already."""
    if schema_version(connection) == SCHEMA_VERSION:
        if not _has_index(connection):
            with transaction(connection, patience=_PATIENCE_SECONDS):
                if not _has_index(connection):  # nobody was quicker
                    recreate_index(connection)
        return
    # Else the references of tables that are not ours would follow the renamed table, and fall
    # with it.
    connection.execute("PRAGMA foreign_keys=OFF")
    try:
        with transaction(connection, patience=_PATIENCE_SECONDS):
            # Another process, or thread, may have done it while we waited for the lock.
            version = schema_version(connection)
            if version < SCHEMA_VERSION and _has_table(connection, "facts"):
                _back_up(path, now=now)
            if version == 0:
                _create_or_adopt(connection, now=now)
            elif version < SCHEMA_VERSION:
                _step_up(connection, version, now=now)
    finally:
        connection.execute("PRAGMA foreign_keys=ON")


def _step_up(connection: sqlite3.Connection, version: int, *, now: datetime) -> None:
    for number in range(version + 1, SCHEMA_VERSION + 1):
        run_script(connection, _STEPS[number])
    if not _has_index(connection):
        recreate_index(connection)
    key_given_entities(connection)
    connection.execute("UPDATE meta SET v = ? WHERE k = 'schema_version'", (str(SCHEMA_VERSION),))
    _tell(connection, now, {"from_schema": version, "to_schema": SCHEMA_VERSION})


def _back_up(path: Path, *, now: datetime) -> None:
    # By a second connection: the first holds the lock, so that there is one backup and not two.
    with contextlib.closing(connect(path)) as reader:
        backup_database(reader, path.parent / "backup", kind="migrate", now=now)


def schema_version(connection: sqlite3.Connection) -> int:
    """The version that the database says it has; 0 where it says none."""
    if not {"k", "v"} <= set(_columns_of(connection, "meta")):
        return 0
    row = connection.execute("SELECT v FROM meta WHERE k = 'schema_version'").fetchone()
    return 0 if row is None else int(row["v"])


def _create_or_adopt(connection: sqlite3.Connection, *, now: datetime) -> None:
    ancestors = [t for t in _ADOPTED_TABLES if _has_table(connection, t)]
    for table in ancestors:
        for index in _indexes_of(connection, table):
            connection.execute(f"DROP INDEX {_quoted(index)}")
    if ancestors:
        run_script(connection, _ANCESTORS_INDEX)
        connection.execute("PRAGMA legacy_alter_table=ON")
        for table in ancestors:
            connection.execute(f'ALTER TABLE "{table}" RENAME TO "ancestor_{table}"')
        connection.execute("PRAGMA legacy_alter_table=OFF")
    run_script(connection, _sql("schema.sql"))
    run_script(connection, _sql("index.sql"))
    for table in ancestors:
        _move_rows(connection, table)
    key_all(connection)
    key_given_entities(connection)
    for table in ancestors:
        connection.execute(f'DROP TABLE "ancestor_{table}"')
    stamp = times.stamp(now)
    connection.executemany(
        "INSERT OR REPLACE INTO meta(k, v) VALUES (?, ?)",
        [("schema_version", str(SCHEMA_VERSION)), ("first_start", stamp)]
        + ([("migrated_at", stamp)] if ancestors else []),
    )
    if ancestors:
        count = connection.execute("SELECT count(*) FROM facts").fetchone()[0]
        _tell(connection, now, {"facts": count})


def _tell(connection: sqlite3.Connection, now: datetime, detail: dict[str, int]) -> None:
    connection.execute(
        "INSERT INTO audit_log(t, actor, action, detail) VALUES (?, 'system', 'MIGRATE', ?)",
        (times.stamp(now), json.dumps(detail)),
    )


_ADOPTED_TABLES = ("facts", "entities", "fact_entities", "retrieval_log", "meta", "audit_log")

# Where an ancestor's row may hold NULL but ours has a meaning for it.
_WHERE_NULL = {
    ("facts", "content"): "''",
    ("facts", "category"): "'general'",
    ("facts", "tags"): "''",
    ("facts", "trust_score"): "0.5",
    ("facts", "retrieval_count"): "0",
    ("facts", "helpful_count"): "0",
    ("retrieval_log", "results"): "'[]'",
    ("retrieval_log", "query"): "''",
}


def _move_rows(connection: sqlite3.Connection, table: str) -> None:
    ours = {row["name"].lower(): row for row in _table_info(connection, table)}
    values: dict[str, str] = {}
    for column in _table_info(connection, f"ancestor_{table}"):
        name = _quoted(column["name"])
        if column["name"].lower() not in ours:
            # Somebody kept a value there: it stays with its row.
            connection.execute(f'ALTER TABLE "{table}" ADD COLUMN {name} {column["type"]}')
        values[name] = _never_null(name, _default(table, ours.get(column["name"].lower())))
        if (table, column["name"].lower()) == ("facts", "tags"):
            values[name] = (
                f"coalesce(persons_tags(CAST(tags AS BLOB), CAST(content AS BLOB)), {values[name]})"
            )
    connection.create_function("persons_tags", 2, _persons_tags, deterministic=True)
    connection.execute(
        f'INSERT INTO "{table}"({", ".join(values)}) '
        f'SELECT {", ".join(values.values())} FROM "ancestor_{table}"'
    )
    _keep_sequence(connection, table)


def _default(table: str, column: sqlite3.Row | None) -> str | None:
    if column is None:
        return None
    named = _WHERE_NULL.get((table, column["name"]))
    return named or (column["dflt_value"] if column["notnull"] else None)


def _never_null(name: str, default: str | None) -> str:
    return name if default is None else f"coalesce({name}, {default})"


def _keep_sequence(connection: sqlite3.Connection, table: str) -> None:
    """An id that was used once is never given to another row."""
    used = connection.execute(
        "SELECT seq FROM sqlite_sequence WHERE name = ?", (f"ancestor_{table}",)
    ).fetchone()
    if used is not None:
        connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
        connection.execute("INSERT INTO sqlite_sequence VALUES (?, ?)", (table, used["seq"]))


def _persons_tags(tags: bytes | None, content: bytes | None) -> str | None:
    """The tags without the word pairs that the TypeScript mnemo wrote into them; None where there
    are none of those.
    """
    # As bytes, since SQLite gives a function no text that is not UTF-8.
    if not tags or not content:
        return None
    written = tags.decode("utf-8", "replace")
    kept = without_generated(written, content.decode("utf-8", "replace"))
    return None if kept == written else kept


def _has_table(connection: sqlite3.Connection, name: str) -> bool:
    return (
        connection.execute(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)
        ).fetchone()
        is not None
    )


def _columns_of(connection: sqlite3.Connection, table: str) -> list[str]:
    """The names of a table's columns; none where there is no such table."""
    return [row["name"] for row in _table_info(connection, table)]


def _table_info(connection: sqlite3.Connection, table: str) -> list[sqlite3.Row]:
    return connection.execute(f'PRAGMA table_info("{table}")').fetchall()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _indexes_of(connection: sqlite3.Connection, table: str) -> list[str]:
    return [
        row["name"]
        for row in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? "
            "AND sql IS NOT NULL",
            (table,),
        )
    ]


def recreate_index(connection: sqlite3.Connection) -> None:
    """Make the derived tables anew, empty, with every fact marked for them; inside the caller's
    transaction. The keys of twins stay until each is made anew.
    """
    has_keys = _has_table(connection, "twin_keys")
    run_script(connection, _DERIVED)
    run_script(connection, _sql("index.sql"))
    if not has_keys:
        key_all(connection)
    mark_all(connection)


_DERIVED = """
DROP TRIGGER IF EXISTS fact_tokens_insert;
DROP TRIGGER IF EXISTS fact_tokens_delete;
DROP TABLE IF EXISTS fact_vocabulary;
DROP TABLE IF EXISTS fact_index;
DROP TABLE IF EXISTS fact_tokens;
DROP TABLE IF EXISTS words;
DROP TABLE IF EXISTS index_size;
"""
_INDEX_TABLES = ("fact_index", "fact_tokens", "words", "index_size", "twin_keys")


def _has_index(connection: sqlite3.Connection) -> bool:
    return all(_has_table(connection, table) for table in _INDEX_TABLES)


def _sql(name: str) -> str:
    return resources.files("mnemo.store").joinpath(name).read_text("utf-8")


def run_script(connection: sqlite3.Connection, script: str) -> None:
    """Run statement by statement: sqlite3's own executescript would commit our transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""
