// Writes packages/runtime/src/store/schema.sql: what the migrations of the local database result in. Run it after adding a migration. With
// --check it only compares; `npm run check` does that.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

const store = new URL('../packages/runtime/src/store/', import.meta.url)
const migrations = new URL('migrations/', store)
const schemaFile = new URL('schema.sql', store)

function schemaText(): string {
  const database = new DatabaseSync(':memory:')
  for (const name of readdirSync(migrations).sort()) database.exec(readFileSync(new URL(name, migrations), 'utf8'))
  const objects = database
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid")
    .all()
  const rows = objects.filter(({ type }) => type === 'table').flatMap(({ name }) => insertsInto(database, String(name)))
  database.close()
  const head = '-- Generated from the migrations by scripts/local-schema.ts: do not edit. A new database is created from this file.'
  return `${[head, ...objects.map(({ sql }) => `${sql};`), ...rows].join('\n\n')}\n`
}

function insertsInto(database: DatabaseSync, table: string): readonly string[] {
  const columns = database
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => String(name))
  const rows = database.prepare(`SELECT ${columns.map((name) => `quote(${name}) AS ${name}`).join(', ')} FROM ${table}`).all()
  return rows.map((row) => `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${Object.values(row).join(', ')});`)
}

const text = schemaText()
if (!process.argv.includes('--check')) writeFileSync(schemaFile, text)
else if (readFileSync(schemaFile, 'utf8') !== text) {
  console.error('packages/runtime/src/store/schema.sql is not what the migrations result in: run node scripts/local-schema.ts')
  process.exitCode = 1
}
