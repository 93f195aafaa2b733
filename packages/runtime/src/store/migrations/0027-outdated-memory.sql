-- What must be computed again from the memories: the graph of a conversation, or what is known about the user or the agent.
CREATE TABLE memory_outdated (
  part TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  -- Empty for none.
  conversation_id TEXT NOT NULL,
  PRIMARY KEY (part, agent_id, conversation_id)
) WITHOUT ROWID;
