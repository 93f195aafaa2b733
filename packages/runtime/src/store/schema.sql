-- Generated from the migrations by scripts/local-schema.ts: do not edit. A new database is created from this file.

CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE outbox (
  no INTEGER PRIMARY KEY,
  entity_type TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  op TEXT NOT NULL,
  version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  source_ts INTEGER NOT NULL
, run INTEGER, seq INTEGER);

CREATE UNIQUE INDEX outbox_latest ON outbox (entity_type, entity_id)
  WHERE entity_type NOT IN ('messages', 'tool_calls', 'agent_run_steps', 'workflow_run_events');

CREATE TABLE records (
  entity_type TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  source_ts INTEGER NOT NULL,
  device_id TEXT NOT NULL,
  deleted INTEGER NOT NULL,
  payload TEXT NOT NULL, shared INTEGER NOT NULL DEFAULT 0, unknown TEXT,
  PRIMARY KEY (entity_type, entity_id)
) WITHOUT ROWID;

CREATE TABLE conversations (
  no INTEGER PRIMARY KEY,
  conversation_id TEXT NOT NULL UNIQUE,
  agent_id TEXT NOT NULL,
  title TEXT NOT NULL,
  workspace TEXT NOT NULL,
  hidden INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, branch TEXT, branch_key TEXT, pinned INTEGER NOT NULL DEFAULT 0, deleted_at INTEGER, erase_at INTEGER, imported_from TEXT, model TEXT, sandbox_mode TEXT);

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
, retries INTEGER NOT NULL DEFAULT 0, retry_at INTEGER, older_workspace TEXT, workflow_run_id TEXT, own_workspace TEXT);

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
, marked INTEGER NOT NULL DEFAULT 0, author TEXT, parent_message_id TEXT, extra TEXT, older_origin TEXT);

CREATE INDEX messages_of_conversation ON messages (conversation, no);

CREATE TABLE agent_run_steps (
  run INTEGER NOT NULL REFERENCES runs (no),
  seq INTEGER NOT NULL,
  step_id TEXT NOT NULL,
  ts INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  here TEXT, marked INTEGER NOT NULL DEFAULT 0, known INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (run, seq)
) WITHOUT ROWID;

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
  settled_at INTEGER NOT NULL, marked INTEGER NOT NULL DEFAULT 0, extra TEXT,
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

CREATE TABLE streams (
  run INTEGER PRIMARY KEY REFERENCES runs (no),
  message_id TEXT NOT NULL,
  text TEXT NOT NULL,
  updated_at INTEGER NOT NULL
);

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

CREATE TABLE runtime_run_checkpoints (
  no INTEGER PRIMARY KEY,
  checkpoint_id TEXT NOT NULL UNIQUE,
  run_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  name TEXT NOT NULL,
  restore_kind TEXT,
  tool TEXT,
  recovery_chain_id TEXT NOT NULL,
  recovery_chain_version INTEGER NOT NULL,
  parent_checkpoint_id TEXT,
  artifact_count INTEGER NOT NULL,
  artifact_bytes INTEGER NOT NULL,
  restored INTEGER NOT NULL DEFAULT 0,
  pending_approval INTEGER NOT NULL DEFAULT 0,
  taxonomy TEXT NOT NULL DEFAULT 'none',
  -- A command ran whose effects could not all be seen.
  opaque INTEGER NOT NULL DEFAULT 0,
  -- no: the call is open; yes: its end was seen; late: looked at after a crash.
  settled TEXT NOT NULL DEFAULT 'no',
  -- Set on the checkpoint before a restore: what was restored. The next checkpoint begins a chain there.
  restored_checkpoint_id TEXT,
  -- The folder that was looked at; null for a checkpoint of the run alone.
  root TEXT,
  run_metadata TEXT NOT NULL,
  run_loop_cursor TEXT NOT NULL,
  conversation_slice TEXT NOT NULL,
  tool_state TEXT NOT NULL,
  approval_queue TEXT NOT NULL,
  pending_mutation_metadata TEXT,
  memory_flush_markers TEXT NOT NULL,
  recovery_hints TEXT NOT NULL,
  created_at INTEGER NOT NULL
, contents_deleted_at INTEGER, taken_scan INTEGER NOT NULL DEFAULT 0, settled_scan INTEGER, returned_scan INTEGER, returned_at INTEGER, closed_at INTEGER, processes TEXT);

CREATE INDEX runtime_run_checkpoints_of_run ON runtime_run_checkpoints (run_id, no);

CREATE INDEX runtime_run_checkpoints_open ON runtime_run_checkpoints (no) WHERE settled = 'no';

CREATE TABLE runtime_checkpoint_artifacts (
  checkpoint_id TEXT NOT NULL REFERENCES runtime_run_checkpoints (checkpoint_id) ON DELETE CASCADE,
  side TEXT NOT NULL,
  pack TEXT NOT NULL,
  stored_bytes INTEGER NOT NULL,
  PRIMARY KEY (checkpoint_id, side)
) WITHOUT ROWID;

