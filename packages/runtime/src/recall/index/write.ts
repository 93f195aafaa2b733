// Texts put into the index and removed from it. A text is indexed with its neighbors and with its group, so these are written again too.

import type { DatabaseSync } from 'node:sqlite'
import { dateWords } from '../rule/date-words.ts'
import type { RecallText } from '../text.ts'
import { createSpace } from './schema.ts'
import type { Statements } from './statements.ts'

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
}

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
  for (const table of ['words_of', 'words', 'grouped', 'characters']) database.exec(`DROP TABLE ${table}_${no}`)
}

/** Within a transaction. What is there already and the same is left alone. */
export function write(sql: Statements, space: number, texts: readonly RecallText[], removed: readonly string[]): Written {
  const stale: { no: number; scope: number }[] = []
  const touched = new Set<number>()
  const groups = new Set<number>()
  const find = (id: string) => sql.get<TextRow>(`SELECT ${columns} FROM texts WHERE space = ? AND id = ?`, space, id)

  function touch({ no, grp, ord, id }: Pick<TextRow, 'no' | 'grp' | 'ord' | 'id'>): void {
    touched.add(no)
    if (grp === null) return
    groups.add(grp)
    const before = sql.get<{ no: number }>(
      'SELECT no FROM texts WHERE grp = ? AND (ord, id) < (?, ?) ORDER BY ord DESC, id DESC LIMIT 1',
      ...[grp, ord, id],
    )
    const after = sql.get<{ no: number }>(
      'SELECT no FROM texts WHERE grp = ? AND (ord, id) > (?, ?) ORDER BY ord, id LIMIT 1',
      grp,
      ord,
      id,
    )
    if (before) touched.add(before.no)
    if (after) touched.add(after.no)
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
    touched.delete(row.no)
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
    const values = [next.scope, next.grp, next.ord, next.at, next.speaker, next.text]
    if (known) sql.run('UPDATE texts SET scope = ?, grp = ?, ord = ?, at = ?, speaker = ?, text = ? WHERE no = ?', ...values, known.no)
    else sql.run('INSERT INTO texts (scope, grp, ord, at, speaker, text, space, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)', ...values, space, id)
    const row = find(id)
    if (row) touch(row)
    if (row) sql.run(`INSERT OR REPLACE INTO characters_${space} (rowid, body) VALUES (?, ?)`, row.no, indexed(row.text))
  }
  for (const no of touched) writeWords(sql, space, no)
  for (const grp of groups) writeGroup(sql, space, grp)
  if (stale.length > 0) sql.run('DELETE FROM scopes WHERE NOT EXISTS (SELECT 1 FROM texts t WHERE t.scope = scopes.no)')
  return { stale }
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

interface Neighbor {
  readonly no: number
  readonly text: string
}

function writeWords(sql: Statements, space: number, no: number): void {
  const row = sql.get<TextRow>(`SELECT ${columns} FROM texts WHERE no = ?`, no)
  if (!row) return
  const { grp, ord, id } = row
  const [before, after] =
    grp === null
      ? []
      : [
          sql.get<Neighbor>(
            'SELECT no, text FROM texts WHERE grp = ? AND (ord, id) < (?, ?) ORDER BY ord DESC, id DESC LIMIT 1',
            ...[grp, ord, id],
          ),
          sql.get<Neighbor>('SELECT no, text FROM texts WHERE grp = ? AND (ord, id) > (?, ?) ORDER BY ord, id LIMIT 1', grp, ord, id),
        ]
  sql.run('UPDATE texts SET previous = ?, following = ? WHERE no = ?', before?.no ?? null, after?.no ?? null, no)
  const around = indexed(`${before?.text ?? ''}\n${after?.text ?? ''}`)
  sql.run(`INSERT OR REPLACE INTO words_${space} (rowid, body, around) VALUES (?, ?, ?)`, no, bodyOf(row), around)
}

/** A group is found by all that is in it. One that is empty goes. */
function writeGroup(sql: Statements, space: number, no: number): void {
  const rows = sql.all<{ text: string; at: number | null }>('SELECT text, at FROM texts WHERE grp = ? ORDER BY ord, id', no)
  if (rows.length === 0) {
    sql.run(`DELETE FROM grouped_${space} WHERE rowid = ?`, no)
    sql.run('DELETE FROM groups WHERE no = ?', no)
    return
  }
  const dates = new Set(rows.flatMap(({ at }) => (at === null ? [] : [dateWords(at)])))
  const body = indexed([...dates, ...rows.map(({ text }) => text)].join('\n'))
  sql.run(`INSERT OR REPLACE INTO grouped_${space} (rowid, body) VALUES (?, ?)`, no, body)
}

/** What of the body comes before the text itself: its date. */
function bodyOf({ at, text }: { readonly at: number | null; readonly text: string }): string {
  return `${at === null ? '' : dateWords(at)}\n${indexed(text)}`
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
