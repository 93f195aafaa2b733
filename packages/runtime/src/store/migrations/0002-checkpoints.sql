-- Recovery points. What they saw and kept on disk lies in packs under `blobs/`; a row here is what makes a pack live.

CREATE TABLE runtime_run_checkpoints (
  no INTEGER PRIMARY KEY,
  checkpoint_id TEXT NOT NULL UNIQUE,
  run_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  name TEXT NOT NULL,
  restore_kind TEXT,
  tool TEXT,
  recovery_chain_id TEXT NOT NULL,
  recovery_chain_version INTEGER NOT NULL,
  parent_checkpoint_id TEXT,
  artifact_count INTEGER NOT NULL,
  artifact_bytes INTEGER NOT NULL,
  restored INTEGER NOT NULL DEFAULT 0,
  pending_approval INTEGER NOT NULL DEFAULT 0,
  taxonomy TEXT NOT NULL DEFAULT 'none',
  -- A command ran whose effects could not all be seen.
  opaque INTEGER NOT NULL DEFAULT 0,
  -- no: the call is open; yes: its end was seen; late: looked at after a crash.
  settled TEXT NOT NULL DEFAULT 'no',
  -- Set on the checkpoint before a restore: what was restored. The next checkpoint begins a chain there.
  restored_checkpoint_id TEXT,
  -- The folder that was looked at; null for a checkpoint of the run alone.
  root TEXT,
  run_metadata TEXT NOT NULL,
  run_loop_cursor TEXT NOT NULL,
  conversation_slice TEXT NOT NULL,
  tool_state TEXT NOT NULL,
  approval_queue TEXT NOT NULL,
  pending_mutation_metadata TEXT,
  memory_flush_markers TEXT NOT NULL,
  recovery_hints TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX runtime_run_checkpoints_of_run ON runtime_run_checkpoints (run_id, no);
CREATE INDEX runtime_run_checkpoints_open ON runtime_run_checkpoints (no) WHERE settled = 'no';

-- The packs of a checkpoint: how its paths were before the call, and how the call left them. The paths themselves are listed in the pack.
CREATE TABLE runtime_checkpoint_artifacts (
  checkpoint_id TEXT NOT NULL REFERENCES runtime_run_checkpoints (checkpoint_id) ON DELETE CASCADE,
  side TEXT NOT NULL,
  pack TEXT NOT NULL,
  stored_bytes INTEGER NOT NULL,
  PRIMARY KEY (checkpoint_id, side)
) WITHOUT ROWID;
