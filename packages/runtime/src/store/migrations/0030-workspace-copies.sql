-- The copies of folders that members of a team work in. A copy has a row when it is complete.
CREATE TABLE workspace_copies (
  run_id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  source TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('in_use', 'unmerged', 'merged')),
  files INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  merged_at INTEGER
);

-- Merges of copies into the folder of the run that started their members. `operations` is what is written, and how it was before.
-- staging, applying: after a crash it is undone. applied: its temporary files may still exist. stuck: it could not be undone completely.
CREATE TABLE workspace_merges (
  merge_id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  workspace TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('staging', 'applying', 'applied', 'done', 'undone', 'stuck')),
  operations TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX workspace_merges_open ON workspace_merges (state) WHERE state IN ('staging', 'applying', 'applied', 'stuck');
CREATE INDEX workspace_merges_of_folder ON workspace_merges (workspace, created_at);
