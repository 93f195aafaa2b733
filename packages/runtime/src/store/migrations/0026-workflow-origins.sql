-- The run that started it with workflow.start, or the run of the workflow whose node started it.
ALTER TABLE workflow_runs ADD COLUMN origin_run_id TEXT;
