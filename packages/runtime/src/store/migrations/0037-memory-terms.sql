-- By which memories of one subject and owner are found that may concern each other: their statement, the words that carry its meaning, and
-- what they end. A term is a number computed from all of these. Numbers instead of ids, because there are many terms per memory.
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
