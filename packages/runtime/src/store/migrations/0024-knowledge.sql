-- The sources of the knowledge base. What was read from them is in a file of its own, which can be made again from these rows.
CREATE TABLE kb_sources (
  source_id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  -- JSON: where it comes from, and whose agents can find it.
  origin TEXT NOT NULL,
  owner TEXT NOT NULL,
  -- The agent that added it, and what that agent could read then (JSON); null if a person added it.
  added_by TEXT,
  access TEXT,
  watch INTEGER NOT NULL,
  state TEXT NOT NULL,
  -- JSON: what users should know about it.
  problem TEXT,
  files INTEGER NOT NULL DEFAULT 0,
  left_out INTEGER NOT NULL DEFAULT 0,
  passages INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  added_at TEXT NOT NULL,
  checked_at TEXT,
  -- It was removed, and is deleted as soon as everything that was read from it is.
  removed INTEGER NOT NULL DEFAULT 0
);

-- The passages that searches of a run returned: only these can be cited.
CREATE TABLE kb_found (
  run INTEGER NOT NULL REFERENCES runs (no) ON DELETE CASCADE,
  citation TEXT NOT NULL,
  passage_id TEXT NOT NULL,
  name TEXT NOT NULL,
  source_id TEXT NOT NULL,
  -- JSON: by which the passage is recognized when its document has changed. It contains none of its words.
  fingerprint TEXT NOT NULL,
  -- How many lines below the beginning of the passage the cited line is.
  lines_below INTEGER NOT NULL,
  found_at TEXT NOT NULL,
  PRIMARY KEY (run, citation)
);
CREATE INDEX kb_found_of_source ON kb_found (source_id);
