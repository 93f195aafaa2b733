-- What synchronization remembers. Times are whole milliseconds since 1970; cursors are kept as the text the cloud gave.

-- Where a fact stands, so that it is found again without an index of its own.
ALTER TABLE outbox ADD COLUMN run INTEGER;
ALTER TABLE outbox ADD COLUMN seq INTEGER;
UPDATE outbox SET (run, seq) = (SELECT run, seq FROM agent_run_steps WHERE step_id = entity_id) WHERE entity_type = 'agent_run_steps';
UPDATE outbox SET (run, seq) = (SELECT run, call_seq FROM tool_calls WHERE call_id = entity_id) WHERE entity_type = 'tool_calls';

-- Whether the cloud has this entity, as far as is known here: what it had and has no more was deleted elsewhere.
ALTER TABLE records ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;

CREATE TABLE sync_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Whose data this is; null until it first met an account.
  user_id TEXT,
  epoch TEXT,
  cursor_ts TEXT,
  snapshot_ts TEXT,
  recovery TEXT NOT NULL DEFAULT 'none',
  -- The latest stamp that ever came from elsewhere.
  seen_at INTEGER NOT NULL DEFAULT 0,
  pushed_at INTEGER,
  pulled_at INTEGER
);
INSERT INTO sync_state (id) VALUES (1);

-- Changes the cloud did not take, each with its reason and as it was.
CREATE TABLE sync_quarantine (
  no INTEGER PRIMARY KEY,
  entity_type TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  code TEXT NOT NULL,
  message TEXT NOT NULL,
  change TEXT NOT NULL,
  quarantined_at INTEGER NOT NULL,
  UNIQUE (entity_type, entity_id)
);

-- Changes that came and can't be shown yet: from a newer Tandem, or ahead of what they belong to.
CREATE TABLE sync_unread (
  entity_type TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  change TEXT NOT NULL,
  PRIMARY KEY (entity_type, entity_id)
) WITHOUT ROWID;

-- While a full pull makes up for forgotten deletions: the records it brought.
CREATE TABLE sync_brought (
  entity_type TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  PRIMARY KEY (entity_type, entity_id)
) WITHOUT ROWID;

-- Texts too long for their entity: sent to the cloud's files before it, fetched from there after it.
CREATE TABLE sync_files (
  file_id TEXT PRIMARY KEY,
  way TEXT NOT NULL,
  state TEXT NOT NULL,
  tried_at INTEGER
) WITHOUT ROWID;
