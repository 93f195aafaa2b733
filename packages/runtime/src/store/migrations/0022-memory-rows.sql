-- A row of a table without rowid that is longer than a quarter of a page gets a page of its own for the rest, and most memories are: they took
-- three times their size, and reading them twice as many pages. The same columns as before, in tables with a rowid.
CREATE TABLE new_memories (
  id TEXT PRIMARY KEY NOT NULL,
  agent_id TEXT,
  conversation_id TEXT,
  only_in_conversation INTEGER NOT NULL,
  memory_kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  slot TEXT,
  content TEXT NOT NULL,
  quotes TEXT NOT NULL,
  procedure TEXT,
  revokes TEXT,
  state TEXT NOT NULL,
  state_reason TEXT,
  confidence REAL NOT NULL,
  source_type TEXT NOT NULL,
  source_run_id TEXT,
  authority TEXT NOT NULL,
  confirmed_by_user INTEGER NOT NULL,
  expires_at TEXT,
  conflicts_with TEXT NOT NULL,
  supersedes TEXT NOT NULL,
  last_used_at TEXT,
  use_count INTEGER NOT NULL,
  tags TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  version INTEGER NOT NULL,
  origin_key TEXT UNIQUE
);
INSERT INTO new_memories SELECT * FROM memories ORDER BY id;

CREATE TABLE new_memory_versions (
  memory_id TEXT NOT NULL REFERENCES new_memories (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (memory_id, version)
);
INSERT INTO new_memory_versions SELECT * FROM memory_versions ORDER BY memory_id, version;

-- Its rows are short; it only refers to the table that is replaced.
CREATE TABLE new_procedure_runs (
  memory_id TEXT NOT NULL REFERENCES new_memories (id) ON DELETE CASCADE,
  run INTEGER NOT NULL REFERENCES runs (no),
  outcome TEXT NOT NULL,
  next_seq INTEGER NOT NULL,
  PRIMARY KEY (memory_id, run)
) WITHOUT ROWID;
INSERT INTO new_procedure_runs SELECT * FROM procedure_runs;

-- What the user forgets later must not remain in the pages that are released here.
PRAGMA secure_delete = ON;
DROP TABLE procedure_runs;
DROP TABLE memory_versions;
DROP TABLE memories;
PRAGMA secure_delete = OFF;
ALTER TABLE new_memories RENAME TO memories;
ALTER TABLE new_memory_versions RENAME TO memory_versions;
ALTER TABLE new_procedure_runs RENAME TO procedure_runs;

CREATE INDEX memories_of_subject ON memories (subject, agent_id);
CREATE INDEX memories_by_time ON memories (created_at, id);
CREATE INDEX memories_due ON memories (expires_at) WHERE state <> 'archived' AND expires_at IS NOT NULL;
CREATE INDEX memories_of_conversation ON memories (conversation_id) WHERE conversation_id IS NOT NULL;
-- What the user added by hand. Its graph is built again after each addition.
CREATE INDEX memories_of_no_conversation ON memories (created_at, id) WHERE conversation_id IS NULL;
