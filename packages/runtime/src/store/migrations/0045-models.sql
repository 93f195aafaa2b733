-- The models that each address offered when it was last asked: shown offline, and where prices come from.
CREATE TABLE model_lists (
  address TEXT PRIMARY KEY,
  seen_at INTEGER NOT NULL,
  -- As JSON.
  models TEXT NOT NULL,
  -- How many more there were.
  omitted INTEGER NOT NULL
);

-- Prices that the user entered, in US dollars per million tokens.
CREATE TABLE model_prices (
  address TEXT NOT NULL,
  model TEXT NOT NULL,
  input REAL NOT NULL,
  cached_input REAL,
  output REAL NOT NULL,
  PRIMARY KEY (address, model)
) WITHOUT ROWID;

-- Where the model of each run was called. Another address has other prices.
CREATE TABLE run_addresses (
  run_id TEXT PRIMARY KEY,
  address TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX runs_by_start ON runs (started_at);
