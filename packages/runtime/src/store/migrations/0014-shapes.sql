-- What a newer Tandem wrote is stored whole, so that it leaves this device as it came.

-- `author` and `parent_message_id` are fields of the message; `extra` holds, as JSON, those that this version does not know.
ALTER TABLE messages ADD COLUMN author TEXT;
ALTER TABLE messages ADD COLUMN parent_message_id TEXT;
ALTER TABLE messages ADD COLUMN extra TEXT;
-- Set for what users of this device were on record with before messages had an author: `user`, or `task` if a cloud task started the run.
-- Whatever arrives or is written from now on has none, so that nothing can pass itself off as older.
ALTER TABLE messages ADD COLUMN older_origin TEXT;
UPDATE messages SET older_origin = started.origin
FROM (
  SELECT json_extract(s.body, '$.message_id') AS message_id,
    iif(r.start_key GLOB 'task:*' OR EXISTS (SELECT 1 FROM cloud_tasks t WHERE t.run_id = r.run_id), 'task', 'user') AS origin
  FROM runs r JOIN agent_run_steps s ON s.run = r.no AND s.seq = 0
  WHERE s.kind = 'run.started' AND r.device_id = (SELECT value FROM meta WHERE name = 'device_id')
) AS started
WHERE messages.message_id = started.message_id AND messages.role = 'user';

-- 0 for a step that this version cannot read: `kind` and `body` are what came. Tried again after every start.
ALTER TABLE agent_run_steps ADD COLUMN known INTEGER NOT NULL DEFAULT 1;
CREATE INDEX agent_run_steps_unknown ON agent_run_steps (run, seq) WHERE known = 0;

ALTER TABLE tool_calls ADD COLUMN extra TEXT;

-- The fields of a record that came with it and are not known here, as JSON. A write of this device keeps them.
ALTER TABLE records ADD COLUMN unknown TEXT;

-- The events of workflow runs, whole, as JSON. `known` is as for steps.
CREATE TABLE workflow_run_events (
  no INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL UNIQUE,
  workflow_run_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  ts INTEGER NOT NULL,
  known INTEGER NOT NULL DEFAULT 1,
  payload TEXT NOT NULL
);
CREATE INDEX workflow_run_events_of_run ON workflow_run_events (workflow_run_id, seq, event_id);
CREATE INDEX workflow_run_events_unknown ON workflow_run_events (no) WHERE known = 0;
