"""Databases as the programs before this one left them, made by hand."""

import sqlite3
from contextlib import closing
from pathlib import Path

FIRST = """
CREATE TABLE facts (
  fact_id INTEGER PRIMARY KEY AUTOINCREMENT,
  content TEXT NOT NULL UNIQUE,
  category TEXT DEFAULT 'general',
  tags TEXT DEFAULT '',
  trust_score REAL DEFAULT 0.5,
  retrieval_count INTEGER DEFAULT 0,
  helpful_count INTEGER DEFAULT 0,
  created_at TEXT DEFAULT (datetime('now', 'localtime')),
  updated_at TEXT DEFAULT (datetime('now', 'localtime'))
);
CREATE TABLE entities (
  entity_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  entity_type TEXT DEFAULT 'unknown',
  aliases TEXT DEFAULT '',
  created_at TEXT DEFAULT (datetime('now', 'localtime'))
);
CREATE TABLE fact_entities (
  fact_id INTEGER NOT NULL REFERENCES facts(fact_id) ON DELETE CASCADE,
  entity_id INTEGER NOT NULL REFERENCES entities(entity_id) ON DELETE CASCADE,
  PRIMARY KEY (fact_id, entity_id)
);
CREATE VIRTUAL TABLE facts_fts USING fts5(content, tags, content=facts, content_rowid=fact_id);
CREATE TRIGGER facts_ai AFTER INSERT ON facts BEGIN
  INSERT INTO facts_fts(rowid, content, tags) VALUES (new.fact_id, new.content, new.tags);
END;
CREATE TRIGGER facts_ad AFTER DELETE ON facts BEGIN
  INSERT INTO facts_fts(facts_fts, rowid, content, tags)
  VALUES ('delete', old.fact_id, old.content, old.tags);
END;
CREATE TRIGGER facts_au AFTER UPDATE ON facts BEGIN
  INSERT INTO facts_fts(facts_fts, rowid, content, tags)
  VALUES ('delete', old.fact_id, old.content, old.tags);
  INSERT INTO facts_fts(rowid, content, tags) VALUES (new.fact_id, new.content, new.tags);
END;
INSERT INTO facts(content, category, tags, trust_score, retrieval_count, helpful_count,
                  created_at, updated_at) VALUES
 ('用户喜欢深色主题，终端字号 14', 'tool_pref', '主题', 0.62, 41, 14,
  '2026-02-11 09:20:00', '2026-04-02 18:01:11'),
 ('Never force push to main.', 'workflow', 'git', 0.71, 35, 12, '2026-02-20 07:45:10', NULL),
 ('gone', 'general', '', 0.5, 0, 0, NULL, NULL),
 ('', NULL, NULL, NULL, NULL, NULL, '2026-02-20T07:45:10+08:00', '');
DELETE FROM facts WHERE content = 'gone';
INSERT INTO facts(content) VALUES ('the newest, deleted again');
DELETE FROM facts WHERE content = 'the newest, deleted again';
INSERT INTO entities(name, entity_type, created_at) VALUES ('王敏', 'person', '2026-01-05');
INSERT INTO fact_entities VALUES (1, 1), (404, 1);
"""

