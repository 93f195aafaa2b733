// The tables of the knowledge base, in one file with the index of its passages.
import type { FurtherTables } from '../../recall/index/schema.ts'

export const knowledgeTables: FurtherTables = {
  version: 1,
  sql: `
    CREATE TABLE IF NOT EXISTS documents (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      source TEXT NOT NULL,
      -- Relative to its source.
      name TEXT NOT NULL,
      -- Where it was read; null for pages and pasted texts.
      path TEXT,
      format TEXT,
      -- By these it is known whether it has changed. \`seen_at\`: when it was read.
      size INTEGER NOT NULL,
      mtime REAL NOT NULL,
      ctime REAL NOT NULL,
      ino INTEGER NOT NULL,
      seen_at INTEGER NOT NULL,
      sha256 TEXT,
      -- The extracted text, compressed.
      text BLOB,
      text_sha256 TEXT,
      problem TEXT,
      detail TEXT,
      UNIQUE (source, name)
    );
    CREATE TABLE IF NOT EXISTS passages (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      document INTEGER NOT NULL,
      ord INTEGER NOT NULL,
      text_from INTEGER NOT NULL,
      text_to INTEGER NOT NULL,
      byte_from INTEGER,
      byte_to INTEGER,
      first_line INTEGER,
      last_line INTEGER,
      page INTEGER,
      paragraph INTEGER,
      headings TEXT NOT NULL,
      UNIQUE (document, ord)
    );
  `,
}
