-- The whole database. The columns of `facts` up to `updated_at` are those of the TypeScript
-- mnemo, with their names and meaning, so that its databases open in place; ours follow.

CREATE TABLE facts (
  fact_id            INTEGER PRIMARY KEY AUTOINCREMENT,
  content            TEXT NOT NULL,
  category           TEXT DEFAULT 'general',
  tags               TEXT DEFAULT '',            -- comma separated, as the person gave them
  summary            TEXT DEFAULT NULL,          -- what the fact is ranked on, where there is one
  trust_score        REAL DEFAULT 0.5,
  retrieval_count    INTEGER DEFAULT 0,
  helpful_count      INTEGER DEFAULT 0,
  last_retrieved_at  TEXT DEFAULT NULL,
  created_at         TEXT DEFAULT (datetime('now')),
  updated_at         TEXT DEFAULT (datetime('now')),
  status             TEXT NOT NULL DEFAULT 'active',
  merged_into        INTEGER DEFAULT NULL,       -- the survivor, where status is 'merged'
  status_reason      TEXT DEFAULT NULL,
  pinned             INTEGER NOT NULL DEFAULT 0,
  pin_reason         TEXT DEFAULT NULL,
  memory_class       TEXT NOT NULL DEFAULT 'fact',
  source_ref         TEXT DEFAULT NULL,
  project_id         TEXT DEFAULT NULL,
  unhelpful_count    INTEGER NOT NULL DEFAULT 0,
  summary_source     TEXT DEFAULT NULL,          -- 'user' or 'auto', where there is a summary
  category_locked    INTEGER NOT NULL DEFAULT 0, -- moved by hand or by a dream: stays there
  flags              TEXT NOT NULL DEFAULT '[]',
  discounted         INTEGER NOT NULL DEFAULT 0, -- recalls that say nothing about usefulness
  learn_retrievals   INTEGER NOT NULL DEFAULT 0, -- where the present window of evidence began
  learn_helpful      INTEGER NOT NULL DEFAULT 0,
  learn_at           TEXT DEFAULT NULL,
  aged_at            TEXT DEFAULT NULL,
  decayed_at         TEXT DEFAULT NULL,
  consolidated_hits  INTEGER NOT NULL DEFAULT 0,
  date               TEXT DEFAULT NULL           -- the day it happened; else the day of created_at
);
CREATE INDEX facts_by_status ON facts(status, category);
CREATE INDEX facts_by_survivor ON facts(merged_into) WHERE merged_into IS NOT NULL;

-- Facts whose derived rows are out of date. The triggers use plain SQL only, so that a write by
-- any other program is noticed too; whoever reads next brings the derived rows in step.
CREATE TABLE dirty (fact_id INTEGER PRIMARY KEY);
CREATE TRIGGER facts_dirty_insert AFTER INSERT ON facts BEGIN
  INSERT OR IGNORE INTO dirty VALUES (new.fact_id);
END;
CREATE TRIGGER facts_dirty_update
AFTER UPDATE OF content, summary, tags, status, merged_into, date, created_at ON facts BEGIN
  INSERT OR IGNORE INTO dirty VALUES (new.fact_id);
  INSERT OR IGNORE INTO dirty SELECT old.merged_into WHERE old.merged_into IS NOT NULL;
  INSERT OR IGNORE INTO dirty SELECT new.merged_into WHERE new.merged_into IS NOT NULL;
END;
CREATE TRIGGER facts_dirty_delete AFTER DELETE ON facts BEGIN
  INSERT OR IGNORE INTO dirty VALUES (old.fact_id);
  INSERT OR IGNORE INTO dirty SELECT old.merged_into WHERE old.merged_into IS NOT NULL;
END;

CREATE TABLE entities (
  entity_id    INTEGER PRIMARY KEY AUTOINCREMENT,
  name         TEXT NOT NULL,
  entity_type  TEXT DEFAULT 'unknown',
  aliases      TEXT DEFAULT '',
  created_at   TEXT DEFAULT (datetime('now')),
  derived      INTEGER NOT NULL DEFAULT 0  -- 1: read out of facts, and goes with the last of them
);
CREATE INDEX entities_by_name ON entities(name);
CREATE TABLE fact_entities (
  fact_id    INTEGER NOT NULL REFERENCES facts(fact_id) ON DELETE CASCADE,
  entity_id  INTEGER NOT NULL REFERENCES entities(entity_id) ON DELETE CASCADE,
  derived    INTEGER NOT NULL DEFAULT 0,   -- 1: follows the fact's text; 0: given, and stays
  PRIMARY KEY (fact_id, entity_id)
);
CREATE INDEX fact_entities_by_entity ON fact_entities(entity_id);
-- Every name of an entity, folded: its own, those that a person gave, those that a fact gives.
CREATE TABLE entity_keys (
  key        TEXT NOT NULL,
  entity_id  INTEGER NOT NULL REFERENCES entities(entity_id) ON DELETE CASCADE,
  name       TEXT NOT NULL,                -- as it is written
  fact_id    INTEGER DEFAULT NULL REFERENCES facts(fact_id) ON DELETE CASCADE
);
CREATE INDEX entity_keys_by_key ON entity_keys(key, entity_id);
CREATE INDEX entity_keys_by_entity ON entity_keys(entity_id);
CREATE INDEX entity_keys_by_fact ON entity_keys(fact_id) WHERE fact_id IS NOT NULL;
CREATE TRIGGER entities_unnamed AFTER DELETE ON fact_entities BEGIN
  DELETE FROM entities WHERE entity_id = old.entity_id AND derived
    AND NOT EXISTS (SELECT 1 FROM fact_entities WHERE entity_id = old.entity_id);
END;

CREATE TABLE retrieval_log (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  query      TEXT NOT NULL,
  results    TEXT NOT NULL,
  timestamp  TEXT DEFAULT (datetime('now'))
);
CREATE INDEX retrieval_log_by_time ON retrieval_log(timestamp);

-- The journal. An operation is what one call did; `changes` holds, for each fact it touched, the
-- whole row before (NULL: there was none) and the columns it set; `audit_log` says it in words.
CREATE TABLE operations (
  op_id       INTEGER PRIMARY KEY AUTOINCREMENT,
  kind        TEXT NOT NULL,
  actor       TEXT NOT NULL,
  session     TEXT NOT NULL,
  started_at  TEXT NOT NULL,
  undoes      INTEGER DEFAULT NULL,  -- the operation that this one took back
  undone_by   INTEGER DEFAULT NULL   -- the operation that took this one back
);
CREATE INDEX operations_by_undone ON operations(undoes) WHERE undoes IS NOT NULL;
CREATE TABLE changes (
  op_id    INTEGER NOT NULL REFERENCES operations(op_id) ON DELETE CASCADE,
  fact_id  INTEGER NOT NULL,
  before   TEXT,
  after    TEXT NOT NULL,
  reason   TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (op_id, fact_id)
);
CREATE INDEX changes_by_fact ON changes(fact_id);
CREATE TABLE audit_log (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  t         TEXT NOT NULL,
  actor     TEXT NOT NULL,
  action    TEXT NOT NULL,
  entry_id  TEXT,
  detail    TEXT NOT NULL DEFAULT '{}',
  op_id     INTEGER
);
CREATE INDEX audit_log_by_time ON audit_log(t);
CREATE INDEX audit_log_by_action ON audit_log(action);
CREATE INDEX audit_log_by_entry ON audit_log(entry_id);
CREATE INDEX audit_log_by_operation ON audit_log(op_id);

CREATE TABLE meta (k TEXT PRIMARY KEY, v TEXT);
