// Divides a document into passages by its structure. Pure, and linear in the length of the text.
import type { Block, ParsedDocument } from '../../parse/parsed.ts'
import { overlapStart } from './cut.ts'
import { chunkLimits, packed } from './pack.ts'
import { sectionGroups } from './sections.ts'
import { type Unit, unitsOf } from './units.ts'

export interface Chunk {
  /** In the text, in UTF-16 units. */
  readonly from: number
  readonly to: number
  /** The headings it is below, outermost first, with its own. */
  readonly headings: readonly string[]
  /** The header of the table that it continues. */
  readonly header: string | null
  readonly page: number | null
  /** Of DOCX and HTML: which paragraph below its heading it begins with, from 1. */
  readonly paragraph: number | null
}

export function chunksOf(document: ParsedDocument): readonly Chunk[] {
  const hasParagraphs = document.format === 'docx' || document.format === 'html'
  const chunks: Chunk[] = []
  for (const group of sectionGroups(document)) {
    let before: Unit | null = null
    for (const units of packed(unitsOf(document, group))) {
      const [first] = units
      const last = units.at(-1)
      if (!first || !last) continue
      chunks.push({
        from: before && continues(before, first) ? withOverlap(document.text, chunks.at(-1)?.from ?? 0, before, first) : first.from,
        to: last.to,
        headings: first.section.headings,
        header: first.header,
        page: first.page,
        paragraph: hasParagraphs ? first.paragraph : null,
      })
      before = last
    }
  }
  return chunks
}

/** What is indexed of a chunk: its context and its text. */
export function indexedText({ text }: Pick<ParsedDocument, 'text'>, { from, to, headings, header }: Chunk): string {
  return [headings.join(' › '), header, text.slice(from, to)].filter((part) => part !== null && part !== '').join('\n')
}

function withOverlap(text: string, from: number, before: Unit, next: Unit): number {
  const start = overlapStart(text, from, before.to, chunkLimits.overlap)
  return start < before.to ? start : next.from
}

/** Text that continues in the same section, on the same page. */
function continues(before: Unit, next: Unit): boolean {
  const isText = ({ kind }: { readonly kind: Block['kind'] }) => kind === 'paragraph'
  return (
    before.section === next.section && before.page === next.page && isText(before) && isText(next) && next.from - before.to < longestGap
  )
}

/** Between a passage and what is repeated of the one before, in characters. */
const longestGap = 30
