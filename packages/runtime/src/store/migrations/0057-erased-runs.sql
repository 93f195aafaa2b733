-- Runs, and workflow runs, of erased conversations. Events of workflow runs name no conversation: by these, what the cloud sends of them
-- again is not stored.
CREATE TABLE erased_runs (
  id TEXT PRIMARY KEY
) WITHOUT ROWID;
