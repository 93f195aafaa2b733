import { useEffect, useRef, useState } from 'react'
import { systemClock } from '../connection/clock.ts'
import { CopyButton } from '../part/copy-button.tsx'
import type { HighlightPiece } from './highlight-pieces.ts'
import { openHighlighter } from './highlighter.ts'

/** Code that is still growing is highlighted when it pauses. */
const pause_ms = 120

const highlighter = openHighlighter(
  () => new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' }),
  systemClock.after,
)

export function CodeBlock({ language, text }: { language: string; text: string }) {
  const pieces = usePieces(language.toLowerCase(), text)
  return (
    <figure className="code-block group/code">
      <figcaption className="flex items-center justify-between">
        <span>{language}</span>
        <CopyButton text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <pre tabIndex={0} dir="ltr">
        <code>{pieces === null ? text : pieces.map(drawPiece)}</code>
      </pre>
    </figure>
  )
}

function drawPiece({ text, tint }: HighlightPiece, index: number) {
  return tint === null ? (
    text
  ) : (
    <span key={index} data-tint={tint}>
      {text}
    </span>
  )
}

/** Highlighting does not change the size of the text, so the layout does not shift. */
function usePieces(language: string, text: string): readonly HighlightPiece[] | null {
  const [, setCount] = useState(0)
  const before = useRef<{ readonly text: string; readonly pieces: readonly HighlightPiece[] } | null>(null)
  const known = highlighter.cached(language, text)
  useEffect(() => {
    if (known !== undefined) return
    let gone = false
    const cancel = systemClock.after(pause_ms, () => {
      void highlighter.highlight(language, text).then(() => gone || setCount((count) => count + 1))
    })
    return () => {
      gone = true
      cancel()
    }
  }, [language, text, known])
  if (known) before.current = { text, pieces: known }
  if (known !== undefined) return known
  const coloured = before.current
  if (!coloured || !text.startsWith(coloured.text)) return null
  return [...coloured.pieces, { text: text.slice(coloured.text.length), tint: null }]
}
