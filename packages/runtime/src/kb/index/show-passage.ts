// A passage as it is now, with the text around it.
import type { DocumentFormat, DocumentPosition } from '@tandem/contract/knowledge'
import type { Statements } from '../../recall/index/statements.ts'
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

export function showPassage(sql: Statements, asked: string): ShownPassage | null {
  const [id = '', parts = '1'] = asked.split(':')
  const first = partNamed(sql, id)
  if (!first) return null
  const rows = sql.all<PassageRow>(
    `SELECT ${passageColumns} FROM passages p JOIN documents d ON d.no = p.document WHERE d.id = ? AND p.ord >= ? ORDER BY p.ord LIMIT ?`,
    ...[first.document, first.ord, Math.max(1, Math.min(200, Number.parseInt(parts, 10) || 1))],
  )
  const document = sql.get<{ text: Uint8Array; size: number; mtime: number }>(
    'SELECT text, size, mtime FROM documents WHERE id = ?',
    first.document,
  )
  if (!document || rows.length === 0) return null
  const text = unpackText(document.text)
  const position = positionOver(rows)
  const { from, to } = position.text
  return {
    ...{ id: passageIdOver(rows), source: first.source, document: first.document, name: first.name, path: first.path, format: first.format, position },
    before: text.slice(Math.min(from, lineStart(text, Math.max(0, from - around))), from),
    text: text.slice(from, to),
    after: text.slice(to, Math.max(to, lineEnd(text, Math.min(text.length, to + around)))),
    stats: { size: document.size, mtime: document.mtime },
  }
}

/** By its id. If its document was moved or renamed, the same passage in another document. */
function partNamed(sql: Statements, id: string): PassageRow | undefined {
  const found = `SELECT ${passageColumns} FROM passages p JOIN documents d ON d.no = p.document`
  const [document = '', content = ''] = id.split('.')
  return (
    sql.get<PassageRow>(`${found} WHERE p.id = ?`, id) ??
    sql.get<PassageRow>(`${found} WHERE substr(p.id, ?, ?) = ? ORDER BY p.id LIMIT 1`, document.length + 2, content.length, content)
  )
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
