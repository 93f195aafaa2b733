// Markdown by its blocks. What is inside a paragraph is not parsed, except in headings, whose marks are not part of their name.
import type { MarkdownIt, Token } from 'markdown-it'
import { completeBlocks } from './blocks.ts'
import type { Block } from './parsed.ts'
import { plainTextBlocks } from './plain-text.ts'

export interface MarkdownBlocks {
  readonly title: string | null
  readonly blocks: readonly Block[]
}

/** A file with more lines is read as plain text: the parser needs about a kilobyte per line. */
const mostLines = 200_000

export async function markdownBlocks(text: string): Promise<MarkdownBlocks> {
  const { default: Parser } = await import('markdown-it')
  const parser = new Parser({ html: true })
  const front = frontMatterEnd(text)
  const lines = lineStarts(text, front)
  if (lines.length > mostLines) return { title: null, blocks: plainTextBlocks(text) }
  const tokens: Token[] = []
  parser.block.parse(text.slice(front).replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD'), parser, {}, tokens)
  const found = tokens.flatMap((token, index): Block[] => {
    if (token.level > 0 || !token.map || token.nesting < 0) return []
    const range = { from: lines[token.map[0]] ?? text.length, to: lines[token.map[1]] ?? text.length }
    if (token.type === 'heading_open') return [heading(parser, token, tokens[index + 1]?.content ?? '', range)]
    // The second line of a table separates the header from the rows.
    if (token.type === 'table_open') return [{ kind: 'table', ...range, header_to: lines[token.map[0] + 2] ?? range.to }]
    return [{ kind: kinds[token.type] ?? 'paragraph', ...range }]
  })
  const blocks = completeBlocks(text, front > 0 ? [{ kind: 'code', from: 0, to: front }, ...found] : found, 'paragraph').map(withoutBreak)
  const first = blocks.find(({ kind, level }) => kind === 'heading' && level === 1)
  return { title: titleIn(text.slice(0, front)) ?? first?.name ?? null, blocks }

  /** The header of a table without its line break. */
  function withoutBreak(block: Block): Block {
    if (block.header_to === undefined) return block
    const end = text.slice(block.from, block.header_to).trimEnd().length
    return { ...block, header_to: Math.min(block.to, block.from + end) }
  }
}

const kinds: Readonly<Record<string, Block['kind']>> = {
  bullet_list_open: 'list',
  ordered_list_open: 'list',
  fence: 'code',
  code_block: 'code',
}

const longestName = 300

function heading(parser: MarkdownIt, { tag }: Token, content: string, range: { from: number; to: number }): Block {
  const parts = parser.parseInline(content.slice(0, longestName), {})[0]?.children ?? []
  const name = parts
    .map(({ type, content: part }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : type === 'html_inline' ? '' : part))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return { kind: 'heading', ...range, level: Number(tag.slice(1)), name }
}

/** YAML between lines of three hyphens, or TOML between lines of three plus signs, at the very beginning. */
function frontMatterEnd(text: string): number {
  const fence = /^(---|\+\+\+)[^\S\n]*\n/.exec(text.slice(0, 200))?.[1]
  if (!fence) return 0
  const end = /^(?:---|\.\.\.|\+\+\+)[^\S\n]*$/gm
  end.lastIndex = fence.length + 1
  const match = end.exec(text.slice(0, longestFrontMatter))
  return match ? match.index + match[0].length : 0
}

const longestFrontMatter = 64 * 1024

function titleIn(front: string): string | null {
  const written = /^title\s*[:=]\s*(.+)$/m.exec(front)?.[1]?.trim() ?? ''
  const title = written.replace(/^(["'])(.*)\1$/, '$2').slice(0, longestName)
  return title === '' ? null : title
}

/** Where each line begins, as the parser counts them, and the end. */
function lineStarts(text: string, from: number): readonly number[] {
  const starts = [from]
  const breaks = /\r\n?|\n/g
  breaks.lastIndex = from
  for (let match = breaks.exec(text); match; match = breaks.exec(text)) starts.push(breaks.lastIndex)
  starts.push(text.length)
  return starts
}
