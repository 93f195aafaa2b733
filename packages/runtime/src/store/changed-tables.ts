// Which tables a statement may change: itself, by triggers, and because rows that refer to a deleted row are deleted too.
import type { DatabaseSync } from 'node:sqlite'

/** Each table, with those that change with it. */
export type TableChanges = ReadonlyMap<string, readonly string[]>

export function onlyReads(text: string): boolean {
  return /^\s*SELECT\b/i.test(text)
}

/** By the words of the statement: a table that it names without changing it costs a read, one that is overlooked would show old data. */
export function changedTables(text: string, changes: TableChanges): readonly string[] {
  if (onlyReads(text)) return []
  const words = text.toLowerCase().match(/\w+/g) ?? []
  return [...new Set(words.flatMap((word) => changes.get(word) ?? []))]
}

/** Of all tables of the database. */
export function changesOfTables(database: DatabaseSync): TableChanges {
  const named = (text: string) => database.prepare(text).all() as { name: string; changes: string }[]
  const tables = named(`SELECT lower(name) AS name, '' AS changes FROM sqlite_schema WHERE type = 'table'`).map(({ name }) => name)
  const triggers = named(`SELECT lower(tbl_name) AS name, lower(sql) AS changes FROM sqlite_schema WHERE type = 'trigger'`)
  const references = named(`
    SELECT lower(f."table") AS name, lower(m.name) AS changes FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
    WHERE m.type = 'table' AND (f.on_delete NOT IN ('NO ACTION', 'RESTRICT') OR f.on_update NOT IN ('NO ACTION', 'RESTRICT'))`)
  const known = new Set(tables)
  const direct = new Map(tables.map((table) => [table, new Set<string>()]))
  for (const { name, changes } of [...triggers, ...references])
    for (const word of changes.match(/\w+/g) ?? []) if (known.has(word)) direct.get(name)?.add(word)
  return new Map(tables.map((table) => [table, reachable(table, direct)]))
}

function reachable(table: string, direct: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const found = new Set([table])
  for (const one of found) for (const next of direct.get(one) ?? []) found.add(next)
  return [...found]
}
