ALTER TABLE conversations ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
-- When it was deleted, and when this device may erase it.
ALTER TABLE conversations ADD COLUMN deleted_at INTEGER;
ALTER TABLE conversations ADD COLUMN erase_at INTEGER;
CREATE INDEX conversations_deleted ON conversations (erase_at) WHERE deleted_at IS NOT NULL;

-- What is erased, and how far that has come. When it is erased, the row stays: what arrives again from the cloud is not stored.
CREATE TABLE erased_conversations (
  conversation_id TEXT PRIMARY KEY,
  stage TEXT NOT NULL CHECK (stage IN ('chosen', 'rows', 'files', 'erased')),
  -- The runs and the names of files that may be deleted; empty when they are.
  run_ids TEXT NOT NULL,
  files TEXT NOT NULL,
  begun_at INTEGER NOT NULL,
  erased_at INTEGER
) WITHOUT ROWID;

-- A deleted conversation is not found by what it says.
CREATE TRIGGER conversations_deleted_recalled AFTER UPDATE OF deleted_at ON conversations WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
BEGIN
  INSERT INTO recall_changes (space, id) SELECT 'messages', message_id FROM messages WHERE conversation = NEW.no;
END;
