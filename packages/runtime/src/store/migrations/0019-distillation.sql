-- Runs that a procedural memory was distilled from or that followed it, and how they went: `success` or `failure`.
CREATE TABLE procedure_runs (
  memory_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  run INTEGER NOT NULL REFERENCES runs (no),
  outcome TEXT NOT NULL,
  -- The end of its journal when it was judged. A run that has later steps, because it was restored, is judged again.
  next_seq INTEGER NOT NULL,
  PRIMARY KEY (memory_id, run)
) WITHOUT ROWID;

-- Runs from which no further procedure is distilled. They stay here when the memory is forgotten, so that it does not come back.
CREATE TABLE distilled_runs (
  run INTEGER PRIMARY KEY REFERENCES runs (no)
);
