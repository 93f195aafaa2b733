-- Files that calls of agents changed, so that a command that takes instructions from one of them is approved again.
-- `file`: this path was changed. `tree`: anything below it may have been changed since `since`, except below `except_below`, which was
-- looked at in full. `call_id` is set while the call runs: if the runtime dies, the row stays as it is.
CREATE TABLE agent_changes (
  path TEXT NOT NULL,
  reach TEXT NOT NULL,
  except_below TEXT NOT NULL DEFAULT '',
  call_id TEXT NOT NULL DEFAULT '',
  since INTEGER NOT NULL,
  PRIMARY KEY (path, reach, except_below, call_id)
) WITHOUT ROWID;
CREATE INDEX agent_changes_trees ON agent_changes (reach) WHERE reach = 'tree';
CREATE INDEX agent_changes_open ON agent_changes (call_id) WHERE call_id <> '';

-- Commands that were approved with the instructions they had then: a digest of both.
CREATE TABLE approved_instructions (
  digest TEXT PRIMARY KEY,
  approved_at INTEGER NOT NULL
) WITHOUT ROWID;
