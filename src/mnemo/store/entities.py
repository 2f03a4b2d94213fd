"""Entities: who and what the facts name, and which facts name them.

Links follow the texts of facts as the full-text index does: whoever brings a fact's derived rows
in step calls `link` with what the fact says. What an ancestor or a person wrote down, entities,
aliases and links, is given: it is used like the rest and never taken away. Refuses to know how a
name is recognised (`text/entities.py`).

Must hold: an entity that was read out of facts goes with the last fact that names it (a trigger
sees to that, so that a purge leaves no name behind). Names are compared folded; two entities that
share a name or an alias are asked as one.
"""

import json
import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mnemo.store.facts import Filter, number
from mnemo.store.facts import text as stored_text
from mnemo.text.mentions import entity_key

# An entity that more than this share of the active facts name says nothing about how two of them
# are related; one in fewer facts than this always may.
_HUB_SHARE = 0.2
_NEVER_HUB = 10

_UNKNOWN = ("unknown", "topic")


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """An entity as it is stored: its name as first written, its kind, its other names."""

    entity_id: int
    name: str
    kind: str
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamingFact:
    """A fact, and which of the names that were asked for it names (folded)."""

    fact_id: int
    trust: float
    created_at: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BridgedFact:
    """A fact that shares entities with facts about another one, and the names of those."""

    fact_id: int
    trust: float
    created_at: str
    via: tuple[str, ...]


_TRUST = number("f.trust_score", 0.5)
_AGE = "CAST(coalesce(f.created_at, '') AS TEXT)"

# The entities meant by each key that is asked: those that bear it, and those that share another
# of their names.
_MEANT = """
WITH meant(key, entity_id) AS (
  SELECT DISTINCT asked.value, same.entity_id
  FROM json_each(?) AS asked
  JOIN entity_keys AS bearer ON bearer.key = asked.value
  JOIN entity_keys AS names ON names.entity_id = bearer.entity_id
  JOIN entity_keys AS same ON same.key = names.key
)
"""


