// Which lines belong to a list, and to each of its items.
import { indentOf, widthOf } from './indent.ts'
import { isBlank } from './source.ts'

export interface ItemRange {
  readonly begin: number
  readonly end: number
  /** The characters before its text on its first line, and their width: as many columns are removed from its other lines. */
  readonly marker: string
  readonly width: number
}

export interface ItemMark {
  readonly marker: string
  readonly indent: number
  /** Null if its list has bullets. */
  readonly number: number | null
}

const item = /^[ \t]*([-*+]|\d{1,9}[.)])(\s+|$)/
export const rule = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/

/** At any indentation: code is never marked by its indentation here. */
export function itemOf(line: string): ItemMark | null {
  const match = item.exec(line)
  if (!match || rule.test(line)) return null
  const number = Number.parseInt(match[1] ?? '', 10)
  return { marker: match[0], indent: indentOf(line), number: Number.isNaN(number) ? null : number }
}

/** Where the list that begins at this line ends. `isText`: whether a line would continue a paragraph. */
export function listExtent(
  lines: readonly string[],
  begin: number,
  isText: (at: number) => boolean,
): { readonly end: number; readonly items: readonly ItemRange[] } {
  const isOrdered = itemOf(lines[begin] ?? '')?.number !== null
  const items: ItemRange[] = []
  let [at, end] = [begin, begin]
  while (at < lines.length) {
    const mark = itemOf(lines[at] ?? '')
    if (!mark || (mark.number !== null) !== isOrdered) break
    end = endOfItem(lines, at, mark.indent + 2, isText)
    items.push({ begin: at, end, marker: mark.marker, width: widthOf(mark.marker) })
    at = afterBlanks(lines, end)
  }
  return { end, items }
}

function endOfItem(lines: readonly string[], begin: number, indent: number, isText: (at: number) => boolean): number {
  let fence = fenceAfter(null, lines[begin] ?? '')
  let at = begin + 1
  while (at < lines.length) {
    const next = afterBlanks(lines, at)
    const line = lines[next] ?? ''
    if (next < lines.length && indentOf(line) >= indent) {
      fence = fenceAfter(fence, line)
      at = next + 1
    } else if (next === at && fence === null && !itemOf(line) && isText(at) && isPlain(lines[at - 1] ?? '')) at += 1
    else break
  }
  return at
}

/** A line without indentation continues the paragraph above it, but nothing else of an item. */
function isPlain(line: string): boolean {
  const text = withoutMarkers(line)
  return text !== '' && !/^(?:`{3}|~{3}|#{1,6}\s|>|\$\$|\\\[)|\||(?:\$\$|\\\])$/.test(text) && !rule.test(text)
}

/** The mark of the code that is open after this line. */
function fenceAfter(open: string | null, line: string): string | null {
  const text = withoutMarkers(line)
  const [, mark = null] = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(text) ?? []
  return open === null ? mark : closesFence(text, open) ? null : open
}

export function closesFence(line: string, mark: string): boolean {
  return line.trim().startsWith(mark) && line.trim().replaceAll(mark[0] ?? '`', '') === ''
}

function withoutMarkers(line: string): string {
  return line.replace(/^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])(?:\s+|$))*/, '').trim()
}

function afterBlanks(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && isBlank(lines[at])) at += 1
  return at
}