CREATE TABLE mcp_consents (
  server_id TEXT PRIMARY KEY,
  definition_sha256 TEXT NOT NULL,
  network_hosts TEXT NOT NULL,
  approved_at TEXT NOT NULL
, sampling_limit INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;

CREATE TABLE mcp_tool_consents (
  tool TEXT PRIMARY KEY,
  server_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  approved_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE INDEX mcp_tool_consents_of_server ON mcp_tool_consents (server_id);

CREATE TABLE mcp_secrets (
  server_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (server_id, kind, name)
) WITHOUT ROWID;

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
, left_epochs TEXT NOT NULL DEFAULT '[]', recovered_at INTEGER);

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

CREATE TABLE sync_unread (
  entity_type TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  change TEXT NOT NULL,
  PRIMARY KEY (entity_type, entity_id)
) WITHOUT ROWID;

CREATE TABLE sync_brought (
  entity_type TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  PRIMARY KEY (entity_type, entity_id)
) WITHOUT ROWID;

CREATE TABLE sync_files (
  file_id TEXT PRIMARY KEY,
  way TEXT NOT NULL,
  state TEXT NOT NULL,
  tried_at INTEGER
) WITHOUT ROWID;

CREATE TABLE cloud_tasks (
  task_id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  description TEXT,
  input TEXT,
  workflow_id TEXT,
  device_id TEXT,
  stage TEXT NOT NULL,
  run_id TEXT,
  -- What is still to be told to the cloud.
  untold TEXT,
  created_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE INDEX cloud_tasks_of_run ON cloud_tasks (run_id) WHERE run_id IS NOT NULL;

CREATE INDEX runs_to_retry ON runs (retry_at) WHERE retry_at IS NOT NULL;

CREATE TABLE agent_changes (
  path TEXT NOT NULL,
  reach TEXT NOT NULL,
  except_below TEXT NOT NULL DEFAULT '',
  call_id TEXT NOT NULL DEFAULT '',
  since INTEGER NOT NULL,
  PRIMARY KEY (path, reach, except_below, call_id)
) WITHOUT ROWID;

CREATE INDEX agent_changes_trees ON agent_changes (reach) WHERE reach = 'tree';

CREATE INDEX agent_changes_open ON agent_changes (call_id) WHERE call_id <> '';

CREATE TABLE approved_instructions (
  digest TEXT PRIMARY KEY,
  approved_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX runtime_run_checkpoints_by_scan ON runtime_run_checkpoints (settled_scan, taken_scan);

CREATE INDEX agent_run_steps_unknown ON agent_run_steps (run, seq) WHERE known = 0;

CREATE TABLE workflow_run_events (
  no INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL UNIQUE,
  workflow_run_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  ts INTEGER NOT NULL,
  known INTEGER NOT NULL DEFAULT 1,
  payload TEXT NOT NULL
);

CREATE INDEX workflow_run_events_of_run ON workflow_run_events (workflow_run_id, seq, event_id);

CREATE INDEX workflow_run_events_unknown ON workflow_run_events (no) WHERE known = 0;

CREATE TABLE lifecycle_events (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id TEXT NOT NULL,
  event TEXT NOT NULL,
  subject TEXT NOT NULL,
  at INTEGER NOT NULL,
  data TEXT NOT NULL,
  -- The one listener the row is for; null: every listener.
  only_for TEXT
);

CREATE INDEX lifecycle_events_by_subject ON lifecycle_events (subject, no);

CREATE TABLE lifecycle_listeners (
  listener TEXT PRIMARY KEY,
  cursor INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE lifecycle_deliveries (
  listener TEXT NOT NULL,
  subject TEXT NOT NULL,
  no INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  retry_at INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  PRIMARY KEY (listener, subject)
) WITHOUT ROWID;

CREATE INDEX lifecycle_deliveries_by_no ON lifecycle_deliveries (listener, no);

CREATE TABLE lifecycle_introductions (
  listener TEXT NOT NULL,
  subject TEXT NOT NULL,
  PRIMARY KEY (listener, subject)
) WITHOUT ROWID;

CREATE TABLE waits (
  -- In the order of recording, whatever the clock says.
  no INTEGER PRIMARY KEY,
  wait_id TEXT NOT NULL UNIQUE,
  run INTEGER NOT NULL REFERENCES runs (no),
  call_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  waits_for TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  until INTEGER,
  started_at INTEGER NOT NULL,
  -- `completed`, `timed_out` or `canceled`; null while it waits. `value` is how what was waited for ended, as JSON.
  outcome TEXT,
  value TEXT,
  ended_at INTEGER
);

CREATE INDEX waits_of_call ON waits (run, call_id);

CREATE INDEX waits_open ON waits (waits_for, subject_id) WHERE outcome IS NULL;

CREATE INDEX waits_due ON waits (until) WHERE outcome IS NULL AND until IS NOT NULL;

CREATE INDEX runs_paused ON runs (pause_reason) WHERE state = 'paused';

CREATE TABLE recall_changes (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  space TEXT NOT NULL,
  id TEXT NOT NULL
);

CREATE TABLE memory_decisions (
  id TEXT PRIMARY KEY,
  kept_memory_id TEXT NOT NULL,
  over_memory_ids TEXT NOT NULL,
  created_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE user_models (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  conversation_id TEXT,
  preference_signals TEXT NOT NULL,
  habit_profile TEXT NOT NULL,
  goal_profile TEXT NOT NULL,
  persona_profile TEXT NOT NULL,
  communication_profile TEXT NOT NULL,
  cadence_profile TEXT NOT NULL,
  risk_profile TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  version INTEGER NOT NULL
) WITHOUT ROWID;

CREATE UNIQUE INDEX user_models_of ON user_models (agent_id, ifnull(conversation_id, ''));

CREATE TABLE agent_identity_profiles (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  conversation_id TEXT,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  purpose TEXT NOT NULL,
  tone TEXT,
  principles TEXT NOT NULL,
  boundaries TEXT NOT NULL,
  signals TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  version INTEGER NOT NULL
) WITHOUT ROWID;

CREATE UNIQUE INDEX agent_identity_profiles_of ON agent_identity_profiles (agent_id, ifnull(conversation_id, ''));

CREATE TABLE memory_heartbeat_reviews (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  conversation_id TEXT,
  trigger TEXT NOT NULL,
  summary TEXT NOT NULL,
  messages_reviewed INTEGER NOT NULL,
  memories_reviewed INTEGER NOT NULL,
  extracted TEXT NOT NULL,
  resolution TEXT NOT NULL,
  started_at TEXT NOT NULL,
  completed_at TEXT NOT NULL,
  -- The last message it looked at.
  through_message INTEGER NOT NULL
, failure TEXT) WITHOUT ROWID;

CREATE INDEX memory_heartbeat_reviews_of ON memory_heartbeat_reviews (agent_id, completed_at);

CREATE TABLE memory_relationship_entities (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  conversation_id TEXT,
  entity_kind TEXT NOT NULL,
  canonical_name TEXT NOT NULL,
  ontology_domain TEXT NOT NULL,
  aliases TEXT NOT NULL,
  mention_count INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  version INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX memory_relationship_entities_of ON memory_relationship_entities (agent_id, conversation_id);

CREATE TABLE memory_entity_splits (
  id TEXT PRIMARY KEY,
  parts TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE memory_relationship_graph (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  conversation_id TEXT,
  edge_kind TEXT NOT NULL,
  subject_entity_id TEXT NOT NULL,
  object_entity_id TEXT NOT NULL,
  via_entity_ids TEXT NOT NULL,
  ontology_tags TEXT NOT NULL,
  edge_weight REAL NOT NULL,
  relation_source TEXT NOT NULL,
  subject_role TEXT NOT NULL,
  object_role TEXT NOT NULL,
  ontology_path TEXT NOT NULL,
  interaction_pattern TEXT,
  memory_ids TEXT NOT NULL,
  -- Always null here: merged edges exist only in the result of a query.
  source_conversation_ids TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  version INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX memory_relationship_graph_of ON memory_relationship_graph (agent_id, conversation_id);

CREATE TABLE runtime_user_corrections (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  conversation_id TEXT,
  run_id TEXT,
  message_id TEXT,
  corrected_memory_id TEXT,
  wrong TEXT NOT NULL,
  right TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  created_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE procedural_memory_policies (
  agent_id TEXT PRIMARY KEY,
  mode TEXT NOT NULL,
  complex_flow_steps INTEGER NOT NULL,
  model TEXT,
  updated_at TEXT NOT NULL,
  version INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE memory_flush_marks (
  run INTEGER PRIMARY KEY REFERENCES runs (no),
  flushed_through_seq INTEGER NOT NULL,
  last_flush_at TEXT
);

CREATE TABLE memory_exclusions (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;

CREATE TABLE memory_spending (
  day TEXT PRIMARY KEY,
  tokens INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TRIGGER messages_recalled AFTER INSERT ON messages
BEGIN
  INSERT INTO recall_changes (space, id) VALUES ('messages', NEW.message_id);
END;

CREATE TRIGGER messages_recalled_again AFTER UPDATE OF set_aside, text ON messages
BEGIN
  INSERT INTO recall_changes (space, id) VALUES ('messages', NEW.message_id);
END;

CREATE TRIGGER messages_recalled_no_more AFTER DELETE ON messages
BEGIN
  INSERT INTO recall_changes (space, id) VALUES ('messages', OLD.message_id);
END;

CREATE TRIGGER conversations_recalled AFTER UPDATE OF hidden ON conversations WHEN OLD.hidden <> NEW.hidden
BEGIN
  INSERT INTO recall_changes (space, id) SELECT 'messages', message_id FROM messages WHERE conversation = NEW.no;
END;

CREATE TRIGGER exclusions_recalled AFTER INSERT ON memory_exclusions
BEGIN
  INSERT INTO recall_changes (space, id)
  SELECT 'messages', m.message_id FROM messages m JOIN conversations c ON c.no = m.conversation
  WHERE (NEW.kind = 'conversation' AND c.conversation_id = NEW.id) OR (NEW.kind = 'agent' AND c.agent_id = NEW.id);
END;

CREATE TRIGGER exclusions_recalled_again AFTER DELETE ON memory_exclusions
BEGIN
  INSERT INTO recall_changes (space, id)
  SELECT 'messages', m.message_id FROM messages m JOIN conversations c ON c.no = m.conversation
  WHERE (OLD.kind = 'conversation' AND c.conversation_id = OLD.id) OR (OLD.kind = 'agent' AND c.agent_id = OLD.id);
END;

CREATE TABLE memory_injections (
  run INTEGER PRIMARY KEY REFERENCES runs (no),
  -- JSON: ids with versions, in the order of the prompt.
  items TEXT NOT NULL,
  tokens INTEGER NOT NULL
, is_late INTEGER NOT NULL DEFAULT 0);

CREATE TABLE distilled_runs (
  run INTEGER PRIMARY KEY REFERENCES runs (no)
);

CREATE TABLE "memories" (
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

CREATE TABLE "memory_versions" (
  memory_id TEXT NOT NULL REFERENCES "memories" (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (memory_id, version)
);

CREATE TABLE "procedure_runs" (
  memory_id TEXT NOT NULL REFERENCES "memories" (id) ON DELETE CASCADE,
  run INTEGER NOT NULL REFERENCES runs (no),
  outcome TEXT NOT NULL,
  next_seq INTEGER NOT NULL,
  PRIMARY KEY (memory_id, run)
) WITHOUT ROWID;

CREATE INDEX memories_of_subject ON memories (subject, agent_id);

CREATE INDEX memories_by_time ON memories (created_at, id);

CREATE INDEX memories_due ON memories (expires_at) WHERE state <> 'archived' AND expires_at IS NOT NULL;

CREATE INDEX memories_of_no_conversation ON memories (created_at, id) WHERE conversation_id IS NULL;

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

CREATE INDEX runs_of_workflows ON runs (workflow_run_id) WHERE workflow_run_id IS NOT NULL;

CREATE TABLE workflows (
  workflow_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT,
  definition TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  version INTEGER NOT NULL,
  -- `here`: only on this device; `same`: as in the cloud; `changed`: to be stored there; `conflict`: changed on both sides; `removed`: removed there.
  cloud_state TEXT NOT NULL DEFAULT 'here',
  -- The version in the cloud that this one is based on, and, in a conflict, the version there as JSON.
  cloud_version INTEGER,
  cloud_content TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- Set while its deletion is still to be told to the cloud.
  deleted_at INTEGER
, draft_of TEXT);

CREATE TABLE workflow_approvals (
  sha256 TEXT PRIMARY KEY,
  approved_at INTEGER NOT NULL,
  covers_calls INTEGER NOT NULL
);

CREATE TABLE workflow_runs (
  no INTEGER PRIMARY KEY,
  workflow_run_id TEXT NOT NULL UNIQUE,
  workflow_id TEXT NOT NULL,
  -- The run that carries it now.
  run_id TEXT NOT NULL,
  -- Starting again with the same key starts nothing.
  start_key TEXT UNIQUE,
  -- Who gave the inputs: `person`, `agent`, `task` or `workflow`.
  inputs_by TEXT NOT NULL,
  -- The workflow run whose node started it.
  parent_id TEXT,
  state TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
, origin_run_id TEXT, name TEXT NOT NULL DEFAULT '', owner_agent_id TEXT NOT NULL DEFAULT '', reason TEXT);

CREATE INDEX workflow_runs_of_workflow ON workflow_runs (workflow_id, no);

CREATE INDEX workflow_runs_open ON workflow_runs (no) WHERE ended_at IS NULL;

CREATE TABLE workflow_children (
  run_id TEXT PRIMARY KEY,
  workflow_run_id TEXT NOT NULL,
  -- How long it may run, without the time that it waits for a person.
  limit_ms INTEGER
);

CREATE INDEX workflow_children_of_run ON workflow_children (workflow_run_id);

CREATE TABLE workflow_conversations (
  conversation_id TEXT PRIMARY KEY,
  workflow_run_id TEXT NOT NULL
);

CREATE TABLE workflow_schedules (
  schedule_id TEXT PRIMARY KEY,
  workflow_id TEXT NOT NULL,
  cron TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  -- What happens to times at which Tandem was not running: `run_once` or `skip`.
  missed TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  workspace TEXT NOT NULL,
  inputs TEXT NOT NULL,
  is_enabled INTEGER NOT NULL,
  next_at INTEGER,
  last_at INTEGER,
  last_run_id TEXT,
  -- Why it did not start the last time.
  last_problem TEXT,
  created_at INTEGER NOT NULL
);

CREATE INDEX workflow_schedules_due ON workflow_schedules (next_at) WHERE is_enabled = 1;

CREATE TABLE memory_outdated (
  part TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  -- Empty for none.
  conversation_id TEXT NOT NULL,
  PRIMARY KEY (part, agent_id, conversation_id)
) WITHOUT ROWID;

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

CREATE TABLE team_raises (
  root_run_id TEXT PRIMARY KEY,
  tokens INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  seconds INTEGER NOT NULL
);

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
, attachments TEXT, queued_at INTEGER);

CREATE UNIQUE INDEX run_inbox_by_key ON run_inbox (run_id, key) WHERE key IS NOT NULL;

CREATE INDEX run_inbox_waiting ON run_inbox (run_id, no) WHERE delivered = 0;

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

CREATE TABLE workspace_copies (
  run_id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  source TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('in_use', 'unmerged', 'merged')),
  files INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  merged_at INTEGER
);

CREATE TABLE workspace_merges (
  merge_id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  workspace TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('staging', 'applying', 'applied', 'done', 'undone', 'stuck')),
  operations TEXT NOT NULL,
  created_at INTEGER NOT NULL
);

CREATE INDEX workspace_merges_open ON workspace_merges (state) WHERE state IN ('staging', 'applying', 'applied', 'stuck');

CREATE INDEX workspace_merges_of_folder ON workspace_merges (workspace, created_at);

CREATE TABLE executors (
  executor_id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  executor_url TEXT NOT NULL,
  -- The only certificate that is accepted; null for plain http to this device.
  certificate_sha256 TEXT,
  token TEXT NOT NULL,
  added_at TEXT NOT NULL
);

CREATE TABLE executor_negotiations (
  executor_id TEXT PRIMARY KEY NOT NULL REFERENCES executors (executor_id) ON DELETE CASCADE,
  result TEXT NOT NULL
);

CREATE TABLE runtime_outcome_evaluations (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  step_id TEXT NOT NULL,
  trigger TEXT NOT NULL,
  verdict TEXT NOT NULL,
  score REAL NOT NULL,
  scores TEXT NOT NULL,
  evaluator TEXT NOT NULL,
  model TEXT,
  failure TEXT,
  created_at TEXT NOT NULL,
  -- To compare later runs of the agent with it.
  tokens INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  turns INTEGER NOT NULL, dropped_opinion TEXT,
  UNIQUE (step_id, evaluator)
);

CREATE INDEX runtime_outcome_evaluations_of_agent ON runtime_outcome_evaluations (agent_id, created_at);

CREATE INDEX runtime_outcome_evaluations_of_run ON runtime_outcome_evaluations (run_id);

CREATE TABLE runtime_reflections (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  evaluation_id TEXT NOT NULL UNIQUE REFERENCES runtime_outcome_evaluations (id),
  root_cause TEXT NOT NULL,
  affected_subsystem TEXT NOT NULL,
  recommended_memory_writeback TEXT,
  recommended_policy_update TEXT,
  recommended_workflow_extraction TEXT,
  recommended_skill_gap_analysis TEXT,
  created_at TEXT NOT NULL
);

CREATE INDEX runtime_reflections_of_agent ON runtime_reflections (agent_id, created_at);

CREATE INDEX runtime_reflections_of_run ON runtime_reflections (run_id);

CREATE TABLE runtime_failure_patterns (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  signature TEXT NOT NULL,
  taxonomy TEXT NOT NULL,
  stage TEXT NOT NULL,
  source TEXT NOT NULL,
  reason_code TEXT NOT NULL,
  affected_subsystem TEXT NOT NULL,
  summary TEXT NOT NULL,
  tool TEXT,
  template TEXT NOT NULL,
  occurrences INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  run_ids TEXT NOT NULL,
  reflection_ids TEXT NOT NULL,
  examples TEXT NOT NULL,
  helped TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  milliseconds INTEGER NOT NULL,
  first_seen_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  version INTEGER NOT NULL,
  UNIQUE (agent_id, signature)
);

CREATE INDEX runtime_failure_patterns_seen ON runtime_failure_patterns (agent_id, last_seen_at);

CREATE TABLE runtime_failure_occurrences (
  step_id TEXT PRIMARY KEY,
  pattern_id TEXT NOT NULL REFERENCES runtime_failure_patterns (id),
  run_id TEXT NOT NULL
) WITHOUT ROWID;

CREATE INDEX runtime_failure_occurrences_of_run ON runtime_failure_occurrences (run_id);

CREATE INDEX runtime_failure_occurrences_of_pattern ON runtime_failure_occurrences (pattern_id);

CREATE TABLE learning_exclusions (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;

CREATE TABLE runtime_policy_candidate_validations (
  id TEXT PRIMARY KEY,
  candidate_id TEXT NOT NULL REFERENCES runtime_policy_candidates (id),
  stage TEXT NOT NULL,
  outcome TEXT NOT NULL,
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  trigger TEXT NOT NULL,
  cause_run_id TEXT,
  runs_checked INTEGER NOT NULL,
  calls_checked INTEGER NOT NULL,
  calls_unjudged INTEGER NOT NULL,
  summary TEXT NOT NULL,
  failure TEXT,
  created_at TEXT NOT NULL
, divergence_count INTEGER NOT NULL DEFAULT 0);

CREATE INDEX runtime_policy_candidate_validations_of ON runtime_policy_candidate_validations (candidate_id, id);

CREATE TABLE learning_calls (
  run_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  facts TEXT NOT NULL,
  PRIMARY KEY (run_id, call_id)
) WITHOUT ROWID;

CREATE INDEX learning_calls_of_agent ON learning_calls (agent_id, asked_at);

CREATE INDEX agent_run_steps_of_members ON agent_run_steps (run, seq) WHERE kind = 'child.started';

CREATE TABLE executor_grants (
  executor_id TEXT NOT NULL REFERENCES executors (executor_id) ON DELETE CASCADE,
  agent_id TEXT NOT NULL,
  granted_at TEXT NOT NULL,
  PRIMARY KEY (executor_id, agent_id)
);

CREATE TABLE executor_jobs (
  job_id TEXT PRIMARY KEY NOT NULL,
  call_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  executor_id TEXT NOT NULL,
  request_sha256 TEXT NOT NULL,
  -- Null until the call has its result.
  settled_at TEXT
);

CREATE INDEX executor_jobs_by_call ON executor_jobs (call_id);

CREATE TABLE runtime_behavior_traces (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  agent_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  tool_sequences TEXT NOT NULL,
  repeated_constraints TEXT NOT NULL,
  manual_remediations TEXT NOT NULL,
  created_at TEXT NOT NULL,
  -- The latest learning cycle that was mined: a run that continues after a restore has several.
  cycle_id TEXT NOT NULL
);

CREATE INDEX runtime_behavior_traces_of_agent ON runtime_behavior_traces (agent_id, id);

CREATE TABLE runtime_skill_gap_analyses (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  gap_kind TEXT NOT NULL,
  signature TEXT NOT NULL UNIQUE,
  summary TEXT NOT NULL,
  behavior_trace_ids TEXT NOT NULL,
  repetitions INTEGER NOT NULL,
  confidence REAL NOT NULL,
  matching_skill TEXT,
  already_bound INTEGER NOT NULL,
  recommendation_id TEXT,
  created_at TEXT NOT NULL,
  -- Its repetitions when the user dismissed it.
  dismissed_at INTEGER
, led_to TEXT);

CREATE INDEX runtime_skill_gap_analyses_of_run ON runtime_skill_gap_analyses (run_id);

CREATE TABLE evolution_runs (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id TEXT NOT NULL UNIQUE,
  agent_id TEXT NOT NULL,
  day TEXT NOT NULL,
  -- What a person asked for.
  request TEXT
);

CREATE TABLE evolution_shapes (
  no INTEGER PRIMARY KEY,
  shape TEXT NOT NULL UNIQUE,
  effectful INTEGER NOT NULL
);

CREATE TABLE evolution_run_shapes (
  run INTEGER NOT NULL,
  shape INTEGER NOT NULL,
  template TEXT NOT NULL,
  PRIMARY KEY (run, shape)
) WITHOUT ROWID;

CREATE INDEX evolution_run_shapes_of_shape ON evolution_run_shapes (shape, run);

CREATE TABLE evolution_patterns (
  no INTEGER PRIMARY KEY,
  what TEXT NOT NULL,
  signature TEXT NOT NULL UNIQUE,
  runs INTEGER NOT NULL,
  repetitions INTEGER NOT NULL
);

CREATE TABLE evolution_pattern_runs (
  pattern INTEGER NOT NULL,
  run INTEGER NOT NULL,
  repetitions INTEGER NOT NULL,
  forbids INTEGER NOT NULL,
  -- What a person said, and the keys by which it was found.
  words TEXT,
  message_ids TEXT NOT NULL,
  keys TEXT NOT NULL,
  PRIMARY KEY (pattern, run)
) WITHOUT ROWID;

CREATE INDEX evolution_pattern_runs_of_run ON evolution_pattern_runs (run);

CREATE TABLE evolution_pattern_keys (
  what TEXT NOT NULL,
  key TEXT NOT NULL,
  pattern INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  PRIMARY KEY (pattern, key)
) WITHOUT ROWID;

CREATE INDEX evolution_pattern_keys_frequent ON evolution_pattern_keys (what, key, runs, pattern);

CREATE TABLE memory_numbers (
  no INTEGER PRIMARY KEY,
  memory_id TEXT NOT NULL UNIQUE REFERENCES memories (id) ON DELETE CASCADE
);

CREATE TABLE memory_terms (
  term INTEGER NOT NULL,
  no INTEGER NOT NULL,
  PRIMARY KEY (term, no)
) WITHOUT ROWID;

CREATE INDEX memories_of_slot ON memories (subject, agent_id, slot) WHERE slot IS NOT NULL;

CREATE INDEX memories_revoking ON memories (subject, agent_id, created_at) WHERE revokes IS NOT NULL;

CREATE TABLE runtime_skill_recommendations (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  gap_analysis_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  skill_name TEXT,
  workflow_id TEXT,
  title TEXT NOT NULL,
  rationale TEXT NOT NULL,
  state TEXT NOT NULL,
  skill_path TEXT,
  skill_version_id TEXT,
  binding_policy TEXT NOT NULL,
  requires TEXT NOT NULL,
  confidence REAL NOT NULL,
  rollback_reason TEXT,
  asks TEXT,
  approved_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  version INTEGER NOT NULL,
  -- Why a user must decide about its canary, as a list.
  concerns TEXT NOT NULL,
  -- What was begun on disk and has not ended: it is completed or undone at the next start.
  pending TEXT
);

CREATE INDEX runtime_skill_recommendations_of_agent ON runtime_skill_recommendations (agent_id, state);

CREATE INDEX runtime_skill_recommendations_of_gap ON runtime_skill_recommendations (gap_analysis_id);

CREATE TABLE runtime_skill_recommendation_validations (
  id TEXT PRIMARY KEY,
  recommendation_id TEXT NOT NULL,
  stage TEXT NOT NULL,
  outcome TEXT NOT NULL,
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  trigger TEXT NOT NULL,
  cause_run_id TEXT,
  compatibility TEXT,
  runs_checked INTEGER NOT NULL,
  summary TEXT NOT NULL,
  failure TEXT,
  created_at TEXT NOT NULL,
  -- What was checked: the same is not checked again.
  checked TEXT
);

CREATE INDEX runtime_skill_recommendation_validations_of ON runtime_skill_recommendation_validations (recommendation_id, id);

CREATE TABLE runtime_skill_versions (
  id TEXT PRIMARY KEY,
  skill_name TEXT,
  workflow_id TEXT,
  recommendation_id TEXT,
  skill_version INTEGER NOT NULL,
  parent_version_id TEXT,
  state TEXT NOT NULL,
  skill_path TEXT,
  content TEXT NOT NULL,
  content_sha256 TEXT NOT NULL,
  summary TEXT NOT NULL,
  created_at TEXT NOT NULL,
  live_at TEXT,
  ended_at TEXT
);

CREATE INDEX runtime_skill_versions_of_name ON runtime_skill_versions (skill_name, id);

CREATE INDEX runtime_skill_versions_of_recommendation ON runtime_skill_versions (recommendation_id, id);

CREATE TABLE evolution_matched_runs (
  recommendation_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  stage TEXT NOT NULL,
  in_group TEXT,
  score REAL NOT NULL,
  closeness REAL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (recommendation_id, run_id)
) WITHOUT ROWID;

CREATE INDEX evolution_matched_runs_of_run ON evolution_matched_runs (run_id);

CREATE TABLE evolution_promoting_agents (agent_id TEXT PRIMARY KEY) WITHOUT ROWID;

CREATE TABLE mcp_folder_servers (
  server_id TEXT PRIMARY KEY,
  folder TEXT NOT NULL,
  file_sha256 TEXT NOT NULL,
  definition TEXT NOT NULL
) WITHOUT ROWID;

CREATE INDEX mcp_folder_servers_of_folder ON mcp_folder_servers (folder);

CREATE INDEX memories_said ON memories (subject, created_at, id) WHERE state = 'active' AND authority = 'person';

CREATE INDEX memories_of_conversation ON memories (conversation_id, created_at, id) WHERE conversation_id IS NOT NULL;

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

CREATE TABLE evolution_vectors (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  model TEXT NOT NULL,
  text TEXT NOT NULL,
  vector BLOB NOT NULL,
  UNIQUE (model, text)
);

CREATE TABLE evolution_backgrounds (
  model TEXT PRIMARY KEY,
  mean BLOB NOT NULL,
  spread REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE evolution_run_literals (
  run INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- Of typed words; otherwise empty.
  tool TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (run, kind, tool, text)
) WITHOUT ROWID;

CREATE TABLE "runtime_memory_writeback_candidates" (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  reflection_id TEXT NOT NULL REFERENCES runtime_reflections (id),
  memory_kind TEXT NOT NULL,
  content TEXT NOT NULL,
  confidence REAL NOT NULL,
  state TEXT NOT NULL,
  memory_id TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  gap_analysis_id TEXT
);

CREATE INDEX runtime_memory_writeback_candidates_of_agent ON runtime_memory_writeback_candidates (agent_id, state, created_at);

CREATE INDEX runtime_memory_writeback_candidates_of_run ON runtime_memory_writeback_candidates (run_id);

CREATE INDEX runtime_memory_writeback_candidates_of_gap ON runtime_memory_writeback_candidates (gap_analysis_id);

CREATE UNIQUE INDEX runtime_memory_writeback_candidates_of_reflection ON runtime_memory_writeback_candidates (reflection_id)
  WHERE gap_analysis_id IS NULL;

CREATE TABLE runtime_policy_candidates (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  conversation_id TEXT,
  run_id TEXT NOT NULL,
  reflection_id TEXT NOT NULL,
  title TEXT NOT NULL,
  rationale TEXT NOT NULL,
  changes TEXT NOT NULL,
  rule TEXT NOT NULL,
  evidence TEXT NOT NULL,
  -- All that led to it; the evidence has the latest calls.
  evidence_count INTEGER NOT NULL,
  widens INTEGER NOT NULL,
  state TEXT NOT NULL,
  approved_at TEXT,
  canary_applied_at TEXT,
  adopted_at TEXT,
  rolled_back_at TEXT,
  rollback_reason TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  version INTEGER NOT NULL,
  gap_analysis_id TEXT
, kept_rules TEXT);

CREATE INDEX runtime_policy_candidates_of_agent ON runtime_policy_candidates (agent_id, state);

CREATE INDEX runtime_policy_candidates_of_run ON runtime_policy_candidates (run_id);

CREATE INDEX runtime_policy_candidates_of_gap ON runtime_policy_candidates (gap_analysis_id);

CREATE UNIQUE INDEX runtime_policy_candidates_of_reflection ON runtime_policy_candidates (reflection_id) WHERE gap_analysis_id IS NULL;

CREATE UNIQUE INDEX conversations_by_branch_key ON conversations (branch_key) WHERE branch_key IS NOT NULL;

CREATE TABLE file_restores (
  checkpoint_id TEXT PRIMARY KEY
, kind TEXT NOT NULL DEFAULT 'all' CHECK (kind IN ('all', 'chosen'))) WITHOUT ROWID;

CREATE TABLE mcp_folder_files (
  folder TEXT PRIMARY KEY,
  file_sha256 TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE model_lists (
  address TEXT PRIMARY KEY,
  seen_at INTEGER NOT NULL,
  -- As JSON.
  models TEXT NOT NULL,
  -- How many more there were.
  omitted INTEGER NOT NULL
);

CREATE TABLE model_prices (
  address TEXT NOT NULL,
  model TEXT NOT NULL,
  input REAL NOT NULL,
  cached_input REAL,
  output REAL NOT NULL,
  PRIMARY KEY (address, model)
) WITHOUT ROWID;

CREATE TABLE run_addresses (
  run_id TEXT PRIMARY KEY,
  address TEXT NOT NULL
) WITHOUT ROWID;

CREATE INDEX runs_by_start ON runs (started_at);

CREATE INDEX conversations_deleted ON conversations (erase_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE erased_conversations (
  conversation_id TEXT PRIMARY KEY,
  stage TEXT NOT NULL CHECK (stage IN ('chosen', 'rows', 'files', 'erased')),
  -- The runs and the names of files that may be deleted; empty when they are.
  run_ids TEXT NOT NULL,
  files TEXT NOT NULL,
  begun_at INTEGER NOT NULL,
  erased_at INTEGER
) WITHOUT ROWID;

CREATE TRIGGER conversations_deleted_recalled AFTER UPDATE OF deleted_at ON conversations WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
BEGIN
  INSERT INTO recall_changes (space, id) SELECT 'messages', message_id FROM messages WHERE conversation = NEW.no;
END;

CREATE TABLE approval_rule_uses (
  agent_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  -- The rule as JSON.
  rule TEXT NOT NULL,
  granted_at INTEGER,
  conversation_id TEXT,
  -- The device where it was granted; null if that is unknown.
  device_id TEXT,
  last_used_at INTEGER,
  uses INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (agent_id, tool, rule)
) WITHOUT ROWID;

CREATE TABLE imported_conversations (
  source TEXT NOT NULL,
  source_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  imported_at INTEGER NOT NULL,
  PRIMARY KEY (source, source_id)
) WITHOUT ROWID;

CREATE INDEX imported_conversations_by_id ON imported_conversations (conversation_id);

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

CREATE TABLE memory_dropped (
  day TEXT NOT NULL,
  reason TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (day, reason)
) WITHOUT ROWID;

CREATE TABLE runtime_policy_candidate_divergences (
  validation_id TEXT NOT NULL REFERENCES runtime_policy_candidate_validations (id),
  -- What failed the candidate comes first.
  no INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  decided TEXT NOT NULL,
  would_decide TEXT NOT NULL,
  PRIMARY KEY (validation_id, no)
) WITHOUT ROWID;

CREATE TABLE erased_runs (
  id TEXT PRIMARY KEY
) WITHOUT ROWID;

CREATE TABLE memory_forgotten (
  message_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  PRIMARY KEY (message_id, start, length)
) WITHOUT ROWID;

CREATE TABLE runtime_kept_changes (
  -- Of a call without a recovery point, an id of its own.
  checkpoint_id TEXT PRIMARY KEY,
  -- Null after its conversation was erased.
  run_id TEXT,
  -- 'deleted': the point or its contents were deleted. 'unprotected': the call was approved without a point.
  cause TEXT NOT NULL,
  by_command INTEGER NOT NULL,
  workspace TEXT,
  parent_checkpoint_id TEXT,
  restored_checkpoint_id TEXT,
  settled TEXT NOT NULL,
  taken_scan INTEGER NOT NULL,
  returned_scan INTEGER,
  settled_scan INTEGER,
  created_at INTEGER NOT NULL,
  -- Compressed. Null if it could not be read or was too much.
  changes BLOB
) WITHOUT ROWID;

CREATE INDEX runtime_kept_changes_by_scan ON runtime_kept_changes (settled_scan, taken_scan);

INSERT INTO meta (name, value) VALUES ('checkpoint_scan', '0');

INSERT INTO sync_state (id, user_id, epoch, cursor_ts, snapshot_ts, recovery, seen_at, pushed_at, pulled_at, left_epochs, recovered_at) VALUES (1, NULL, NULL, NULL, NULL, 'none', 0, NULL, NULL, '[]', NULL);
