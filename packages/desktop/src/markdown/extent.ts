// Which lines belong to a block. The pieces of a growing text and the blocks in it both follow these rules, so that they always agree.
import { indentOf } from './indent.ts'
import { closesFence, type ItemRange, itemOf, listExtent, rule } from './list-extent.ts'
import { mathAt } from './math-extent.ts'
import { isBlank, type Source } from './source.ts'

/** `underlined`: a heading whose last line is a line of dashes or equals signs. */
type Kind = 'code' | 'math' | 'footnote' | 'heading' | 'underlined' | 'rule' | 'quote' | 'list' | 'table' | 'paragraph'

export interface Extent {
  readonly kind: Kind
  readonly end: number
  /** Of a list. */
  readonly items: readonly ItemRange[]
}

/** A line of code within a sentence may begin with the same marks, but contains them again. */
export const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})\s*([\w+#.-]*)/
export const heading = /^ {0,3}(#{1,6})\s(.*)$/
export const quote = /^ {0,3}> ?/
export const footnote = /^\[\^([\w-]{1,40})\]:\s+(.*)$/
/** At least three: the first characters of an item that is still coming must not turn the text above into a heading. */
const underline = /^ {0,3}(={3,}|-{3,})\s*$/

/** Deeper nesting becomes text. */
const deepest = 8

/** The block that begins at this line, which is not empty. */
export function extentAt(source: Source, at: number): Extent {
  const { lines } = source
  const kind = kindAt(source, at, false)
  const isOf = (end: number, items: readonly ItemRange[] = []): Extent => ({ kind, end, items })
  switch (kind) {
    case 'code': {
      const [, mark = '```'] = fence.exec(lines[at] ?? '') ?? []
      // Open code extends to the end: the rest is still streaming in.
      return isOf(Math.min(endWhile(lines, at + 1, (line) => !closesFence(line, mark)) + 1, lines.length))
    }
    case 'math':
      return isOf(mathAt(source, at)?.end ?? at + 1)
    case 'footnote':
      return isOf(endWhile(lines, at + 1, (line) => !isBlank(line) && indentOf(line) >= 2))
    case 'quote':
      return isOf(endWhile(lines, at, (line) => quote.test(line)))
    case 'table':
      return isOf(endWhile(lines, at + 2, (line) => line.includes('|')))
    case 'list': {
      const { end, items } = listExtent(lines, at, (line) => kindAt(source, line, true) === 'paragraph')
      return isOf(end, items)
    }
    case 'paragraph':
      return paragraphAt(source, at)
    default:
      return isOf(at + 1)
  }
}

function paragraphAt(source: Source, begin: number): Extent {
  const { lines } = source
  let end = begin
  while (end < lines.length && !isBlank(lines[end])) {
    const kind = end === begin ? 'paragraph' : kindAt(source, end, true)
    if (kind === 'underlined') return { kind, end: end + 1, items: [] }
    if (kind !== 'paragraph') break
    end = mathAt(source, end)?.end ?? end + 1
  }
  return { kind: 'paragraph', end, items: [] }
}

/** What begins at a line, or below a paragraph, continues or ends it. */
function kindAt(source: Source, at: number, isInParagraph: boolean): Kind {
  const { lines, depth } = source
  const line = lines[at] ?? ''
  if (fence.test(line)) return 'code'
  if (mathAt(source, at)?.isDisplay) return 'math'
  if (heading.test(line)) return 'heading'
  if (isInParagraph && underline.test(line)) return 'underlined'
  if (rule.test(line)) return 'rule'
  if (depth < deepest) {
    const item = itemOf(line)
    if (footnote.test(line)) return 'footnote'
    if (quote.test(line)) return 'quote'
    // "1986. What a year" within a sentence is none.
    if (item && (!isInParagraph || item.number === null || item.number === 1)) return 'list'
  }
  return line.includes('|') && isDelimiterRow(lines[at + 1] ?? '') ? 'table' : 'paragraph'
}

/** The line below the head of a table. */
function isDelimiterRow(line: string): boolean {
  if (!line.includes('|') || !line.includes('-')) return false
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  return inner.split('|').every((cell) => /^:?-+:?$/.test(cell.trim()))
}

function endWhile(lines: readonly string[], begin: number, belongs: (line: string) => boolean): number {
  let end = begin
  while (end < lines.length && belongs(lines[end] ?? '')) end += 1
  return end
}
