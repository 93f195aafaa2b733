-- The search for the memories of a prompt took too long: the next turn searches again.
ALTER TABLE memory_injections ADD COLUMN is_late INTEGER NOT NULL DEFAULT 0;
