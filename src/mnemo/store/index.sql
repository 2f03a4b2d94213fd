-- The derived side of the database: everything here can be dropped and made again from `facts`.

-- Derived: each searchable fact as space-joined tokens, and the full-text index over them. What
-- a token is, is decided in text/tokens.py; FTS5 only splits on spaces.
CREATE TABLE fact_tokens (
  fact_id       INTEGER PRIMARY KEY,
  match_text    TEXT NOT NULL,     -- tokens of what the fact is ranked on
  body          TEXT NOT NULL,     -- tokens of what is only findable: content behind a summary,
                                   -- and the contents of facts that were merged into this one
  tags          TEXT NOT NULL,
  dates         TEXT NOT NULL,
  match_length  INTEGER NOT NULL,  -- code points of the match text
  token_count   INTEGER NOT NULL   -- tokens of all columns
);
CREATE VIRTUAL TABLE fact_index USING fts5(
  match_text, body, tags, dates, content='fact_tokens', content_rowid='fact_id',
  tokenize="ascii tokenchars '!#$%&()*+,-./:;<=>?@[\]^_`{|}~'"
);
CREATE TRIGGER fact_tokens_insert AFTER INSERT ON fact_tokens BEGIN
  INSERT INTO fact_index(rowid, match_text, body, tags, dates)
  VALUES (new.fact_id, new.match_text, new.body, new.tags, new.dates);
END;
CREATE TRIGGER fact_tokens_delete AFTER DELETE ON fact_tokens BEGIN
  INSERT INTO fact_index(fact_index, rowid, match_text, body, tags, dates)
  VALUES ('delete', old.fact_id, old.match_text, old.body, old.tags, old.dates);
END;

-- Derived: how many facts have each token in any column, and how many facts and tokens there are.
CREATE TABLE words (word TEXT PRIMARY KEY, facts INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE index_size (facts INTEGER NOT NULL, tokens INTEGER NOT NULL);
INSERT INTO index_size VALUES (0, 0);

-- Derived: the key under which a fact's exact twin would be found, for every fact of any status.
CREATE TABLE IF NOT EXISTS twin_keys (fact_id INTEGER PRIMARY KEY, twin_key BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS twin_keys_by_key ON twin_keys(twin_key);
