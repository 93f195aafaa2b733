-- What users repeat: mined from each run, and what is missing because of it.

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
);
CREATE INDEX runtime_skill_gap_analyses_of_run ON runtime_skill_gap_analyses (run_id);

-- The index that a run is compared with. A run has a number, so that only the latest ones are read.
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

-- What is repeated, or may be: a sequence, a constraint or a remediation.
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
-- By which patterns are found: the shapes of sequences, the concepts of texts. The most frequent ones are read.
CREATE TABLE evolution_pattern_keys (
  what TEXT NOT NULL,
  key TEXT NOT NULL,
  pattern INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  PRIMARY KEY (pattern, key)
) WITHOUT ROWID;
CREATE INDEX evolution_pattern_keys_frequent ON evolution_pattern_keys (what, key, runs, pattern);
