-- What was proposed as a memory and not kept: only how often, per day and reason.
CREATE TABLE memory_dropped (
  day TEXT NOT NULL,
  reason TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (day, reason)
) WITHOUT ROWID;
