// Texts put into the index and removed from it. Of its neighbors only their places change.

import type { DatabaseSync } from 'node:sqlite'
import { dateWords } from '../rule/date-words.ts'
import { characterWords } from '../rule/query.ts'
import type { RecallText } from '../text.ts'
import { createSpace, viewTables, wordTables } from './schema.ts'
import type { Statements } from './statements.ts'
import { countWords } from './words.ts'

export interface Space {
  readonly no: number
  readonly scanned_through: string | null
  readonly is_whole: number
  readonly changes_through: number
}

interface TextRow {
  readonly no: number
  readonly scope: number
  readonly grp: number | null
  readonly ord: number
  readonly at: number | null
  readonly speaker: string | null
  readonly text: string
  readonly id: string
}

export interface Written {
  /** The rows whose text is another one now, or gone: they have no vector. */
  readonly stale: readonly { readonly no: number; readonly scope: number }[]
  /** The rows that are new, gone, or have another place, text or length. */
  readonly changed: readonly number[]
}

/** If more texts of a group are other ones in a batch, the places of all of them are written at once. */
const mostPlacedAlone = 4

const columns = 'no, id, scope, grp, ord, at, speaker, text'

export function spaceNamed(database: DatabaseSync, sql: Statements, name: string): Space {
  const known = sql.get<Space>('SELECT no, scanned_through, is_whole, changes_through FROM spaces WHERE name = ?', name)
  if (known) return known
  const no = Number(sql.run('INSERT INTO spaces (name) VALUES (?)', name).lastInsertRowid)
  createSpace(database, no)
  return { no, scanned_through: null, is_whole: 0, changes_through: 0 }
}

/** Within a transaction. */
export function dropSpace(database: DatabaseSync, sql: Statements, no: number): void {
  sql.run('DELETE FROM vectors WHERE no IN (SELECT no FROM texts WHERE space = ?)', no)
  sql.run('DELETE FROM texts WHERE space = ?', no)
  sql.run('DELETE FROM groups WHERE space = ?', no)
  sql.run('DELETE FROM spaces WHERE no = ?', no)
  for (const table of [...viewTables, ...wordTables]) database.exec(`DROP TABLE ${table}_${no}`)
}

/** Within a transaction. What is there already and the same is left alone. */
export function write(sql: Statements, space: number, texts: readonly RecallText[], removed: readonly string[]): Written {
  const stale: { no: number; scope: number }[] = []
  const touched = new Set<number>()
  /** How many of their texts are other ones now. */
  const groups = new Map<number, number>()
  const find = (id: string) => sql.get<TextRow>(`SELECT ${columns} FROM texts WHERE space = ? AND id = ?`, space, id)

  function touch({ no, grp, ord, id }: Pick<TextRow, 'no' | 'grp' | 'ord' | 'id'>): void {
    touched.add(no)
    if (grp === null) return
    const count = (groups.get(grp) ?? 0) + 1
    groups.set(grp, count)
    // The places of all of its texts are written in the end.
    if (count > mostPlacedAlone) return
    const { before, after } = neighbors(sql, { grp, ord, id })
    if (before !== null) touched.add(before)
    if (after !== null) touched.add(after)
  }

  /** The text is another one now, or gone, or for others: its vector goes. */
  function dropVector({ no, scope }: TextRow): void {
    stale.push({ no, scope })
    sql.run('DELETE FROM vectors WHERE no = ?', no)
  }

  for (const id of removed) {
    const row = find(id)
    if (!row) continue
    touch(row)
    dropVector(row)
    sql.run('DELETE FROM texts WHERE no = ?', row.no)
    sql.run(`DELETE FROM words_${space} WHERE rowid = ?`, row.no)
    sql.run(`DELETE FROM characters_${space} WHERE rowid = ?`, row.no)
  }
  for (const { id, scope: name, text, at, speaker, group, position } of texts) {
    const scope = scopeNo(sql, name)
    const grp = group === null ? null : groupNo(sql, space, scope, group)
    const next = { scope, grp, ord: Math.trunc(position ?? at ?? 0), at: at === null ? null : Math.trunc(at), speaker, text }
    const known = find(id)
    if (known && isSame(known, next)) continue
    if (known) touch(known)
    if (known && (known.text !== text || known.scope !== scope)) dropVector(known)
    const values = [next.scope, next.grp, next.ord, next.at, next.speaker, next.text, countWords(text)]
    const no = known?.no ?? inserted(sql, values, space, id)
    if (known) {
      sql.run('UPDATE texts SET scope = ?, grp = ?, ord = ?, at = ?, speaker = ?, text = ?, words = ? WHERE no = ?', ...values, no)
    }
    touch({ no, grp, ord: next.ord, id })
    if (known?.text !== text || known.at !== next.at) writeWords(sql, space, { no, ...next }, known !== undefined)
  }
  const placed = new Set<number>()
  for (const [grp, count] of groups) {
    if (count <= mostPlacedAlone) continue
    for (const { no, isMoved } of writePlaces(sql, grp)) {
      placed.add(no)
      if (isMoved) touched.add(no)
    }
  }
  for (const no of touched) if (!placed.has(no)) writeNeighbors(sql, no)
  for (const grp of groups.keys()) removeIfEmpty(sql, grp)
  if (stale.length > 0) sql.run('DELETE FROM scopes WHERE NOT EXISTS (SELECT 1 FROM texts t WHERE t.scope = scopes.no)')
  return { stale, changed: [...touched] }
}

