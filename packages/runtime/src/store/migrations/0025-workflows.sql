-- A run that carries a workflow: its calls come from the nodes, not from a model.
ALTER TABLE runs ADD COLUMN workflow_run_id TEXT;
CREATE INDEX runs_of_workflows ON runs (workflow_run_id) WHERE workflow_run_id IS NOT NULL;

-- Workflows on this device. `definition` is canonical JSON, `sha256` its hash.
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
);

-- Versions that a person on this device has approved. `covers_calls`: also the calls of its tool nodes.
CREATE TABLE workflow_approvals (
  sha256 TEXT PRIMARY KEY,
  approved_at INTEGER NOT NULL,
  covers_calls INTEGER NOT NULL
);

-- The workflow runs of this device. Their state is in their events; this is what lists and the engine look up.
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
);
CREATE INDEX workflow_runs_of_workflow ON workflow_runs (workflow_id, no);
CREATE INDEX workflow_runs_open ON workflow_runs (no) WHERE ended_at IS NULL;

-- The runs that nodes have started and wait for.
CREATE TABLE workflow_children (
  run_id TEXT PRIMARY KEY,
  workflow_run_id TEXT NOT NULL,
  -- How long it may run, without the time that it waits for a person.
  limit_ms INTEGER
);
CREATE INDEX workflow_children_of_run ON workflow_children (workflow_run_id);

-- The conversations in which agents work on nodes: the policy of the owner of the workflow applies to them, too.
CREATE TABLE workflow_conversations (
  conversation_id TEXT PRIMARY KEY,
  workflow_run_id TEXT NOT NULL
);

-- When workflows start by themselves on this device. `next_at` is when; null if never again.
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
