-- Tokens that no run on this device has: those of models that work in the background, and those of erased conversations. Numbers only.
CREATE TABLE usage_by_month (
  -- YYYY-MM in UTC.
  month TEXT NOT NULL,
  model TEXT NOT NULL,
  -- Where it was called; empty if that is not known.
  address TEXT NOT NULL,
  kind TEXT NOT NULL,
  runs INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  estimated INTEGER NOT NULL,
  PRIMARY KEY (month, model, address, kind)
) WITHOUT ROWID;
