// The Markdown blocks that agents write. Raw HTML is shown as text.

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
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

const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/
const heading = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/
const rule = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/
const quote = /^ {0,3}> ?/
const item = /^( {0,3})([-*+]|\d{1,9}[.)])(\s+|$)/
const tableLine = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?\s*)?\|?\s*$/

const mathOpening = /^ {0,3}(\$\$|\\\[)(.*)$/
const mathClosings: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]' }
const footnote = /^\[\^([\w-]{1,40})\]:\s+(.*)$/
const task = /^\[([ xX])\]\s+/

/** Deeper nesting becomes a plain paragraph. */
const deepest = 8

export function parseBlocks(text: string, depth = 0): readonly Block[] {
  return read(text.replaceAll('\r\n', '\n').split('\n'), depth)
}

/**
 * Splits the text into pieces of independent blocks: when a text grows, only the last piece is parsed again. A piece ends at an empty line
 * outside of code, before a line that does not continue a list.
 */
export function splitChunks(text: string): readonly string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const chunks: string[] = []
  let begin = 0
  let mark: string | null = null
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const [, opening] = fence.exec(line) ?? []
    const math: string | null = mark === null ? openedMath(line) : null
    if (mark === null && (opening || math)) mark = opening ?? math
    else if (mark !== null && (mark in mathClosings ? line.includes(mathClosings[mark] ?? '') : closesFence(line, mark))) mark = null
    const next = lines[at + 1]
    if (mark !== null || line.trim() !== '' || next === undefined || !/^\S/.test(next) || item.test(next) || at < begin) continue
    chunks.push(lines.slice(begin, at + 1).join('\n'))
    begin = at + 1
  }
  chunks.push(lines.slice(begin).join('\n'))
  return chunks
}

function read(lines: readonly string[], depth: number): readonly Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  let at = 0
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', text: paragraph.join('\n') })
    paragraph = []
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const next = lines[at + 1] ?? ''
    const open = fence.exec(line)
    const head = heading.exec(line)
    if (open) {
      endParagraph()
      const end = endOfFence(lines, at + 1, open[1] ?? '```')
      blocks.push({ kind: 'code', language: open[2] ?? '', text: lines.slice(at + 1, end).join('\n') })
      at = end + 1
    } else if (mathOpening.test(line)) {
      endParagraph()
      const [math, end] = readMath(lines, at)
      blocks.push(math)
      at = end
    } else if (footnote.test(line) && depth < deepest) {
      endParagraph()
      const [, label = '', first = ''] = footnote.exec(line) ?? []
      const end = endOf(lines, at + 1, (one) => /^ {2,}\S/.test(one))
      blocks.push({ kind: 'footnote', label, blocks: read([first, ...lines.slice(at + 1, end).map((one) => one.trimStart())], depth + 1) })
      at = end
    } else if (head) {
      endParagraph()
      blocks.push({ kind: 'heading', level: head[1]?.length ?? 1, text: head[2] ?? '' })
      at += 1
    } else if (rule.test(line) && paragraph.length === 0) {
      blocks.push({ kind: 'rule' })
      at += 1
    } else if (quote.test(line) && depth < deepest) {
      endParagraph()
      const end = endOf(lines, at, (one) => quote.test(one))
      const inner = lines.slice(at, end).map((one) => one.replace(quote, ''))
      blocks.push({ kind: 'quote', blocks: read(inner, depth + 1) })
      at = end
    } else if (item.test(line) && depth < deepest) {
      endParagraph()
      const [list, end] = readList(lines, at, depth)
      blocks.push(list)
      at = end
    } else if (line.includes('|') && tableLine.test(next) && paragraph.length === 0) {
      const end = endOf(lines, at + 2, (one) => one.includes('|'))
      blocks.push({ kind: 'table', head: cells(line), rows: lines.slice(at + 2, end).map(cells), align: cells(next).map(alignOf) })
      at = end
    } else {
      if (line.trim() === '') endParagraph()
      else paragraph.push(line.trim())
      at += 1
    }
  }
  endParagraph()
  return blocks
}

function readList(lines: readonly string[], begin: number, depth: number): [Block, number] {
  const first = item.exec(lines[begin] ?? '')
  const ordered = /\d/.test(first?.[2] ?? '')
  const items: ListItem[] = []
  let at = begin
  while (at < lines.length) {
    const match = item.exec(lines[at] ?? '')
    if (!match || /\d/.test(match[2] ?? '') !== ordered) break
    const indent = match[0].length
    const own = [(lines[at] ?? '').slice(indent)]
    at += 1
    while (at < lines.length) {
      const line = lines[at] ?? ''
      const isBlank = line.trim() === ''
      if (isBlank && !/^ {2,}\S/.test(lines[at + 1] ?? '')) break
      if (!isBlank && !/^ {2,}/.test(line)) break
      own.push(isBlank ? '' : line.replace(new RegExp(`^ {1,${indent}}`), ''))
      at += 1
    }
    const [, tick] = task.exec(own[0] ?? '') ?? []
    const text = tick === undefined ? own : own.with(0, (own[0] ?? '').replace(task, ''))
    items.push({ ticked: tick === undefined ? null : tick !== ' ', blocks: read(text, depth + 1) })
    if ((lines[at] ?? '').trim() === '' && item.test(lines[at + 1] ?? '')) at += 1
  }
  return [{ kind: 'list', start: ordered ? Number.parseInt(first?.[2] ?? '1', 10) : null, items }, at]
}

/** The mark that opens a formula on this line and does not close it there. */
function openedMath(line: string): string | null {
  const [, mark = '', rest = ''] = mathOpening.exec(line) ?? []
  return mark !== '' && !rest.includes(mathClosings[mark] ?? '') ? mark : null
}

/** Up to its closing mark; one that is still open extends to the end, like a fence. */
function readMath(lines: readonly string[], begin: number): [Block, number] {
  const [, mark = '$$', first = ''] = mathOpening.exec(lines[begin] ?? '') ?? []
  const closing = mathClosings[mark] ?? '$$'
  const own: string[] = []
  for (let at = begin; at < lines.length; at += 1) {
    const line = at === begin ? first : (lines[at] ?? '')
    const place = line.indexOf(closing)
    own.push(place === -1 ? line : line.slice(0, place))
    if (place !== -1) return [{ kind: 'math', text: own.join('\n').trim() }, at + 1]
  }
  return [{ kind: 'math', text: own.join('\n').trim() }, lines.length]
}

function endOf(lines: readonly string[], begin: number, belongs: (line: string) => boolean): number {
  let end = begin
  while (end < lines.length && belongs(lines[end] ?? '')) end += 1
  return end
}

/** A fence that is still open extends to the end: the rest is still streaming. */
function endOfFence(lines: readonly string[], begin: number, mark: string): number {
  return endOf(lines, begin, (line) => !closesFence(line, mark))
}

function closesFence(line: string, mark: string): boolean {
  return line.trim().startsWith(mark) && line.trim().replaceAll(mark[0] ?? '`', '') === ''
}

function alignOf(dashes: string): Align {
  const [left, right] = [dashes.startsWith(':'), dashes.endsWith(':')]
  return left && right ? 'center' : right ? 'right' : left ? 'left' : null
}

function cells(line: string): readonly string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}
