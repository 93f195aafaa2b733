// The Markdown blocks that agents write. Raw HTML is shown as text.
import { type Extent, extentAt, fence, footnote, heading, quote } from './extent.ts'
import { indentOf, withoutIndent } from './indent.ts'
import { closesFence, type ItemRange, itemOf } from './list-extent.ts'
import { mathText } from './math-extent.ts'
import { isBlank, type Source, sourceOf } from './source.ts'

export type Block =
  /** `rank`: its level in the outline of the page, see `outlined`. */
  | { readonly kind: 'heading'; readonly level: number; readonly rank?: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | null; readonly items: readonly ListItem[] }
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly rows: readonly (readonly string[])[]
      readonly align: readonly Align[]
    }
  | { readonly kind: 'math'; readonly text: string }
  | { readonly kind: 'footnote'; readonly label: string; readonly blocks: readonly Block[] }
  | { readonly kind: 'rule' }

export interface ListItem {
  /** Whether it is ticked; null if it is no task. */
  readonly ticked: boolean | null
  readonly blocks: readonly Block[]
}

export type Align = 'left' | 'center' | 'right' | null

const task = /^\[([ xX])\]\s+/

/** `isComplete`: whether the text is not streaming in. */
export function parseBlocks(text: string, isComplete = true): readonly Block[] {
  return read(sourceOf(linesOf(text), 0, isComplete))
}

/**
 * Splits the text into pieces of independent blocks: when a text grows, only the last piece is parsed again. A piece ends at the empty lines
 * below a block. All pieces except the last are complete.
 */
export function splitChunks(text: string, isComplete = true): readonly string[] {
  return chunksOf(linesOf(text), isComplete)
}

/**
 * The same of a text that is streaming in. `before`: its pieces when it was shorter. The last of them grows, and its first line may turn out to
 * continue the one before it, as `2` does when it becomes `2.`: the others are not read again.
 */
export function splitGrowing(text: string, before: readonly string[]): readonly string[] {
  const whole = withNewlines(text)
  const kept = before.slice(0, -2)
  const beginning = kept.map((chunk) => `${chunk}\n`).join('')
  if (!whole.startsWith(beginning)) return splitChunks(text, false)
  return [...kept, ...chunksOf(whole.slice(beginning.length).split('\n'), false)]
}

function chunksOf(lines: readonly string[], isComplete: boolean): readonly string[] {
  const source = sourceOf(lines, 0, isComplete)
  const chunks: string[] = []
  let [begin, at] = [0, 0]
  while (at < lines.length) {
    if (!isBlank(lines[at])) {
      at = extentAt(source, at).end
      continue
    }
    while (at < lines.length && isBlank(lines[at])) at += 1
    if (at === lines.length) break
    chunks.push(lines.slice(begin, at).join('\n'))
    begin = at
  }
  return [...chunks, lines.slice(begin).join('\n')]
}

function linesOf(text: string): readonly string[] {
  return withNewlines(text).split('\n')
}

function withNewlines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function read(source: Source): readonly Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < source.lines.length) {
    if (isBlank(source.lines[at])) {
      at += 1
      continue
    }
    const extent = extentAt(source, at)
    blocks.push(blockOf(source, at, extent))
    at = extent.end
  }
  return blocks
}

function blockOf(source: Source, at: number, { kind, end, items }: Extent): Block {
  const lines = source.lines.slice(at, end)
  const [first = '', ...others] = lines
  const inside = (own: readonly string[]) => read(sourceOf(own, source.depth + 1, source.isComplete || end < source.lines.length))
  switch (kind) {
    case 'code':
      return code(lines)
    case 'math':
      return { kind, text: mathText(lines) }
    case 'footnote': {
      const [, label = '', text = ''] = footnote.exec(first) ?? []
      return { kind, label, blocks: inside([text, ...others.map((line) => line.trimStart())]) }
    }
    case 'heading': {
      const [, marks = '#', text = ''] = heading.exec(first) ?? []
      const title = text.trim().replace(/(?:^|\s)#+$/, '')
      return { kind, level: marks.length, text: title.trim() }
    }
    case 'underlined':
      return { kind: 'heading', level: lines.at(-1)?.trim().startsWith('=') ? 1 : 2, text: joined(lines.slice(0, -1)) }
    case 'rule':
      return { kind }
    case 'quote':
      return { kind, blocks: inside(lines.map((line) => line.replace(quote, ''))) }
    case 'list':
      return { kind, start: itemOf(first)?.number ?? null, items: items.map((item) => listItem(source, item, inside)) }
    case 'table':
      return { kind, head: cells(first), align: cells(others[0] ?? '').map(alignOf), rows: others.slice(1).map(cells) }
    case 'paragraph':
      return { kind, text: joined(lines) }
  }
}

function code(lines: readonly string[]): Block {
  const [first = '', ...others] = lines
  const [, mark = '```', language = ''] = fence.exec(first) ?? []
  const isClosed = closesFence(others.at(-1) ?? '', mark)
  const own = isClosed ? others.slice(0, -1) : others
  return { kind: 'code', language, text: own.map((line) => withoutIndent(line, indentOf(first))).join('\n') }
}

function listItem(
  { lines }: Source,
  { begin, end, marker, width }: ItemRange,
  read: (lines: readonly string[]) => readonly Block[],
): ListItem {
  const first = (lines[begin] ?? '').slice(marker.length)
  const others = lines.slice(begin + 1, end).map((line) => withoutIndent(line, width))
  const [whole, tick = null] = task.exec(first) ?? ['']
  return { ticked: tick === null ? null : tick !== ' ', blocks: read([first.slice(whole.length), ...others]) }
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join('\n')
}

function alignOf(dashes: string): Align {
  const [left, right] = [dashes.startsWith(':'), dashes.endsWith(':')]
  return left && right ? 'center' : right ? 'right' : left ? 'left' : null
}

function cells(line: string): readonly string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}
