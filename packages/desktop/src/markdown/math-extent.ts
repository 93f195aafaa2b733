// Formulas with lines of their own, between `$$` and `$$` or `\[` and `\]`.
import type { Source } from './source.ts'

const opening = /^ {0,3}(\$\$|\\\[)(.*)$/
const closings: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]' }

export interface MathExtent {
  readonly end: number
  /** False if text follows the closing mark: then the lines are a paragraph with a formula in it. */
  readonly isDisplay: boolean
}

/** The formula that begins at this line; null if its marks are text. */
export function mathAt({ lines, isComplete, nextBlank, nextWith }: Source, at: number): MathExtent | null {
  const [, mark = '', first = ''] = opening.exec(lines[at] ?? '') ?? []
  if (mark === '') return null
  const closing = closings[mark] ?? mark
  const place = first.indexOf(closing)
  if (place !== -1) return first.slice(0, place).trim() !== '' && endsWith(first, closing) ? { end: at + 1, isDisplay: true } : null
  const isAlone = first.trim() === ''
  const [blank, close] = [nextBlank(at + 1), nextWith(closing, at + 1)]
  const isClosed = close < lines.length && endsWith(lines[close] ?? '', closing)
  if (isClosed && (isAlone || close < blank)) return { end: close + 1, isDisplay: true }
  if (close < blank) return isAlone ? { end: close + 1, isDisplay: false } : null
  // Its end may still arrive.
  if (!isComplete && close === lines.length && (isAlone || blank === lines.length)) return { end: lines.length, isDisplay: true }
  return isAlone ? { end: blank, isDisplay: true } : null
}

/** Without its marks. */
export function mathText(lines: readonly string[]): string {
  const [, mark = '$$', first = ''] = opening.exec(lines[0] ?? '') ?? []
  const text = [first, ...lines.slice(1)].join('\n')
  const place = text.indexOf(closings[mark] ?? mark)
  return (place === -1 ? text : text.slice(0, place)).trim()
}

/** Whether nothing follows the first of these marks. */
function endsWith(line: string, mark: string): boolean {
  return line.slice(line.indexOf(mark) + mark.length).trim() === ''
}
