// A diagram, drawn when it is complete and near the visible part of the page. Its source stays one click away, and is shown if it cannot
// be drawn.
import { use, useEffect, useRef, useState } from 'react'
import { CopyButton } from '../part/copy-button.tsx'
import { readingWords } from '../strings/reading.ts'
import { CodeBlock } from './code-block.tsx'
import { ComingContext } from './coming.ts'
import type { DrawnDiagram } from './diagram-renderer.ts'
import { useDarkness } from './use-darkness.ts'

const { diagram: told } = readingWords
const drawn = new Map<string, DrawnDiagram>()
/** Drawings are kept, so that scrolling back does not draw again. */
const mostKept = 40

export function Diagram({ text }: { text: string }) {
  const isComing = use(ComingContext)
  const theme = useDarkness() ? 'dark' : 'light'
  const [isSource, setSource] = useState(false)
  const [, setCount] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const key = `${theme} ${text}`
  const result = drawn.get(key)
  const isWaiting = !isComing && result === undefined
  useEffect(() => {
    const place = box.current
    if (!isWaiting || !place) return
    let isGone = false
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        void drawOnce(key, text, theme).then(() => isGone || setCount((count) => count + 1))
      },
      { rootMargin: '300px' },
    )
    observer.observe(place)
    return () => {
      isGone = true
      observer.disconnect()
    }
  }, [isWaiting, key, text, theme])
  if (!result?.ok || isSource) {
    return (
      <div ref={box}>
        {result && !result.ok && <p className="mb-1 text-faint text-sm">{told.failed(firstLine(result.reason))}</p>}
        <CodeBlock language="mermaid" text={text} />
        {result?.ok && (
          <button type="button" className="code-fold" onClick={() => setSource(false)}>
            {told.show}
          </button>
        )}
      </div>
    )
  }
  const { url, width, height, title } = result.image
  return (
    <figure className="code-block diagram">
      <figcaption className="flex items-center justify-between">
        <button type="button" className="diagram-source" onClick={() => setSource(true)}>
          {told.source}
        </button>
        <CopyButton text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <div className="diagram-view" tabIndex={0}>
        <img src={url} alt={told.alt(kindOf(text), title)} width={Math.ceil(width)} height={Math.ceil(height)} />
      </div>
    </figure>
  )
}

async function drawOnce(key: string, text: string, theme: 'light' | 'dark'): Promise<void> {
  if (drawn.has(key)) return
  const { drawDiagram, diagramLimits } = await import('./diagram-renderer.ts')
  const { characters, lines } = diagramLimits
  const isLarge = text.length > characters || text.split('\n').length > lines
  const result: DrawnDiagram = isLarge ? { ok: false, reason: told.large(characters, lines) } : await drawDiagram(text, theme)
  const oldest = drawn.keys().next().value
  if (drawn.size >= mostKept && oldest !== undefined) drawn.delete(oldest)
  drawn.set(key, result)
}

/** Its first word, such as `flowchart`. */
function kindOf(text: string): string {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/%%.*/g, '')
  return /[A-Za-z][\w-]*/.exec(body)?.[0] ?? ''
}

function firstLine(reason: string): string {
  return reason.split('\n', 1)[0]?.slice(0, 300) ?? ''
}
