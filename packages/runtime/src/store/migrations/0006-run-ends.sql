-- Ends of runs that those who live by them have not all heard of yet: written with the end itself, gone when they have.
CREATE TABLE untold_ends (
  run INTEGER PRIMARY KEY REFERENCES runs (no),
  tries INTEGER NOT NULL DEFAULT 0
);

-- A run whose model does not answer is tried again by itself: how often it was, and when it will be next.
ALTER TABLE runs ADD COLUMN retries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN retry_at INTEGER;
CREATE INDEX runs_to_retry ON runs (retry_at) WHERE retry_at IS NOT NULL;
