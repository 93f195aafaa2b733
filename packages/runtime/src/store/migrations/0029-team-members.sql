-- The runs that other runs started, what they may spend and write, and how they ended.
CREATE TABLE team_members (
  run_id TEXT PRIMARY KEY,
  parent_run_id TEXT NOT NULL,
  root_run_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  depth INTEGER NOT NULL,
  title TEXT NOT NULL,
  role TEXT,
  task_sha256 TEXT NOT NULL,
  workspace TEXT NOT NULL,
  claims TEXT NOT NULL,
  started_in TEXT NOT NULL,
  share_tokens INTEGER NOT NULL,
  share_turns INTEGER NOT NULL,
  -- The parent named the share: it does not grow by itself.
  share_is_fixed INTEGER NOT NULL,
  output_schema TEXT,
  is_awaited INTEGER NOT NULL,
  -- A restore has undone the call that started it.
  is_withdrawn INTEGER NOT NULL DEFAULT 0,
  result TEXT
);
CREATE INDEX team_members_by_root ON team_members (root_run_id);
CREATE INDEX team_members_by_parent ON team_members (parent_run_id);
CREATE INDEX team_members_open ON team_members (run_id) WHERE result IS NULL;

-- What a person has added to the budget of a team.
CREATE TABLE team_raises (
  root_run_id TEXT PRIMARY KEY,
  tokens INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  seconds INTEGER NOT NULL
);

-- What a run gets at its next turn: a message of the user, a message of a member, or how a member ended.
CREATE TABLE run_inbox (
  no INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- The id of the message, or of the team message.
  id TEXT NOT NULL,
  from_run_id TEXT,
  topic TEXT,
  text TEXT,
  -- Writing a message again with the same key writes nothing.
  key TEXT,
  delivered INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX run_inbox_by_key ON run_inbox (run_id, key) WHERE key IS NOT NULL;
CREATE INDEX run_inbox_waiting ON run_inbox (run_id, no) WHERE delivered = 0;

-- What members have sent to each other.
CREATE TABLE team_messages (
  no INTEGER PRIMARY KEY,
  team_message_id TEXT NOT NULL UNIQUE,
  root_run_id TEXT NOT NULL,
  from_run_id TEXT NOT NULL,
  to_run_id TEXT,
  topic TEXT,
  text TEXT NOT NULL,
  sent_at INTEGER NOT NULL
);
CREATE INDEX team_messages_by_root ON team_messages (root_run_id, no);
