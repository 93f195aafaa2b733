-- What a person said in runs that may be a demand or a correction: compared with each other to find what is said again in other words.
CREATE TABLE evolution_sayings (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  run INTEGER NOT NULL,
  what TEXT NOT NULL,
  text TEXT NOT NULL,
  message_id TEXT NOT NULL,
  asks INTEGER NOT NULL,
  forbids INTEGER NOT NULL,
  -- The group it is in; null until it was compared.
  pattern INTEGER
);
CREATE INDEX evolution_sayings_latest ON evolution_sayings (what, no);
CREATE INDEX evolution_sayings_of_run ON evolution_sayings (run);
CREATE INDEX evolution_sayings_of_pattern ON evolution_sayings (pattern, run);

-- The meaning of texts, computed once for each model. The latest ones are kept.
CREATE TABLE evolution_vectors (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  model TEXT NOT NULL,
  text TEXT NOT NULL,
  vector BLOB NOT NULL,
  UNIQUE (model, text)
);
-- What unrelated sentences have in common for a model, and how much their similarities differ.
CREATE TABLE evolution_backgrounds (
  model TEXT PRIMARY KEY,
  mean BLOB NOT NULL,
  spread REAL NOT NULL
) WITHOUT ROWID;
