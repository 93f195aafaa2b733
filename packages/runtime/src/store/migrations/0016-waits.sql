-- What calls wait for. A call waits for one thing at a time; its run is paused meanwhile.
CREATE TABLE waits (
  -- In the order of recording, whatever the clock says.
  no INTEGER PRIMARY KEY,
  wait_id TEXT NOT NULL UNIQUE,
  run INTEGER NOT NULL REFERENCES runs (no),
  call_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  waits_for TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  until INTEGER,
  started_at INTEGER NOT NULL,
  -- `completed`, `timed_out` or `canceled`; null while it waits. `value` is how what was waited for ended, as JSON.
  outcome TEXT,
  value TEXT,
  ended_at INTEGER
);
CREATE INDEX waits_of_call ON waits (run, call_id);
CREATE INDEX waits_open ON waits (waits_for, subject_id) WHERE outcome IS NULL;
CREATE INDEX waits_due ON waits (until) WHERE outcome IS NULL AND until IS NOT NULL;
-- Looked through every few seconds.
CREATE INDEX runs_paused ON runs (pause_reason) WHERE state = 'paused';

-- What waits for an answer already.
INSERT INTO waits (wait_id, run, call_id, tool, waits_for, subject_id, started_at)
SELECT approval_id, run, call_id, json_extract(prompt, '$.tool'), 'approval', approval_id, asked_at FROM approvals WHERE answer IS NULL;
INSERT INTO waits (wait_id, run, call_id, tool, waits_for, subject_id, started_at)
SELECT question_id, run, call_id, 'ask_user', 'question', question_id, asked_at FROM questions WHERE answer IS NULL;
-- What was answered, and has not reached its call.
INSERT INTO waits (wait_id, run, call_id, tool, waits_for, subject_id, started_at, outcome, value, ended_at)
SELECT question_id, run, call_id, 'ask_user', 'question', question_id, asked_at, 'completed', answer, answered_at
FROM questions WHERE answer <> 'null' AND NOT EXISTS (SELECT 1 FROM tool_calls c WHERE c.run = questions.run AND c.call_id = questions.call_id);
