import { memo, type ReactNode, use } from 'react'
import { followLink } from '../address.ts'
import { knowledgeWords } from '../strings/knowledge.ts'
import { visibleText } from '../text/visible.ts'
import { type Block, parseBlocks, splitChunks } from './block.ts'
import { type Citations, CitationsContext } from './citations.ts'
import { CodeBlock } from './code-block.tsx'
import { parseSpans, type Span } from './span.ts'

/** When a text grows, only its last piece is parsed and rendered again. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div dir="auto" className="prose">
      {splitChunks(visibleText(text)).map((chunk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text keep their order.
        <Chunk key={index} text={chunk} />
      ))}
    </div>
  )
})

const Chunk = memo(function Chunk({ text }: { text: string }) {
  return inner(parseBlocks(text))
})

const BlockView = memo(
  function BlockView({ block }: { block: Block; source: string }) {
    switch (block.kind) {
      case 'heading':
        return (
          <p className={`prose-heading prose-heading-${Math.min(block.level, 4)}`}>
            <Spans text={block.text} />
          </p>
        )
      case 'paragraph':
        return (
          <p>
            <Spans text={block.text} />
          </p>
        )
      case 'code':
        return <CodeBlock language={block.language} text={block.text} />
      case 'quote':
        return <blockquote>{inner(block.blocks)}</blockquote>
      case 'rule':
        return <hr />
      case 'table':
        return <Table head={block.head} rows={block.rows} />
      case 'list':
        return block.start === null ? <ul>{items(block.items)}</ul> : <ol start={block.start}>{items(block.items)}</ol>
    }
  },
  (before, after) => before.source === after.source,
)

function inner(blocks: readonly Block[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: blocks of one text keep their order.
  return blocks.map((block, index) => <BlockView key={index} block={block} source={JSON.stringify(block)} />)
}

function items(all: readonly (readonly Block[])[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: items of one list keep their order.
  return all.map((blocks, index) => <li key={index}>{inner(blocks)}</li>)
}

function Table({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: content that scrolls horizontally must be reachable by keyboard.
    <div className="prose-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells keep their order.
              <th key={index}>
                <Spans text={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their order.
            <tr key={line}>
              {head.map((_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells keep their order.
                <td key={index}>
                  <Spans text={row[index] ?? ''} />
                </td>
              ))}
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
    case 'citation':
      return (
        <a key={index} href={citations.addressOf(span.text)} onClick={followLink} title={knowledgeWords.openPassage}>
          <bdi>{span.text}</bdi>
        </a>
      )
  }
}
