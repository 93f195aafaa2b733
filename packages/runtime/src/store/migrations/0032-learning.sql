-- What runs taught: how they went, what was learned from them, which failures recur, and what could be remembered.

-- Each end and each restore is evaluated once by each evaluator.
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
  turns INTEGER NOT NULL,
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

CREATE TABLE runtime_memory_writeback_candidates (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  reflection_id TEXT NOT NULL UNIQUE REFERENCES runtime_reflections (id),
  memory_kind TEXT NOT NULL,
  content TEXT NOT NULL,
  confidence REAL NOT NULL,
  state TEXT NOT NULL,
  memory_id TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX runtime_memory_writeback_candidates_of_agent ON runtime_memory_writeback_candidates (agent_id, state, created_at);
CREATE INDEX runtime_memory_writeback_candidates_of_run ON runtime_memory_writeback_candidates (run_id);

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

-- Each failure counts once, however often its run is read.
CREATE TABLE runtime_failure_occurrences (
  step_id TEXT PRIMARY KEY,
  pattern_id TEXT NOT NULL REFERENCES runtime_failure_patterns (id),
  run_id TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX runtime_failure_occurrences_of_run ON runtime_failure_occurrences (run_id);
CREATE INDEX runtime_failure_occurrences_of_pattern ON runtime_failure_occurrences (pattern_id);

-- Agents and conversations whose runs are not learned from.
CREATE TABLE learning_exclusions (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;
