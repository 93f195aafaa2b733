-- Where in messages the words of forgotten memories are: nothing is remembered from there again. Only positions, and no text.
CREATE TABLE memory_forgotten (
  message_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  PRIMARY KEY (message_id, start, length)
) WITHOUT ROWID;
