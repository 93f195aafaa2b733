-- What the runtime stands on: who this device is, what waits to be synchronized, and the records of runs.
-- Times are whole milliseconds since 1970. `records` and the tables that bear the name of an entity type are synchronized; the others stay here.

CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- What the cloud has not yet acknowledged, in the order of writing. The content is read from its table when it is sent.
CREATE TABLE outbox (
  no INTEGER PRIMARY KEY,
  entity_type TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  op TEXT NOT NULL,
  version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  source_ts INTEGER NOT NULL
);
-- A record that changes again before it was sent is sent once. Append-only entities are written once by themselves.
CREATE UNIQUE INDEX outbox_latest ON outbox (entity_type, entity_id)
  WHERE entity_type NOT IN ('messages', 'tool_calls', 'agent_run_steps', 'workflow_run_events');

-- The entities that change: agents, agent_tool_policies, agent_skill_bindings, mcp_servers, todos.
CREATE TABLE records (
  entity_type TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  source_ts INTEGER NOT NULL,
  device_id TEXT NOT NULL,
  deleted INTEGER NOT NULL,
  payload TEXT NOT NULL,
  PRIMARY KEY (entity_type, entity_id)
) WITHOUT ROWID;

-- Projections of the journal, for lists.
CREATE TABLE conversations (
  no INTEGER PRIMARY KEY,
  conversation_id TEXT NOT NULL UNIQUE,
  agent_id TEXT NOT NULL,
  title TEXT NOT NULL,
  workspace TEXT NOT NULL,
  hidden INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);

CREATE TABLE runs (
  no INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  conversation INTEGER NOT NULL REFERENCES conversations (no),
  agent_id TEXT NOT NULL,
  device_id TEXT NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  pause_reason TEXT,
  model TEXT NOT NULL,
  sandbox_mode TEXT NOT NULL,
  -- Given by who started it: the same key starts nothing twice.
  start_key TEXT UNIQUE,
  next_seq INTEGER NOT NULL DEFAULT 0,
  turns INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  cached_tokens INTEGER NOT NULL DEFAULT 0,
  estimated INTEGER NOT NULL DEFAULT 0,
  failure TEXT,
  started_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  ended_at INTEGER
);
CREATE INDEX runs_of_conversation ON runs (conversation, no);

CREATE TABLE messages (
  no INTEGER PRIMARY KEY,
  message_id TEXT NOT NULL UNIQUE,
  conversation INTEGER NOT NULL REFERENCES conversations (no),
  run INTEGER,
  role TEXT NOT NULL,
  text TEXT NOT NULL,
  text_file TEXT,
  attachments TEXT,
  set_aside INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
);
CREATE INDEX messages_of_conversation ON messages (conversation, no);

-- `body` is the step without the fields its run and its columns say already; `here` is what only this device needs of it.
CREATE TABLE agent_run_steps (
  run INTEGER NOT NULL REFERENCES runs (no),
  seq INTEGER NOT NULL,
  step_id TEXT NOT NULL,
  ts INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  here TEXT,
  PRIMARY KEY (run, seq)
) WITHOUT ROWID;

-- Written when a call is settled. Its arguments are in its `tool.call` step, `call_seq`.
CREATE TABLE tool_calls (
  run INTEGER NOT NULL REFERENCES runs (no),
  call_id TEXT NOT NULL,
  call_seq INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  output TEXT NOT NULL,
  output_file TEXT,
  truncated INTEGER NOT NULL,
  failure TEXT,
  checkpoint_id TEXT,
  settled_at INTEGER NOT NULL,
  PRIMARY KEY (run, call_id)
) WITHOUT ROWID;

CREATE TABLE approvals (
  approval_id TEXT PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs (no),
  call_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  prompt TEXT NOT NULL,
  -- What was promised of taking it back: a weaker promise is asked about again.
  plan TEXT,
  answer TEXT,
  reason TEXT,
  edited_arguments TEXT,
  asked_at INTEGER NOT NULL,
  answered_at INTEGER
) WITHOUT ROWID;
CREATE INDEX approvals_pending ON approvals (run) WHERE answer IS NULL;

CREATE TABLE questions (
  question_id TEXT PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs (no),
  call_id TEXT NOT NULL,
  prompt TEXT NOT NULL,
  answer TEXT,
  asked_at INTEGER NOT NULL,
  answered_at INTEGER
) WITHOUT ROWID;
CREATE INDEX questions_pending ON questions (run) WHERE answer IS NULL;

-- The text of an answer that is still coming, kept as it comes.
CREATE TABLE streams (
  run INTEGER PRIMARY KEY REFERENCES runs (no),
  message_id TEXT NOT NULL,
  text TEXT NOT NULL,
  updated_at INTEGER NOT NULL
);

-- The record of observability events. What their run says already is not repeated.
CREATE TABLE events (
  no INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL,
  event TEXT NOT NULL,
  ts INTEGER NOT NULL,
  run INTEGER,
  seq INTEGER,
  agent_id TEXT,
  conversation_id TEXT,
  failure_contract TEXT,
  data TEXT NOT NULL
);
CREATE INDEX events_of_run ON events (run, no) WHERE run IS NOT NULL;
