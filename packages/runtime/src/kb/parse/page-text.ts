// What a page shows, from the events of a parser: its text, block by block.

import { openTable, type PageTable } from './page-table.ts'
import type { Block } from './parsed.ts'
import { openTextBuilder } from './text-builder.ts'

export interface PageText {
  readonly title: string | null
  readonly text: string
  readonly blocks: readonly Block[]
}

export interface PageTextReader {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text(text: string): void
  close(name: string): void
  built(): PageText
}

const leftOut = new Set('script style template noscript svg math canvas iframe object audio video select textarea datalist head'.split(' '))
const navigation = new Set(['nav'])
const flowing = new Set(
  (
    'address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption figure footer form header hr html legend ' +
    'main p section summary'
  ).split(' '),
)
const longestTitle = 300

export function openPageText(withoutNavigation: boolean): PageTextReader {
  const builder = openTextBuilder()
  let line = ''
  let title: string | null = null
  let firstHeading: string | null = null
  /** How many elements are open in a part that is left out; the title is inside one. */
  let skipped = 0
  let isTitle = false
  let level = 0
  let preformatted = 0
  const lists: { readonly isOrdered: boolean; count: number }[] = []
  let items: string[] = []
  let table: PageTable | null = null

  /** Ends what was written so far: a heading, an item, or a paragraph. */
  function flush(): void {
    const written = line
    line = ''
    if (table) {
      table.write(written)
      return
    }
    const text = written.trim()
    if (text === '') return
    if (level > 0) {
      firstHeading ??= text
      builder.add(text, { kind: 'heading', level })
    } else if (lists.length > 0) items.push(`${'  '.repeat(Math.min(lists.length, 20) - 1)}${mark()}${text.replaceAll('\n', ' ')}`)
    else builder.add(text, { kind: 'paragraph' })
  }

  function mark(): string {
    const list = lists.at(-1)
    if (!list?.isOrdered) return '- '
    list.count += 1
    return `${list.count}. `
  }

  function endItems(): void {
    if (items.length > 0) builder.add(items.join('\n'), { kind: 'list' })
    items = []
  }

  function endTable(): void {
    if (!table) return
    const { text, header } = table.built()
    table = null
    builder.add(text, { kind: 'table' }, header)
  }

  /** A table with headings or tables inside lays out a page. Its cells are read as parts of the page. */
  function endLayout(): void {
    flush()
    endTable()
  }

  function open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (skipped > 0 || leftOut.has(name) || (withoutNavigation && navigation.has(name)) || isHidden(attributes)) {
      skipped += 1
      if (name === 'title' && title === null) isTitle = true
      return
    }
    if (name === 'title') {
      skipped = 1
      isTitle = title === null
    } else if (/^h[1-6]$/.test(name)) {
      endLayout()
      endItems()
      level = Number(name.slice(1))
    } else if (name === 'ul' || name === 'ol') {
      flush()
      if (!table) lists.push({ isOrdered: name === 'ol', count: 0 })
    } else if (name === 'table') {
      if (table) endLayout()
      flush()
      endItems()
      if (lists.length === 0 && level === 0) table = openTable()
    } else if (name === 'tr' || name === 'td' || name === 'th') {
      flush()
      if (name === 'tr') table?.row()
      else table?.cell()
    } else if (name === 'pre') {
      flush()
      preformatted += 1
    } else if (name === 'br') line += '\n'
    else if (name === 'li' || flowing.has(name)) flush()
  }

  function close(name: string): void {
    if (skipped > 0) {
      skipped -= 1
      if (name === 'title') isTitle = false
      return
    }
    if (/^h[1-6]$/.test(name)) {
      flush()
      level = 0
    } else if (name === 'ul' || name === 'ol') {
      flush()
      lists.pop()
      if (lists.length === 0) endItems()
    } else if (name === 'table') {
      flush()
      endTable()
    } else if (name === 'pre') {
      preformatted = Math.max(0, preformatted - 1)
      if (lists.length === 0 && !table && level === 0) {
        builder.add(line, { kind: 'code' })
        line = ''
      } else flush()
    } else if (name === 'li' || name === 'td' || name === 'th' || flowing.has(name)) flush()
  }

  return {
    open,
    close,
    text(text) {
      if (isTitle) title = ((title ?? '') + text).slice(0, longestTitle)
      else if (skipped === 0) line += preformatted > 0 ? text : withoutRepeats(line, text)
    },
    built() {
      flush()
      endItems()
      endTable()
      const named = (title ?? firstHeading ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, longestTitle)
      return { title: named === '' ? null : named, ...builder.built() }
    },
  }
}

/** White space is one space, and none after another one. */
function withoutRepeats(line: string, text: string): string {
  const single = text.replaceAll(/[^\S\u00a0]+/g, ' ')
  return single.startsWith(' ') && (line === '' || line.endsWith(' ') || line.endsWith('\n')) ? single.slice(1) : single
}

function isHidden(attributes: Readonly<Record<string, string>>): boolean {
  if (attributes['aria-hidden'] === 'true') return true
  if (attributes.hidden !== undefined && attributes.hidden !== 'until-found') return true
  return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test((attributes.style ?? '').slice(0, 1_000))
}
