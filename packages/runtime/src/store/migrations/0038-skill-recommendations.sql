-- Recommendations: what is proposed because of a gap, how it was tested, and every version of its text.

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

-- The runs that a recommendation matches, decided before their first turn. Local to this device.
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

-- Agents whose recommendations go live without asking, on this device.
CREATE TABLE evolution_promoting_agents (agent_id TEXT PRIMARY KEY) WITHOUT ROWID;

ALTER TABLE workflows ADD COLUMN draft_of TEXT;
