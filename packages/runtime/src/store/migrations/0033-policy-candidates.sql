-- Changes of tool policies that recorded calls suggest, how they were tested, and the calls that they are tested on.

CREATE TABLE runtime_policy_candidates (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  conversation_id TEXT,
  run_id TEXT NOT NULL,
  -- One for each reflection.
  reflection_id TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  rationale TEXT NOT NULL,
  changes TEXT NOT NULL,
  rule TEXT NOT NULL,
  evidence TEXT NOT NULL,
  -- All calls that led to it; the evidence has the latest ones.
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
  version INTEGER NOT NULL
);
CREATE INDEX runtime_policy_candidates_of_agent ON runtime_policy_candidates (agent_id, state);
CREATE INDEX runtime_policy_candidates_of_run ON runtime_policy_candidates (run_id);

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
  divergences TEXT NOT NULL,
  summary TEXT NOT NULL,
  failure TEXT,
  created_at TEXT NOT NULL
);
CREATE INDEX runtime_policy_candidate_validations_of ON runtime_policy_candidate_validations (candidate_id, id);

-- The latest calls of each agent on this device: what they would access, how they were decided, and how they ended.
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
