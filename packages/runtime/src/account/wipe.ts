// Deletes everything stored for a user. The folder is then like a new one, except that it keeps its device id.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../store/store.ts'

/** Next to the database: the user's files, and the account that this device created for itself on the backend it started. */
const files = ['outputs', 'blobs', 'attachments', 'local-account.json']

export function wipe(store: Store): void {
  const { sql, home } = store
  const tables = sql.all`
    SELECT name FROM sqlite_master
    WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT IN ('meta', 'sync_state', 'lifecycle_listeners')`.map(({ name }) =>
    String(name),
  )
  store.applying(() => {
    sql.get`PRAGMA defer_foreign_keys = ON`
    for (const table of tables) emptied(store, table)
    sql.run`DELETE FROM meta WHERE name <> 'device_id'`
    sql.run`
      UPDATE sync_state SET user_id = NULL, epoch = NULL, cursor_ts = NULL, snapshot_ts = NULL, recovery = 'none', seen_at = 0,
        pushed_at = NULL, pulled_at = NULL, left_epochs = '[]', recovered_at = NULL`
  })
  for (const name of files) rmSync(join(home, name), { recursive: true, force: true })
  // Deleted data stays in the file until its pages are rewritten.
  sql.run`VACUUM`
  sql.get`PRAGMA wal_checkpoint(TRUNCATE)`
}

/** The name of a table cannot be bound: it is part of the statement, and comes only from the schema. */
function emptied({ sql }: Store, table: string): void {
  const text = [`DELETE FROM "${table.replaceAll('"', '""')}"`]
  sql.run(Object.assign(text, { raw: text }))
}
