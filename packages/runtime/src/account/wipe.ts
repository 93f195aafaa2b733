// Takes away all that was kept here for a person, and leaves a folder like a new one that still knows its device.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../store/store.ts'

/** Beside the database: what a person made, and the account this machine made for itself at the backend it started. */
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
  // What was deleted lies in the file until its pages are written anew.
  sql.run`VACUUM`
  sql.get`PRAGMA wal_checkpoint(TRUNCATE)`
}

/** A table's name can't be bound: it is the text of the statement itself, and comes from the schema alone. */
function emptied({ sql }: Store, table: string): void {
  const text = [`DELETE FROM "${table.replaceAll('"', '""')}"`]
  sql.run(Object.assign(text, { raw: text }))
}
