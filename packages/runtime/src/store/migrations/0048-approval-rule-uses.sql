-- When and where each rule of the answer "always" was granted, and how often it was used. Only for this device.
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

-- The rules that were granted before, as far as their approvals are here.
INSERT INTO approval_rule_uses (agent_id, tool, rule, granted_at, conversation_id, device_id)
  SELECT runs.agent_id, approvals.prompt ->> '$.tool', granted.value, min(approvals.answered_at), conversations.conversation_id,
    (SELECT value FROM meta WHERE name = 'device_id')
  FROM approvals JOIN runs ON runs.no = approvals.run JOIN conversations ON conversations.no = runs.conversation,
    json_each(approvals.prompt, '$.remembers') AS granted
  WHERE approvals.answer = 'always' AND approvals.prompt ->> '$.tool' IS NOT NULL
  GROUP BY 1, 2, 3;

-- Where conversations were imported from: importing one again adds nothing.
CREATE TABLE imported_conversations (
  source TEXT NOT NULL,
  source_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  imported_at INTEGER NOT NULL,
  PRIMARY KEY (source, source_id)
) WITHOUT ROWID;
ALTER TABLE conversations ADD COLUMN imported_from TEXT;
CREATE INDEX imported_conversations_by_id ON imported_conversations (conversation_id);
