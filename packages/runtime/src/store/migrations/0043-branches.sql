-- Where a branch parts from another conversation, and the key it was started with.
ALTER TABLE conversations ADD COLUMN branch TEXT;
ALTER TABLE conversations ADD COLUMN branch_key TEXT;
CREATE UNIQUE INDEX conversations_by_branch_key ON conversations (branch_key) WHERE branch_key IS NOT NULL;

-- A message of the user is written when the run receives it. Until then it can be changed, and its text is here.
ALTER TABLE run_inbox ADD COLUMN attachments TEXT;
ALTER TABLE run_inbox ADD COLUMN queued_at INTEGER;

-- Restores that change only files: if one is finished after a crash, its run stays as it is.
CREATE TABLE file_restores (
  checkpoint_id TEXT PRIMARY KEY
) WITHOUT ROWID;