class Entities:
    """The entities of the store and their links to facts."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    # -- keeping in step ------------------------------------------------------------------

    @staticmethod
    def load(text: str) -> None:
        """Load what reading any text for names needs, which takes a moment the first time."""
        from mnemo.text.entities import extract_entities

        extract_entities(text)

    def link(self, fact_id: int, texts: Sequence[str]) -> None:
        """Let the fact be linked to exactly what ``texts`` name (none: to nothing), but for links
        that were given; inside the caller's transaction.
        """
        # Off the start-up path: compiling what names look like takes tens of milliseconds.
        from mnemo.text.entities import extract_aliases, extract_entities

        kinds: dict[str, tuple[str, str]] = {}
        aliases: list[tuple[str, str]] = []
        for text in texts:
            for entity in extract_entities(text):
                kinds.setdefault(entity.key, (entity.name, entity.kind))
            for name, alias in extract_aliases(text):
                kinds.setdefault(entity_key(name), (name, "topic"))
                aliases.append((entity_key(name), alias))
        execute = self._connection.execute
        execute("DELETE FROM entity_keys WHERE fact_id = ?", (fact_id,))
        wanted = self._ensured(kinds)
        self._replace_links(fact_id, set(wanted.values()))
        for key, alias in aliases:
            execute(
                "INSERT INTO entity_keys VALUES (?, ?, ?, ?)",
                (entity_key(alias), wanted[key], alias, fact_id),
            )

    def _replace_links(self, fact_id: int, wanted: set[int]) -> None:
        rows = self._connection.execute(
            "SELECT entity_id, derived FROM fact_entities WHERE fact_id = ?", (fact_id,)
        ).fetchall()
        linked = {row["entity_id"] for row in rows}
        gone = {row["entity_id"] for row in rows if row["derived"]} - wanted
        # New ones first: an entity that only moves from one fact to another must not go between.
        if new := sorted(wanted - linked):
            self._connection.executemany(
                "INSERT INTO fact_entities(fact_id, entity_id, derived) VALUES (?, ?, 1)",
                [(fact_id, entity_id) for entity_id in new],
            )
        if gone:
            self._connection.executemany(
                "DELETE FROM fact_entities WHERE fact_id = ? AND entity_id = ?",
                [(fact_id, entity_id) for entity_id in sorted(gone)],
            )

    def _ensured(self, kinds: Mapping[str, tuple[str, str]]) -> dict[str, int]:
        """For each key the id of the entity whose own name is that, made where there is none."""
        if not kinds:
            return {}
        rows = self._connection.execute(
            "SELECT k.key, e.entity_id, e.entity_type, e.derived "
            "FROM json_each(?) AS asked JOIN entity_keys AS k ON k.key = asked.value "
            "JOIN entities AS e USING (entity_id) "
            "WHERE k.fact_id IS NULL ORDER BY e.entity_id DESC",
            (json.dumps(list(kinds)),),
        )
        known = {row["key"]: row for row in rows}  # of several the oldest
        for key, row in known.items():
            kind = kinds[key][1]
            if row["derived"] and row["entity_type"] in _UNKNOWN and kind not in _UNKNOWN:
                self._connection.execute(
                    "UPDATE entities SET entity_type = ? WHERE entity_id = ?",
                    (kind, row["entity_id"]),
                )
        return {
            key: known[key]["entity_id"] if key in known else self._made(key, name, kind)
            for key, (name, kind) in kinds.items()
        }

    def _made(self, key: str, name: str, kind: str) -> int:
        made = self._connection.execute(
            "INSERT INTO entities(name, entity_type, derived) VALUES (?, ?, 1)", (name, kind)
        ).lastrowid
        assert made is not None
        self._connection.execute(
            "INSERT INTO entity_keys(key, entity_id, name) VALUES (?, ?, ?)", (key, made, name)
        )
        return made

    # -- asking ---------------------------------------------------------------------------

    def find(self, name: str) -> list[KnownEntity]:
        """The entities with that name or alias, in any spelling that folds to the same, and those
        that share one of their names; oldest first, empty where nothing is called so.
        """
        rows = self._connection.execute(
            _MEANT + "SELECT e.entity_id, e.name, e.entity_type, json_group_array(DISTINCT k.name) "
            "AS names FROM meant JOIN entities AS e USING (entity_id) "
            "JOIN entity_keys AS k ON k.entity_id = e.entity_id "
            "GROUP BY e.entity_id ORDER BY e.entity_id",
            (json.dumps([entity_key(name)]),),
        )
        return [_known(row) for row in rows]

    def facts_of(self, names: Sequence[str], wanted: Filter) -> list[NamingFact]:
        """The facts of that kind that name any of ``names``, those that name most of them first,
        then by trust, the newest, the id.
        """
        keys = [entity_key(name) for name in names]
        condition, parameters = wanted.sql()
        rows = self._connection.execute(
            f"""
            {_MEANT}
            SELECT f.fact_id, {_TRUST} AS trust, {_AGE} AS created_at,
                   json_group_array(DISTINCT meant.key) AS keys
            FROM meant
            JOIN fact_entities AS l ON l.entity_id = meant.entity_id
            JOIN facts AS f ON f.fact_id = l.fact_id
            WHERE {condition}
            GROUP BY f.fact_id
            ORDER BY count(DISTINCT meant.key) DESC, trust DESC, {_AGE} DESC, f.fact_id
            """,
            [json.dumps(keys), *parameters],
        )
        return [
            NamingFact(row["fact_id"], row["trust"], row["created_at"], _sorted(row["keys"]))
            for row in rows
        ]

    def bridges(
        self, name: str, wanted: Filter, *, limit: int, beside: Sequence[int] = ()
    ) -> list[BridgedFact]:
        """The facts of that kind that do not name ``name`` but share other entities with active
        facts that do, by number of shared entities × trust, then by trust, the newest, the id.

        ``beside`` are further facts that are about it. Entities that a fifth of all facts name
        bridge nothing.
        """
        condition, parameters = wanted.sql()
        rows = self._connection.execute(
            f"""
            {_MEANT},
            about(fact_id) AS (
              SELECT l.fact_id FROM meant JOIN fact_entities AS l USING (entity_id)
              UNION SELECT value FROM json_each(?)
            ),
            near(fact_id) AS (
              SELECT fact_id FROM about JOIN facts USING (fact_id) WHERE status = 'active'
            ),
            bridge(entity_id, name) AS (
              SELECT e.entity_id, CAST(e.name AS TEXT) FROM near
              JOIN fact_entities AS l ON l.fact_id = near.fact_id
              JOIN entities AS e ON e.entity_id = l.entity_id
              WHERE e.entity_id NOT IN (SELECT entity_id FROM meant)
              GROUP BY e.entity_id
              HAVING (SELECT count(*) FROM fact_entities AS all_of
                      WHERE all_of.entity_id = e.entity_id)
                <= max({_NEVER_HUB}, {_HUB_SHARE}
                       * (SELECT count(*) FROM facts WHERE status = 'active'))
            )
            SELECT f.fact_id, {_TRUST} AS trust, {_AGE} AS created_at,
                   json_group_array(bridge.name) AS via
            FROM bridge
            JOIN fact_entities AS l ON l.entity_id = bridge.entity_id
            JOIN facts AS f ON f.fact_id = l.fact_id
            WHERE f.fact_id NOT IN (SELECT fact_id FROM about) AND {condition}
            GROUP BY f.fact_id
            ORDER BY count(*) * {_TRUST} DESC, trust DESC, {_AGE} DESC, f.fact_id
            LIMIT ?
            """,
            [json.dumps([entity_key(name)]), json.dumps(list(beside)), *parameters, limit],
        )
        return [
            BridgedFact(row["fact_id"], row["trust"], row["created_at"], _sorted(row["via"]))
            for row in rows
        ]

    def named_by(self, fact_ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """For each of these facts that names any, its entities, by name."""
        rows = self._connection.execute(
            "SELECT l.fact_id, json_group_array(DISTINCT CAST(e.name AS TEXT)) AS names "
            "FROM fact_entities AS l JOIN entities AS e USING (entity_id) "
            "WHERE l.fact_id IN (SELECT value FROM json_each(?)) GROUP BY l.fact_id",
            (json.dumps(list(fact_ids)),),
        )
        return {row["fact_id"]: _sorted(row["names"]) for row in rows}


def _sorted(names: str) -> tuple[str, ...]:
    return tuple(sorted(map(stored_text, json.loads(names))))


def _known(row: sqlite3.Row) -> KnownEntity:
    name = stored_text(row["name"])
    others = (stored_text(other) for other in json.loads(row["names"]))
    aliases = tuple(other for other in others if other != name)
    return KnownEntity(row["entity_id"], name, row["entity_type"] or "unknown", aliases)


def key_given_entities(connection: sqlite3.Connection) -> None:
    """Give the entities that an ancestor left their keys, names and aliases, inside the caller's
    transaction.
    """
    rows = connection.execute(
        "SELECT entity_id, name, aliases FROM entities AS e "
        "WHERE NOT EXISTS (SELECT 1 FROM entity_keys AS k WHERE k.entity_id = e.entity_id)"
    ).fetchall()
    connection.executemany(
        "INSERT INTO entity_keys(key, entity_id, name) VALUES (?, ?, ?)",
        [
            (entity_key(name), row["entity_id"], name)
            for row in rows
            for name in (stored_text(row["name"]), *_listed(stored_text(row["aliases"])))
        ],
    )


_BETWEEN_ALIASES = re.compile(r"[,，;；、|\n]")


def _listed(aliases: str) -> list[str]:
    """The aliases in a text that lists them: a JSON array, or parted by commas."""
    if aliases.lstrip().startswith("["):
        try:
            return [alias for alias in json.loads(aliases) if isinstance(alias, str) and alias]
        except ValueError:
            pass
    return [alias.strip() for alias in _BETWEEN_ALIASES.split(aliases) if alias.strip()]