function isSame(row: TextRow, next: Omit<TextRow, 'no' | 'id'>): boolean {
  return (
    row.text === next.text &&
    row.scope === next.scope &&
    row.grp === next.grp &&
    row.ord === next.ord &&
    row.at === next.at &&
    row.speaker === next.speaker
  )
}

type Value = string | number | null

function inserted(sql: Statements, values: readonly Value[], space: number, id: string): number {
  const row = sql.run(
    'INSERT INTO texts (scope, grp, ord, at, speaker, text, words, space, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[...values, space, id],
  )
  return Number(row.lastInsertRowid)
}

function writeWords(sql: Statements, space: number, { no, at, text }: Pick<TextRow, 'no' | 'at' | 'text'>, isKnown: boolean): void {
  const day = at === null ? '' : dateWords(at)
  sql.run(`INSERT OR REPLACE INTO words_${space} (rowid, body, day) VALUES (?, ?, ?)`, no, indexed(text), day)
  const words = characterWords(indexed(text))
  if (words !== '') sql.run(`INSERT OR REPLACE INTO characters_${space} (rowid, body) VALUES (?, ?)`, no, words)
  else if (isKnown) sql.run(`DELETE FROM characters_${space} WHERE rowid = ?`, no)
}

function writeNeighbors(sql: Statements, no: number): void {
  const row = sql.get<Pick<TextRow, 'grp' | 'ord' | 'id'>>('SELECT grp, ord, id FROM texts WHERE no = ?', no)
  if (!row) return
  const { before, after } = neighbors(sql, row)
  sql.run(
    'UPDATE texts SET previous = ?1, following = ?2 WHERE no = ?3 AND (previous IS NOT ?1 OR following IS NOT ?2)',
    ...[before, after, no],
  )
}

/** Of all texts of a group at once: for a document that is new or was divided otherwise. */
function writePlaces(sql: Statements, grp: number): readonly { readonly no: number; readonly isMoved: boolean }[] {
  const rows = sql.all<{ no: number; previous: number | null; following: number | null }>(
    'SELECT no, previous, following FROM texts WHERE grp = ? ORDER BY ord, id',
    grp,
  )
  return rows.map(({ no, previous, following }, index) => {
    const [before, after] = [rows[index - 1]?.no ?? null, rows[index + 1]?.no ?? null]
    const isMoved = previous !== before || following !== after
    if (isMoved) sql.run('UPDATE texts SET previous = ?, following = ? WHERE no = ?', before, after, no)
    return { no, isMoved }
  })
}

function neighbors(
  sql: Statements,
  { grp, ord, id }: Pick<TextRow, 'grp' | 'ord' | 'id'>,
): {
  readonly before: number | null
  readonly after: number | null
} {
  if (grp === null) return { before: null, after: null }
  const before = sql.get<{ no: number }>(
    'SELECT no FROM texts WHERE grp = ? AND (ord, id) < (?, ?) ORDER BY ord DESC, id DESC LIMIT 1',
    ...[grp, ord, id],
  )
  const after = sql.get<{ no: number }>(
    'SELECT no FROM texts WHERE grp = ? AND (ord, id) > (?, ?) ORDER BY ord, id LIMIT 1',
    ...[grp, ord, id],
  )
  return { before: before?.no ?? null, after: after?.no ?? null }
}

function removeIfEmpty(sql: Statements, no: number): void {
  sql.run('DELETE FROM groups WHERE no = ? AND NOT EXISTS (SELECT 1 FROM texts t WHERE t.grp = groups.no)', no)
}

/** FTS5 reads no further than a NUL. */
function indexed(text: string): string {
  return text.replaceAll('\0', ' ')
}

function scopeNo(sql: Statements, name: string): number {
  const known = sql.get<{ no: number }>('SELECT no FROM scopes WHERE name = ?', name)
  return known?.no ?? Number(sql.run('INSERT INTO scopes (name) VALUES (?)', name).lastInsertRowid)
}

function groupNo(sql: Statements, space: number, scope: number, name: string): number {
  const known = sql.get<{ no: number }>('SELECT no FROM groups WHERE scope = ? AND name = ?', scope, name)
  return known?.no ?? Number(sql.run('INSERT INTO groups (space, scope, name) VALUES (?, ?, ?)', space, scope, name).lastInsertRowid)
}
