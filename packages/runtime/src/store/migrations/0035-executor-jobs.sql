-- Which agents may use which executors of this device. A local setting: it does not synchronize, and is not part of a policy.
CREATE TABLE executor_grants (
  executor_id TEXT NOT NULL REFERENCES executors (executor_id) ON DELETE CASCADE,
  agent_id TEXT NOT NULL,
  granted_at TEXT NOT NULL,
  PRIMARY KEY (executor_id, agent_id)
);

-- The jobs of calls, stored before they are sent: after a crash, the call asks for the state of its job instead of starting another.
CREATE TABLE executor_jobs (
  job_id TEXT PRIMARY KEY NOT NULL,
  call_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  executor_id TEXT NOT NULL,
  request_sha256 TEXT NOT NULL,
  -- Null until the call has its result.
  settled_at TEXT
);
CREATE INDEX executor_jobs_by_call ON executor_jobs (call_id);
