// The file of the index. It holds nothing that cannot be read again from the records: when its shape changes, it is made anew.
import { chmodSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Raised whenever tables, tokenizers or what is written into them change. */
const version = 3

/** Both versions are in one number. */
const versionsOfFurther = 1_000

const tokenizer = 'porter unicode61 remove_diacritics 2'

/** Tables of a user of the index, in the same file, so that they change in the same transaction. */
export interface FurtherTables {
  /** Raised whenever they change. */
  readonly version: number
  readonly sql: string
}

/** Opens the file, or an empty one when it is damaged or of another shape. Who does not own it does not replace it. */
export function openIndexFile(path: string, further: FurtherTables = { version: 0, sql: '' }, isOwner = true): DatabaseSync {
  try {
    return opened(path, further)
  } catch (error) {
    if (!isDamage(error) || !isOwner) throw error
    removeIndexFile(path)
    return opened(path, further)
  }
}

export function removeIndexFile(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) rmSync(file, { force: true })
}

class OtherVersion extends Error {}

/** Errors after which the file cannot be trusted: it is deleted and rebuilt. */
export function isDamage(error: unknown): boolean {
  if (error instanceof OtherVersion) return true
  const code = typeof error === 'object' && error !== null && 'errcode' in error ? Number(error.errcode) : 0
  // SQLITE_CORRUPT with its extended codes, SQLITE_NOTADB.
  return (code & 0xff) === 11 || (code & 0xff) === 26
}

function opened(path: string, further: FurtherTables): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 5_000 })
  try {
    chmodSync(path, 0o600)
    database.exec('PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON')
    database.exec('PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = OFF')
    // What a process left behind that died before it emptied the log.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const found = Number(database.prepare('PRAGMA user_version').get()?.user_version)
    const wanted = further.version * versionsOfFurther + version
    if (found !== 0 && found !== wanted) throw new OtherVersion()
    if (found === 0) create(database, further.sql, wanted)
    database.exec(`
      CREATE VIRTUAL TABLE temp.tokenized USING fts5(body, content = '', columnsize = 0, tokenize = '${tokenizer}');
      CREATE VIRTUAL TABLE temp.tokenized_terms USING fts5vocab(temp, tokenized, instance);
    `)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function create(database: DatabaseSync, further: string, wanted: number): void {
  database.exec(`
    BEGIN IMMEDIATE;
    -- A space has tables of its own, named after its number. \`scanned_through\`: how far a scan of all its records has come.
    CREATE TABLE IF NOT EXISTS spaces (
      no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, scanned_through TEXT, is_whole INTEGER NOT NULL DEFAULT 0,
      -- The last change of its records that is in the index.
      changes_through INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE IF NOT EXISTS scopes (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE IF NOT EXISTS groups (
      no INTEGER PRIMARY KEY, scope INTEGER NOT NULL, space INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (scope, name)
    );
    CREATE TABLE IF NOT EXISTS texts (
      no INTEGER PRIMARY KEY,
      space INTEGER NOT NULL,
      id TEXT NOT NULL,
      scope INTEGER NOT NULL,
      grp INTEGER,
      ord INTEGER NOT NULL,
      at INTEGER,
      speaker TEXT,
      text TEXT NOT NULL,
      -- How many words it has.
      words INTEGER NOT NULL,
      -- Its neighbors in the group.
      previous INTEGER,
      following INTEGER,
      UNIQUE (space, id)
    );
    CREATE INDEX IF NOT EXISTS texts_in_order ON texts (grp, ord, id) WHERE grp IS NOT NULL;
    CREATE INDEX IF NOT EXISTS texts_of_scope ON texts (scope, speaker);
    CREATE TABLE IF NOT EXISTS vectors (no INTEGER PRIMARY KEY, scope INTEGER NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL);
    CREATE INDEX IF NOT EXISTS vectors_of_scope ON vectors (scope, model);
    ${further}
    PRAGMA user_version = ${wanted};
    COMMIT;
  `)
}

/** The tables of a space: words of texts and their dates, with where each occurs and in how many texts, and characters. */
export function createSpace(database: DatabaseSync, no: number): void {
  database.exec(`
    CREATE VIRTUAL TABLE words_${no} USING fts5(body, day, columnsize = 0, tokenize = '${tokenizer}');
    INSERT INTO words_${no} (words_${no}, rank) VALUES ('secure-delete', 1);
    CREATE VIRTUAL TABLE words_of_${no} USING fts5vocab(words_${no}, row);
    CREATE VIRTUAL TABLE places_${no} USING fts5vocab(words_${no}, instance);
    CREATE VIRTUAL TABLE characters_${no} USING fts5(body, tokenize = 'trigram remove_diacritics 1');
    INSERT INTO characters_${no} (characters_${no}, rank) VALUES ('secure-delete', 1);
  `)
}

/** The tables that index words and characters. */
export const wordTables = ['words', 'characters']
/** Views of them. */
export const viewTables = ['words_of', 'places']
