-- The remote executors of this device. None of it synchronizes: the token and the fingerprint belong to this device.
CREATE TABLE executors (
  executor_id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  executor_url TEXT NOT NULL,
  -- The only certificate that is accepted; null for plain http to this device.
  certificate_sha256 TEXT,
  token TEXT NOT NULL,
  added_at TEXT NOT NULL
);

-- The cache of the last negotiation with each executor (JSON).
CREATE TABLE executor_negotiations (
  executor_id TEXT PRIMARY KEY NOT NULL REFERENCES executors (executor_id) ON DELETE CASCADE,
  result TEXT NOT NULL
);
