-- To free space, the contents of a recovery point may be deleted before its row: when, in milliseconds. Its files can no longer be restored.
ALTER TABLE runtime_run_checkpoints ADD COLUMN contents_deleted_at INTEGER;

-- The event says what was deleted. Until now it was always the whole point.
UPDATE events SET data = json_set(data, '$.deleted', 'point') WHERE event = 'checkpoint_expired';
