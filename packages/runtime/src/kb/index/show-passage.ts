// A passage as it is now, with the text around it.
import type { DocumentFormat, DocumentPosition } from '@tandem/contract/knowledge'
import type { Statements } from '../../recall/index/statements.ts'
import { type Fingerprint, findFingerprint } from '../rule/fingerprint.ts'
import { type PassageRow, passageColumns, passageIdOver, positionOver } from './search-passages.ts'
import { unpackText } from './stored-text.ts'

export interface ShownPassage {
  readonly id: string
  readonly source: string
  readonly document: string
  readonly name: string
  readonly path: string | null
  readonly format: DocumentFormat
  readonly position: DocumentPosition
  readonly before: string
  readonly text: string
  readonly after: string
  /** What the file was like when it was read. */
  readonly stats: { readonly size: number; readonly mtime: number }
}

/** How much of the text around a passage is shown. */
const around = 4_000

export function showPassage(sql: Statements, asked: string, fingerprint: Fingerprint | null): ShownPassage | null {
  const [id = '', parts = '1'] = asked.split(':')
  const rows = rowsNamed(sql, id, Math.max(1, Math.min(200, Number.parseInt(parts, 10) || 1)))
  const [first] = rows
  if (first) return shown(sql, first, rows, positionOver(rows))
  return fingerprint && recognized(sql, id, fingerprint)
}

const found = `SELECT ${passageColumns} FROM passages p JOIN documents d ON d.no = p.document`

/** By its id. If its document was moved or renamed, the same passage in another document. */
function rowsNamed(sql: Statements, id: string, parts: number): readonly PassageRow[] {
  const [document = '', content = ''] = id.split('.')
  const first =
    sql.get<PassageRow>(`${found} WHERE p.id = ?`, id) ??
    sql.get<PassageRow>(
      `${found} WHERE substr(p.id, ?, ?) = ? ORDER BY d.id = ? DESC, p.id LIMIT 1`,
      ...[document.length + 2, content.length, content, document],
    )
  if (!first || content === '') return []
  return sql.all<PassageRow>(`${found} WHERE d.id = ? AND p.ord >= ? ORDER BY p.ord LIMIT ?`, first.document, first.ord, parts)
}

/** Its document is divided into other passages now: its lines are looked for. */
function recognized(sql: Statements, id: string, fingerprint: Fingerprint): ShownPassage | null {
  const [document = ''] = id.split('.')
  const rows = sql.all<PassageRow>(`${found} WHERE d.id = ? ORDER BY p.ord`, document)
  const [any] = rows
  const text = any && textOf(sql, document)
  const place = text === undefined ? null : findFingerprint(text, fingerprint)
  if (!any || text === undefined || !place) return null
  const near = rows.findLast((row) => row.text_from <= place.from) ?? any
  const { headings, page, paragraph } = positionOver([near])
  const isFile = near.first_line !== null
  const lineAt = (at: number) => text.slice(0, at).split('\n').length
  const position: DocumentPosition = {
    ...{ headings, page, paragraph, text: place, text_sha256: near.text_sha256, bytes: null },
    first_line: isFile ? lineAt(place.from) : null,
    last_line: isFile ? lineAt(place.to) : null,
  }
  return shown(sql, near, [near], position)
}

function textOf(sql: Statements, document: string): string {
  const stored = sql.get<{ text: Uint8Array }>('SELECT text FROM documents WHERE id = ?', document)
  return stored ? unpackText(stored.text) : ''
}

function shown(sql: Statements, first: PassageRow, rows: readonly PassageRow[], position: DocumentPosition): ShownPassage | null {
  const stats = sql.get<{ size: number; mtime: number }>('SELECT size, mtime FROM documents WHERE id = ?', first.document)
  if (!stats) return null
  const text = textOf(sql, first.document)
  const { from, to } = position.text
  const { source, document, name, path, format } = first
  return {
    ...{ id: passageIdOver(rows), source, document, name, path, format, position, stats: { ...stats } },
    before: text.slice(Math.min(from, lineStart(text, Math.max(0, from - around))), from),
    text: text.slice(from, to),
    after: text.slice(to, Math.max(to, lineEnd(text, Math.min(text.length, to + around)))),
  }
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.indexOf('\n', at) + 1 || whole(text, at)
}

function lineEnd(text: string, at: number): number {
  if (at >= text.length) return text.length
  const end = text.lastIndexOf('\n', at)
  return end === -1 ? whole(text, at) : end
}

/** Never between the two halves of a character. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}
