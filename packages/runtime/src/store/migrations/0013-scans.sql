-- Every scan of a recovery point has a number, so that it is known which calls of different runs overlapped, whatever the clock says.
-- A point whose call started a background command stays open until the process ends: the call's return is recorded apart from the end.
ALTER TABLE runtime_run_checkpoints ADD COLUMN taken_scan INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runtime_run_checkpoints ADD COLUMN settled_scan INTEGER;
ALTER TABLE runtime_run_checkpoints ADD COLUMN returned_scan INTEGER;
ALTER TABLE runtime_run_checkpoints ADD COLUMN returned_at INTEGER;
ALTER TABLE runtime_run_checkpoints ADD COLUMN closed_at INTEGER;
-- The processes of the background command, as JSON: the pid of each and when it started.
ALTER TABLE runtime_run_checkpoints ADD COLUMN processes TEXT;
-- Of older points it is not known which overlapped: they count as taken and settled one after the other.
UPDATE runtime_run_checkpoints SET taken_scan = no, settled_scan = CASE settled WHEN 'no' THEN NULL ELSE no END;
INSERT INTO meta (name, value) SELECT 'checkpoint_scan', CAST(COALESCE(MAX(no), 0) AS TEXT) FROM runtime_run_checkpoints;
CREATE INDEX runtime_run_checkpoints_by_scan ON runtime_run_checkpoints (settled_scan, taken_scan);
