-- Whether the paths of a fact were replaced by markers when it was recorded. Such a fact leaves the device exactly as it is stored. What an older
-- Tandem recorded stays as it is, and leaves as that one sent it: sent again, it must be the same bytes.
ALTER TABLE messages ADD COLUMN marked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE agent_run_steps ADD COLUMN marked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tool_calls ADD COLUMN marked INTEGER NOT NULL DEFAULT 0;

-- The folder that a run worked in before. What was recorded until now leaves with paths relative to it, also when its conversation is given another.
ALTER TABLE runs ADD COLUMN older_workspace TEXT;
UPDATE runs SET older_workspace = (SELECT workspace FROM conversations WHERE no = runs.conversation);
