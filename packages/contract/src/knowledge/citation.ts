// How an answer names a passage: `[name:LINE]`, for PDF `[name:pPAGE]`, for DOCX and HTML `[name:#HEADING]`.
import type { DocumentPosition } from './schema.ts'

/** Names contain no brackets and no line breaks, so that a citation ends where its bracket does. */
export function citationName(name: string): string {
  return name
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
}

export function citationOf(name: string, position: DocumentPosition): string {
  return `[${citationName(name)}:${placeOf(position)}]`
}

function placeOf({ first_line, page, headings }: DocumentPosition): string {
  if (page !== null) return `p${page}`
  if (first_line !== null) return String(first_line)
  return `#${citationName(headings.at(-1) ?? '').replaceAll('#', '')}`
}

export interface WrittenCitation {
  /** Where it begins and ends in the text, with its brackets. */
  readonly from: number
  readonly to: number
  readonly citation: string
}

/** Everything in a text that has the form of a citation. Whether it is one depends on what was found. */
export function citationsIn(text: string): readonly WrittenCitation[] {
  return [...text.matchAll(/\[[^[\]\n]{1,400}:(?:\d{1,9}|p\d{1,9}|#[^[\]\n]{0,200})\]/gu)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    citation: match[0],
  }))
}
