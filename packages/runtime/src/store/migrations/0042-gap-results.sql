-- What came of gaps: a memory, a change of a policy, or a source to add. A run can now propose more than one of each.

-- What was decided when the gap was found: as JSON.
ALTER TABLE runtime_skill_gap_analyses ADD COLUMN led_to TEXT;

-- What a person put into a run by hand: the files that they edited, and the words that they typed into the arguments of calls.
CREATE TABLE evolution_run_literals (
  run INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- Of typed words; otherwise empty.
  tool TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (run, kind, tool, text)
) WITHOUT ROWID;

CREATE TABLE new_writeback_candidates (
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
INSERT INTO new_writeback_candidates SELECT *, NULL FROM runtime_memory_writeback_candidates ORDER BY id;
DROP TABLE runtime_memory_writeback_candidates;
ALTER TABLE new_writeback_candidates RENAME TO runtime_memory_writeback_candidates;
CREATE INDEX runtime_memory_writeback_candidates_of_agent ON runtime_memory_writeback_candidates (agent_id, state, created_at);
CREATE INDEX runtime_memory_writeback_candidates_of_run ON runtime_memory_writeback_candidates (run_id);
CREATE INDEX runtime_memory_writeback_candidates_of_gap ON runtime_memory_writeback_candidates (gap_analysis_id);
-- A reflection proposes one.
CREATE UNIQUE INDEX runtime_memory_writeback_candidates_of_reflection ON runtime_memory_writeback_candidates (reflection_id)
  WHERE gap_analysis_id IS NULL;

-- The validations refer to the table that is replaced: they are checked when everything is there again.
PRAGMA defer_foreign_keys = ON;
CREATE TABLE old_policy_candidates AS SELECT * FROM runtime_policy_candidates;
DROP TABLE runtime_policy_candidates;
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
);
INSERT INTO runtime_policy_candidates SELECT *, NULL FROM old_policy_candidates ORDER BY id;
DROP TABLE old_policy_candidates;
CREATE INDEX runtime_policy_candidates_of_agent ON runtime_policy_candidates (agent_id, state);
CREATE INDEX runtime_policy_candidates_of_run ON runtime_policy_candidates (run_id);
CREATE INDEX runtime_policy_candidates_of_gap ON runtime_policy_candidates (gap_analysis_id);
CREATE UNIQUE INDEX runtime_policy_candidates_of_reflection ON runtime_policy_candidates (reflection_id) WHERE gap_analysis_id IS NULL;
