import type { KnowledgePassage } from '@tandem/contract/knowledge'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { knowledgeWords } from '../strings/knowledge.ts'
import { visibleText } from '../text/visible.ts'
import { passageLines } from './passage-lines.ts'

/** The passage with the text around it, highlighted and scrolled into view. */
export function PassageText({ passage }: { passage: KnowledgePassage }) {
  const box = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => passageLines(passage), [passage])
  const mark = (number: number | null) => (number !== null && number === passage.cited_line ? '' : undefined)
  const first = lines.findIndex(({ inside }) => inside !== 'none')
  const { passage_id, from_line, cited_line } = passage
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per passage and place of it.
  useLayoutEffect(() => {
    const line =
      box.current?.querySelector<HTMLElement>('[data-cited]') ??
      box.current?.querySelector<HTMLElement>('[data-inside=whole], [data-inside=part]')
    if (!box.current || !line) return
    box.current.scrollTop = line.offsetTop - box.current.clientHeight / 4
    line.scrollIntoView({ block: 'nearest' })
  }, [passage_id, from_line, first, cited_line])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section ref={box} tabIndex={0} aria-label={knowledgeWords.passageText} className="passage">
      {lines.map(({ number, inside, pieces }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text keep their order.
        <div key={index} data-inside={inside} data-cited={mark(number)} className="passage-line">
          {number !== null && <span className="passage-number">{number}</span>}
          <span dir="auto" className="min-w-0 whitespace-pre-wrap break-words">
            {pieces.map(({ text, isMarked }, at) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one line keep their order.
              isMarked ? <mark key={at}>{visibleText(text)}</mark> : visibleText(text),
            )}
          </span>
        </div>
      ))}
    </section>
  )
}
