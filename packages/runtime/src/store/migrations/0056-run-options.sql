-- What the user chose for the runs of a conversation; null for what its agent or the device uses.
ALTER TABLE conversations ADD COLUMN model TEXT;
ALTER TABLE conversations ADD COLUMN sandbox_mode TEXT;
