-- Epochs of the cloud that this device left, with when: [{"epoch": "…", "left_at": 1700000000000}, …]. What still answers with one of them
-- is an old copy of the cloud's database. `recovered_at` is when everything here was last queued to be sent again.
ALTER TABLE sync_state ADD COLUMN left_epochs TEXT NOT NULL DEFAULT '[]';
ALTER TABLE sync_state ADD COLUMN recovered_at INTEGER;
