-- Lifecycle events that a listener has not processed yet. A row is written in the transaction of the fact it reports.
-- Numbers are never used twice, because a cursor may be past a row that was deleted.
CREATE TABLE lifecycle_events (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id TEXT NOT NULL,
  event TEXT NOT NULL,
  subject TEXT NOT NULL,
  at INTEGER NOT NULL,
  data TEXT NOT NULL,
  -- The one listener the row is for; null: every listener.
  only_for TEXT
);
CREATE INDEX lifecycle_events_by_subject ON lifecycle_events (subject, no);

-- How far each listener has taken over events. A listener that is removed from the program is deleted here by a migration.
CREATE TABLE lifecycle_listeners (
  listener TEXT PRIMARY KEY,
  cursor INTEGER NOT NULL
) WITHOUT ROWID;

-- What a listener was not given yet of the events up to its cursor: those of the subject from `no` on.
CREATE TABLE lifecycle_deliveries (
  listener TEXT NOT NULL,
  subject TEXT NOT NULL,
  no INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  retry_at INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  PRIMARY KEY (listener, subject)
) WITHOUT ROWID;

CREATE INDEX lifecycle_deliveries_by_no ON lifecycle_deliveries (listener, no);

-- The agents and conversations whose creation, or first use on this device, a listener was told about.
CREATE TABLE lifecycle_introductions (
  listener TEXT NOT NULL,
  subject TEXT NOT NULL,
  PRIMARY KEY (listener, subject)
) WITHOUT ROWID;

-- It held the ends of runs only, and nothing ever listened to them.
DROP TABLE untold_ends;
