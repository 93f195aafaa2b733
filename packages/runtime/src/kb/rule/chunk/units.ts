// The smallest parts of sections that passages consist of: blocks, and of long blocks their sentences, rows or lines.
import { rowEnd } from '../../parse/csv.ts'
import type { Block, ParsedDocument } from '../../parse/parsed.ts'
import { type CutRange, lines, parts, sentences } from './cut.ts'
import type { Section } from './sections.ts'
import { isLight, weightOf } from './weight.ts'

export interface Unit extends CutRange {
  readonly weight: number
  readonly section: Section
  readonly kind: Block['kind']
  /** How good it is to begin a passage here. */
  readonly rank: number
  /** Of a table that began before. */
  readonly header: string | null
  readonly page: number | null
  readonly paragraph: number
  /** Decides between places that are equally good. It depends on the text alone, so that a change affects only passages near it. */
  readonly hash: number
}

/** The longest unit, in tokens. */
const longestUnit = 350
/** Blocks up to this size are not divided. */
const wholeBlock = 250
const longestHeader = 150

const rank = { within: 0, line: 1, blankLine: 2, block: 3, section: 4 } as const

export function* unitsOf(document: ParsedDocument, sections: readonly Section[]): Generator<Unit> {
  const { text } = document
  for (const section of sections) {
    let paragraph = 0
    for (const [index, block] of section.blocks.entries()) {
      const isHeading = block.kind === 'heading'
      if (!isHeading) paragraph += 1
      const first = { section, kind: block.kind, page: block.page ?? null, paragraph: Math.max(1, paragraph) }
      let end = block.from
      for (const piece of piecesOf(document, block)) {
        const isFirst = piece.from === block.from
        yield {
          ...first,
          ...piece,
          weight: weightOf(text, piece.from, piece.to),
          rank: isFirst ? (index === 0 ? rank.section : rank.block) : rankWithin(text, block, end, piece.from),
          header: isFirst ? null : headerOf(text, block, piece.from),
          hash: hashOf(text, piece),
        }
        end = piece.to
      }
    }
  }
}

function* piecesOf(document: ParsedDocument, block: Block): Generator<CutRange> {
  const { text, format } = document
  const { from, to, kind } = block
  if (isLight(text, from, to, wholeBlock)) {
    yield { from, to }
    return
  }
  const isText = kind === 'paragraph' || kind === 'heading'
  const pieces = isText ? sentences(text, from, to) : lines(text, from, to, format === 'csv' ? rowEnd : undefined)
  for (const piece of joinedPieces(text, pieces, to - from < veryLongBlock)) yield* parts(text, piece.from, piece.to, longestUnit)
}

/** In characters. Shorter pieces are joined with the next, but not over a blank line, except in blocks that are very long. */
const shortPiece = 40
const veryLongBlock = 1_000_000

function* joinedPieces(text: string, pieces: Iterable<CutRange>, endsAtBlankLines: boolean): Generator<CutRange> {
  let short: CutRange | null = null
  for (const piece of pieces) {
    const joined: CutRange =
      short && !(endsAtBlankLines && hasBlankLine(text, short.to, piece.from)) ? { from: short.from, to: piece.to } : piece
    if (short && joined === piece) yield short
    short = joined.to - joined.from < shortPiece ? joined : null
    if (!short) yield joined
  }
  if (short) yield short
}

function hasBlankLine(text: string, from: number, to: number): boolean {
  // Only the white space between them is read: the rest of the text may have no line break at all.
  const between = text.slice(from, to)
  return between.indexOf('\n') !== between.lastIndexOf('\n')
}

function rankWithin(text: string, { kind }: Block, end: number, next: number): number {
  if (kind === 'paragraph' || kind === 'heading') return rank.line
  if (hasBlankLine(text, end, next)) return rank.blankLine
  return text.slice(end, Math.min(next, end + 100)).includes('\n') ? rank.line : rank.within
}

function headerOf(text: string, { kind, from, header_to }: Block, at: number): string | null {
  if (kind !== 'table' || header_to === undefined || at < header_to) return null
  return isLight(text, from, header_to, longestHeader) ? text.slice(from, header_to) : null
}

function hashOf(text: string, { from, to }: CutRange): number {
  let hash = 0x811c9dc5
  for (let at = from; at < Math.min(to, from + 80); at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
