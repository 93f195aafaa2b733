-- Tasks of the cloud that concern this device. `stage` is how far this device has come with them; the cloud's own status is read from it.
CREATE TABLE cloud_tasks (
  task_id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  description TEXT,
  input TEXT,
  workflow_id TEXT,
  device_id TEXT,
  stage TEXT NOT NULL,
  run_id TEXT,
  -- What is still to be told to the cloud.
  untold TEXT,
  created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX cloud_tasks_of_run ON cloud_tasks (run_id) WHERE run_id IS NOT NULL;
