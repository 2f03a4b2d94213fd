-- A database of schema version 1, as it was made before operations could be undone.
CREATE TABLE facts (
  fact_id            INTEGER PRIMARY KEY AUTOINCREMENT,
  content            TEXT NOT NULL,
  category           TEXT DEFAULT 'general',
  tags               TEXT DEFAULT '',
  summary            TEXT DEFAULT NULL,
  trust_score        REAL DEFAULT 0.5,
  retrieval_count    INTEGER DEFAULT 0,
  helpful_count      INTEGER DEFAULT 0,
  last_retrieved_at  TEXT DEFAULT NULL,
  created_at         TEXT DEFAULT (datetime('now')),
  updated_at         TEXT DEFAULT (datetime('now')),
  status             TEXT NOT NULL DEFAULT 'active',
  merged_into        INTEGER DEFAULT NULL,
  status_reason      TEXT DEFAULT NULL,
  pinned             INTEGER NOT NULL DEFAULT 0,
  pin_reason         TEXT DEFAULT NULL,
  memory_class       TEXT NOT NULL DEFAULT 'fact',
  source_ref         TEXT DEFAULT NULL,
  project_id         TEXT DEFAULT NULL,
  unhelpful_count    INTEGER NOT NULL DEFAULT 0,
  summary_source     TEXT DEFAULT NULL,
  category_locked    INTEGER NOT NULL DEFAULT 0,
  flags              TEXT NOT NULL DEFAULT '[]',
  discounted         INTEGER NOT NULL DEFAULT 0,
  learn_retrievals   INTEGER NOT NULL DEFAULT 0,
  learn_helpful      INTEGER NOT NULL DEFAULT 0,
  learn_at           TEXT DEFAULT NULL,
  aged_at            TEXT DEFAULT NULL,
  decayed_at         TEXT DEFAULT NULL,
  consolidated_hits  INTEGER NOT NULL DEFAULT 0,
  date               TEXT DEFAULT NULL
);
CREATE INDEX facts_by_status ON facts(status, category);
CREATE INDEX facts_by_survivor ON facts(merged_into) WHERE merged_into IS NOT NULL;
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
  created_at   TEXT DEFAULT (datetime('now'))
);
CREATE INDEX entities_by_name ON entities(name);
CREATE TABLE fact_entities (
  fact_id    INTEGER NOT NULL REFERENCES facts(fact_id) ON DELETE CASCADE,
  entity_id  INTEGER NOT NULL REFERENCES entities(entity_id) ON DELETE CASCADE,
  PRIMARY KEY (fact_id, entity_id)
);
CREATE INDEX fact_entities_by_entity ON fact_entities(entity_id);
CREATE TABLE retrieval_log (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  query      TEXT NOT NULL,
  results    TEXT NOT NULL,
  timestamp  TEXT DEFAULT (datetime('now'))
);
CREATE INDEX retrieval_log_by_time ON retrieval_log(timestamp);
CREATE TABLE operations (
  op_id       INTEGER PRIMARY KEY AUTOINCREMENT,
  kind        TEXT NOT NULL,
  actor       TEXT NOT NULL,
  session     TEXT NOT NULL,
  started_at  TEXT NOT NULL
);
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
CREATE TABLE meta (k TEXT PRIMARY KEY, v TEXT);
CREATE TABLE fact_tokens (
  fact_id       INTEGER PRIMARY KEY,
  match_text    TEXT NOT NULL,
  body          TEXT NOT NULL,
  tags          TEXT NOT NULL,
  dates         TEXT NOT NULL,
  match_length  INTEGER NOT NULL
);
CREATE VIRTUAL TABLE fact_index USING fts5(
  match_text, body, tags, dates, content='fact_tokens', content_rowid='fact_id',
  tokenize="ascii tokenchars '!#$%&()*+,-./:;<=>?@[\]^_`{|}~'"
);
CREATE VIRTUAL TABLE fact_vocabulary USING fts5vocab(fact_index, row);
CREATE TRIGGER fact_tokens_insert AFTER INSERT ON fact_tokens BEGIN
  INSERT INTO fact_index(rowid, match_text, body, tags, dates)
  VALUES (new.fact_id, new.match_text, new.body, new.tags, new.dates);
END;
CREATE TRIGGER fact_tokens_delete AFTER DELETE ON fact_tokens BEGIN
  INSERT INTO fact_index(fact_index, rowid, match_text, body, tags, dates)
  VALUES ('delete', old.fact_id, old.match_text, old.body, old.tags, old.dates);
END;
CREATE TABLE twin_keys (fact_id INTEGER PRIMARY KEY, twin_key BLOB NOT NULL);
CREATE INDEX twin_keys_by_key ON twin_keys(twin_key);
