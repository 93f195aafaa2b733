import { createElement, memo, type ReactNode, use, useRef } from 'react'
import { followLink } from '../address.ts'
import { knowledgeWords } from '../strings/knowledge.ts'
import { readingWords } from '../strings/reading.ts'
import { visibleText } from '../text/visible.ts'
import { type Align, type Block, type ListItem, parseBlocks, splitChunks, splitGrowing } from './block.ts'
import { type Citations, CitationsContext } from './citations.ts'
import { CodeBlock } from './code-block.tsx'
import { ComingContext } from './coming.ts'
import { Diagram } from './diagram.tsx'
import { Formula } from './formula.tsx'
import { MarkdownImage } from './image.tsx'
import { type Outlined, outlined } from './outline.ts'
import { parseSpans, type Span } from './span.ts'

/** When a text grows, only its last piece is parsed and rendered again. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const isComplete = !use(ComingContext)
  const before = useRef<ReadonlyMap<string, Outlined>>(new Map())
  const split = useRef<readonly string[]>([])
  const now = new Map<string, Outlined>()
  const shown = visibleText(text)
  const chunks = isComplete ? splitChunks(shown) : splitGrowing(shown, split.current)
  split.current = chunks
  let open: readonly number[] = []
  const pieces = chunks.map((chunk, index) => {
    const isWhole = isComplete || index < chunks.length - 1
    const key = `${open.join('')} ${isWhole} ${chunk}`
    const piece = before.current.get(key) ?? outlined(parseBlocks(chunk, isWhole), open)
    now.set(key, piece)
    open = piece.open
    return piece
  })
  before.current = now
  return (
    <div className="prose">
      {pieces.map(({ blocks }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text keep their order.
        <Chunk key={index} blocks={blocks} />
      ))}
    </div>
  )
})

const Chunk = memo(function Chunk({ blocks }: { blocks: readonly Block[] }) {
  return inner(blocks)
})

const BlockView = memo(
  function BlockView({ block }: { block: Block; source: string }) {
    switch (block.kind) {
      case 'heading':
        return createElement(
          `h${block.rank ?? block.level}`,
          { dir: 'auto', className: `prose-heading prose-heading-${Math.min(block.level, 4)}` },
          <Spans text={block.text} />,
        )
      case 'paragraph':
        return (
          <p dir="auto">
            <Spans text={block.text} />
          </p>
        )
      case 'code':
        return block.language.toLowerCase() === 'mermaid' ? (
          <Diagram text={block.text} />
        ) : (
          <CodeBlock language={block.language} text={block.text} />
        )
      case 'quote':
        return <blockquote dir="auto">{inner(block.blocks)}</blockquote>
      case 'rule':
        return <hr />
      case 'table':
        return <Table head={block.head} rows={block.rows} align={block.align} />
      case 'math':
        return <Formula text={block.text} isBlock />
      case 'footnote':
        return (
          <div dir="auto" className="prose-footnote" data-footnote={block.label} tabIndex={-1}>
            <sup>{block.label}</sup>
            <div>{inner(block.blocks)}</div>
          </div>
        )
      case 'list':
        return block.start === null ? (
          <ul dir="auto">{items(block.items)}</ul>
        ) : (
          <ol dir="auto" start={block.start}>
            {items(block.items)}
          </ol>
        )
    }
  },
  (before, after) => before.source === after.source,
)

function inner(blocks: readonly Block[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: blocks of one text keep their order.
  return blocks.map((block, index) => <BlockView key={index} block={block} source={JSON.stringify(block)} />)
}

function items(all: readonly ListItem[]): ReactNode {
  return all.map(({ ticked, blocks }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items of one list keep their order.
    <li key={index} className={ticked === null ? undefined : 'prose-task'}>
      {ticked !== null && (
        <input type="checkbox" checked={ticked} disabled readOnly aria-label={ticked ? readingWords.done : readingWords.open} />
      )}
      {inner(blocks)}
    </li>
  ))
}

const sides = { left: 'text-left', center: 'text-center', right: 'text-right', none: undefined } as const

interface TableProps {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly align: readonly Align[]
}

function Table({ head, rows, align }: TableProps) {
  const side = (index: number) => sides[align[index] ?? 'none']
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: content that scrolls horizontally must be reachable by keyboard.
    <div className="prose-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells keep their order.
              <th key={index} dir="auto" className={side(index)}>
                <Spans text={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their order.
            <tr key={line}>
              {row.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells keep their order.
                <td key={index} dir="auto" className={side(index)}>
                  <Spans text={cell} />
                </td>
              ))}
              {row.length < head.length && <td colSpan={head.length - row.length} />}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Spans({ text }: { text: string }) {
  const citations = use(CitationsContext)
  return parseSpans(text, citations.texts).map((span, index) => draw(span, index, citations))
}

function draw(span: Span, index: number, citations: Citations): ReactNode {
  const inside = (spans: readonly Span[]) => spans.map((one, at) => draw(one, at, citations))
  switch (span.kind) {
    case 'text':
      return span.text
    case 'code':
      return <code key={index}>{span.text}</code>
    case 'strong':
      return <strong key={index}>{inside(span.spans)}</strong>
    case 'emphasis':
      return <em key={index}>{inside(span.spans)}</em>
    case 'deleted':
      return <del key={index}>{inside(span.spans)}</del>
    case 'link':
      return span.address === null ? (
        <span key={index} className="text-soft">
          {span.text}
        </span>
      ) : (
        <a key={index} href={span.address} target="_blank" rel="noreferrer noopener" title={span.address}>
          {span.text === span.address ? span.address : `${span.text} (${span.address})`}
        </a>
      )
    case 'image':
      return <MarkdownImage key={index} text={span.text} target={span.target} />
    case 'math':
      return <Formula key={index} text={span.text} />
    case 'footnote':
      return <FootnoteMark key={index} label={span.label} />
    case 'citation':
      return (
        <a key={index} href={citations.addressOf(span.text)} onClick={followLink} title={knowledgeWords.openPassage}>
          <bdi>{span.text}</bdi>
        </a>
      )
  }
}

/** Its text is in the same message, mostly at the end. */
function FootnoteMark({ label }: { label: string }) {
  return (
    <sup>
      <button
        type="button"
        aria-label={readingWords.footnote(label)}
        className="prose-footnote-mark"
        onClick={({ currentTarget }) => {
          const notes = currentTarget.closest('.prose')?.querySelectorAll<HTMLElement>('[data-footnote]') ?? []
          const note = [...notes].find((one) => one.dataset.footnote === label)
          note?.scrollIntoView({ block: 'nearest' })
          note?.focus()
        }}
      >
        {label}
      </button>
    </sup>
  )
}
