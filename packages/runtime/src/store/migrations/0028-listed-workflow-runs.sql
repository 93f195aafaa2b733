-- What lists and policies need to know of a workflow run: without it, all its events would have to be read.
ALTER TABLE workflow_runs ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE workflow_runs ADD COLUMN owner_agent_id TEXT NOT NULL DEFAULT '';
-- Why it is in its state.
ALTER TABLE workflow_runs ADD COLUMN reason TEXT;
UPDATE workflow_runs SET
  name = coalesce((
    SELECT e.payload ->> 'name' FROM workflow_run_events e
    WHERE e.workflow_run_id = workflow_runs.workflow_run_id AND e.payload ->> 'kind' = 'started' ORDER BY e.seq LIMIT 1), workflow_id),
  owner_agent_id = coalesce((
    SELECT e.payload ->> 'owner_agent_id' FROM workflow_run_events e
    WHERE e.workflow_run_id = workflow_runs.workflow_run_id AND e.payload ->> 'kind' = 'started' ORDER BY e.seq LIMIT 1), ''),
  reason = (
    SELECT e.payload ->> 'reason' FROM workflow_run_events e
    WHERE e.workflow_run_id = workflow_runs.workflow_run_id AND e.payload ->> 'kind' = 'state' ORDER BY e.seq DESC LIMIT 1);
