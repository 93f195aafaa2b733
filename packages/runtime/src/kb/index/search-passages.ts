// What a search found, as passages: hits beside each other in one document are one passage.
import type { DocumentFormat, DocumentPosition } from '@tandem/contract/knowledge'
import type { RecallHit, RecallQuery, SignalShares } from '../../recall/answer.ts'
import type { Statements } from '../../recall/index/statements.ts'
import type { AccessScope } from '../../sandbox/files/access-rule.ts'
import { joinedRuns } from '../rule/joined-runs.ts'
import { unpackText } from './stored-text.ts'

export interface PassageQuery extends Omit<RecallQuery, 'scope' | 'filters'> {
  readonly sources: readonly string[]
  /** What may be read of the sources, unless all of them may be. */
  readonly access?: AccessScope
  readonly formats?: readonly DocumentFormat[]
  readonly changed_after?: number
}

export interface FoundPassage {
  readonly id: string
  readonly source: string
  readonly document: string
  /** Relative to its source. */
  readonly name: string
  readonly path: string | null
  readonly position: DocumentPosition
  readonly text: string
  /** The part of it that matches best, which is cited: where it is in the text, and in the document. */
  readonly best: { readonly from: number; readonly to: number; readonly position: DocumentPosition }
  readonly words: readonly string[]
  readonly score: number
  readonly shares: SignalShares
  readonly similarity: number | null
}

export interface PassageRow {
  readonly id: string
  readonly ord: number
  readonly text_from: number
  readonly text_to: number
  readonly byte_from: number | null
  readonly byte_to: number | null
  readonly first_line: number | null
  readonly last_line: number | null
  readonly page: number | null
  readonly paragraph: number | null
  readonly headings: string
  readonly document: string
  readonly source: string
  readonly name: string
  readonly path: string | null
  readonly format: DocumentFormat
  readonly text_sha256: string
}

export const passageColumns = `p.id, p.ord, p.text_from, p.text_to, p.byte_from, p.byte_to, p.first_line, p.last_line, p.page, p.paragraph,
  p.headings, d.id AS document, d.source, d.name, d.path, d.format, d.text_sha256`

export function searchPassages(sql: Statements, hits: readonly RecallHit[]): readonly FoundPassage[] {
  const rows = hits.flatMap((hit) => {
    const row = sql.get<PassageRow>(`SELECT ${passageColumns} FROM passages p JOIN documents d ON d.no = p.document WHERE p.id = ?`, hit.id)
    return row ? [{ hit, row }] : []
  })
  const texts = new Map<string, string>()
  const textOf = (document: string) => {
    const known = texts.get(document)
    if (known !== undefined) return known
    const stored = sql.get<{ text: Uint8Array }>('SELECT text FROM documents WHERE id = ?', document)
    const text = stored ? unpackText(stored.text) : ''
    texts.set(document, text)
    return text
  }
  return joinedRuns(rows, placeOf).flatMap((joined) => {
    const best = joined[0]
    if (!best) return []
    const inOrder = joined.toSorted((left, right) => left.row.ord - right.row.ord).map(({ row }) => row)
    const { source, document, name, path } = best.row
    const position = positionOver(inOrder)
    return [
      {
        ...{ source, document, name, path, position },
        best: {
          from: best.row.text_from - position.text.from,
          to: best.row.text_to - position.text.from,
          position: positionOver([best.row]),
        },
        id: passageIdOver(inOrder),
        text: textOf(document).slice(position.text.from, position.text.to),
        words: [...new Set(joined.flatMap(({ hit }) => hit.words))],
        ...{ score: best.hit.score, shares: best.hit.shares, similarity: best.hit.similarity },
      },
    ]
  })
}

/** Joined are only passages of one page that contain words of the query themselves: a neighbor that was found only as such is not part of it. */
function placeOf({ hit, row }: { readonly hit: RecallHit; readonly row: PassageRow }): readonly [string, number] {
  return [hit.words.length > 0 ? `${row.document} ${row.page}` : row.id, row.ord]
}

/** A passage of several parts is named by its first part and how many there are. */
export function passageIdOver(rows: readonly Pick<PassageRow, 'id'>[]): string {
  return rows.length === 1 ? (rows[0]?.id ?? '') : `${rows[0]?.id}:${rows.length}`
}

/** From the first to the last of them, which follow each other. */
export function positionOver(rows: readonly PassageRow[]): DocumentPosition {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) throw new Error('a passage has at least one part')
  return {
    text: { from: first.text_from, to: last.text_to },
    text_sha256: first.text_sha256,
    bytes: first.byte_from === null || last.byte_to === null ? null : { from: first.byte_from, to: last.byte_to },
    first_line: first.first_line,
    last_line: last.last_line,
    page: first.page,
    headings: JSON.parse(first.headings) as string[],
    paragraph: first.paragraph,
  }
}
