-- The folder of a run, once its conversation works in another one; null while it is that of the conversation.
ALTER TABLE runs ADD COLUMN own_workspace TEXT;

-- Whether a restore of files covers all of them or those that the user chose.
ALTER TABLE file_restores ADD COLUMN kind TEXT NOT NULL DEFAULT 'all' CHECK (kind IN ('all', 'chosen'));
