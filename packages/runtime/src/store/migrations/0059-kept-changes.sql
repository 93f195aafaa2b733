-- What calls changed whose recovery points, or their contents, no longer exist: kept as long as a restore of another point depends on it.
CREATE TABLE runtime_kept_changes (
  -- Of a call without a recovery point, an id of its own.
  checkpoint_id TEXT PRIMARY KEY,
  -- Null after its conversation was erased.
  run_id TEXT,
  -- 'deleted': the point or its contents were deleted. 'unprotected': the call was approved without a point.
  cause TEXT NOT NULL,
  by_command INTEGER NOT NULL,
  workspace TEXT,
  parent_checkpoint_id TEXT,
  restored_checkpoint_id TEXT,
  settled TEXT NOT NULL,
  taken_scan INTEGER NOT NULL,
  returned_scan INTEGER,
  settled_scan INTEGER,
  created_at INTEGER NOT NULL,
  -- Compressed. Null if it could not be read or was too much.
  changes BLOB
) WITHOUT ROWID;
CREATE INDEX runtime_kept_changes_by_scan ON runtime_kept_changes (settled_scan, taken_scan);