LAST = """
CREATE TABLE facts (
  fact_id           INTEGER PRIMARY KEY AUTOINCREMENT,
  content           TEXT NOT NULL UNIQUE,
  category          TEXT DEFAULT 'general',
  tags              TEXT DEFAULT '',
  keywords          TEXT DEFAULT '[]',
  summary           TEXT DEFAULT NULL,
  trust_score       REAL DEFAULT 0.5,
  retrieval_count   INTEGER DEFAULT 0,
  helpful_count     INTEGER DEFAULT 0,
  last_retrieved_at TEXT DEFAULT NULL,
  created_at        TEXT DEFAULT (datetime('now', 'localtime')),
  updated_at        TEXT DEFAULT (datetime('now', 'localtime'))
);
CREATE TABLE entities (
  entity_id   INTEGER PRIMARY KEY AUTOINCREMENT,
  name        TEXT NOT NULL,
  entity_type TEXT DEFAULT 'unknown',
  aliases     TEXT DEFAULT '',
  created_at  TEXT DEFAULT (datetime('now', 'localtime'))
);
CREATE TABLE fact_entities (
  fact_id   INTEGER NOT NULL REFERENCES facts(fact_id) ON DELETE CASCADE,
  entity_id INTEGER NOT NULL REFERENCES entities(entity_id) ON DELETE CASCADE,
  PRIMARY KEY (fact_id, entity_id)
);
CREATE TABLE retrieval_log (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  query     TEXT NOT NULL,
  results   TEXT DEFAULT NULL,
  timestamp TEXT DEFAULT (datetime('now', 'localtime'))
);
CREATE INDEX idx_facts_trust ON facts(trust_score DESC);
CREATE INDEX idx_facts_category ON facts(category);
CREATE INDEX idx_entities_name ON entities(name);
CREATE INDEX idx_fact_entities_entity ON fact_entities(entity_id);
CREATE INDEX idx_retrieval_log_ts ON retrieval_log(timestamp);
CREATE VIRTUAL TABLE facts_fts
  USING fts5(content, tags, summary, content=facts, content_rowid=fact_id, tokenize='trigram');
CREATE TRIGGER facts_ai AFTER INSERT ON facts BEGIN
  INSERT INTO facts_fts(rowid, content, tags, summary)
  VALUES (new.fact_id, new.content, new.tags, COALESCE(new.summary, ''));
END;
CREATE TRIGGER facts_ad AFTER DELETE ON facts BEGIN
  INSERT INTO facts_fts(facts_fts, rowid, content, tags, summary)
  VALUES ('delete', old.fact_id, old.content, old.tags, COALESCE(old.summary, ''));
END;
CREATE TRIGGER facts_au AFTER UPDATE ON facts BEGIN
  INSERT INTO facts_fts(facts_fts, rowid, content, tags, summary)
  VALUES ('delete', old.fact_id, old.content, old.tags, COALESCE(old.summary, ''));
  INSERT INTO facts_fts(rowid, content, tags, summary)
  VALUES (new.fact_id, new.content, new.tags, COALESCE(new.summary, ''));
END;
INSERT INTO facts(content, category, keywords, summary, trust_score, retrieval_count,
                  helpful_count, last_retrieved_at, created_at, updated_at) VALUES
 ('数据库连接池大小为 20，超时 30 秒', 'general', '["数据库"]', NULL, 0.5, 0, 0, NULL,
  '2026-03-01 08:00:00', '2026-03-01 08:00:00'),
 ('用户名叫林晓，在杭州做后端开发', 'identity', '[]', '林晓，后端', 0.95, 120, 60,
  '2026-05-01 21:13:48', '2026-03-02 08:00:00', '2026-04-02 08:00:00');
INSERT INTO entities(name, created_at) VALUES ('林晓', '2026-03-02');
INSERT INTO fact_entities VALUES (2, 1);
INSERT INTO retrieval_log(query, results, timestamp) VALUES
 ('数据 据库', '[{"id":1,"score":0.091}]', '2026-05-01 21:13:48'),
 ('nothing', NULL, '2026-05-01 21:14:00');
"""

BARE = """
CREATE TABLE facts(fact_id, content);
INSERT INTO facts VALUES (3, '手写的一条'), (7, 'typed by hand');
"""


def make(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def rows(path: Path, table: str) -> list[dict[str, object]]:
    """Every row of a table, by the order in which it was written; NULLs left out."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        found = connection.execute(f"SELECT * FROM {table} ORDER BY rowid").fetchall()
    return [{k: v for k, v in dict(row).items() if v is not None} for row in found]
