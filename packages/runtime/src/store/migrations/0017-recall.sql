-- Which texts of the recall index have to be read again from their records. The index itself is in another file and can be deleted.
CREATE TABLE recall_changes (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  space TEXT NOT NULL,
  id TEXT NOT NULL
);
