-- Long-term memory. Nothing here is synchronized.
CREATE TABLE memories (
  id TEXT PRIMARY KEY,
  -- Null: shared by all agents of this device.
  agent_id TEXT,
  conversation_id TEXT,
  only_in_conversation INTEGER NOT NULL,
  memory_kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  slot TEXT,
  content TEXT NOT NULL,
  -- JSON, like every list below.
  quotes TEXT NOT NULL,
  procedure TEXT,
  -- Words that end an earlier memory; null when there are none.
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
  -- What wrote it, so that doing it again after a crash writes nothing: a call, a message with the position of a quote, a line of an import.
  origin_key TEXT UNIQUE
) WITHOUT ROWID;
CREATE INDEX memories_of_subject ON memories (subject, agent_id);
CREATE INDEX memories_by_time ON memories (created_at, id);
CREATE INDEX memories_due ON memories (expires_at) WHERE state <> 'archived' AND expires_at IS NOT NULL;
CREATE INDEX memories_of_conversation ON memories (conversation_id) WHERE conversation_id IS NOT NULL;

-- Every version of a memory before the current one. Use of a memory is not a version.
CREATE TABLE memory_versions (
  memory_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (memory_id, version)
) WITHOUT ROWID;

-- The user's decisions of conflicts.
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
) WITHOUT ROWID;
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

-- What the user took apart: ids of entities, as lists of those that belong together.
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

-- How procedural memories are distilled. The empty agent is the default for all.
CREATE TABLE procedural_memory_policies (
  agent_id TEXT PRIMARY KEY,
  mode TEXT NOT NULL,
  complex_flow_steps INTEGER NOT NULL,
  model TEXT,
  updated_at TEXT NOT NULL,
  version INTEGER NOT NULL
) WITHOUT ROWID;

-- How far each run was read for memories.
CREATE TABLE memory_flush_marks (
  run INTEGER PRIMARY KEY REFERENCES runs (no),
  flushed_through_seq INTEGER NOT NULL,
  last_flush_at TEXT
);

-- What the user does not want to be remembered: `agent` or `conversation`, and its id.
CREATE TABLE memory_exclusions (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;

-- Tokens that memory used in the background, per day.
CREATE TABLE memory_spending (
  day TEXT PRIMARY KEY,
  tokens INTEGER NOT NULL
) WITHOUT ROWID;

-- Messages are found by what they say. A message that is no longer part of its conversation is not.
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

-- The memories that a run got in its prompt: chosen once, so that the prompt stays the same after a crash.
CREATE TABLE memory_injections (
  run INTEGER PRIMARY KEY REFERENCES runs (no),
  -- JSON: ids with versions, in the order of the prompt.
  items TEXT NOT NULL,
  tokens INTEGER NOT NULL
);
