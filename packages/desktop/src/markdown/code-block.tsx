import { use, useEffect, useRef, useState } from 'react'
import { systemClock } from '../connection/clock.ts'
import { CopyButton } from '../part/copy-button.tsx'
import { Icon } from '../part/icon.tsx'
import { readingWords } from '../strings/reading.ts'
import { ComingContext } from './coming.ts'
import type { HighlightPiece } from './highlight-pieces.ts'
import { openHighlighter } from './highlighter.ts'

/** Code that is still growing is highlighted when it pauses. */
const pause_ms = 120

const highlighter = openHighlighter(
  () => new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' }),
  systemClock.after,
)

/** Longer code is folded when it is complete. */
const foldedLines = 30

export function CodeBlock({ language, text }: { language: string; text: string }) {
  const pieces = usePieces(language.toLowerCase(), text)
  const [wraps, setWraps] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const isComing = use(ComingContext)
  const lines = text.split('\n').length
  const isLong = lines > foldedLines && !isComing
  const isFolded = isLong && !isWhole
  return (
    <figure className="code-block group/code" data-folded={isFolded || undefined}>
      <figcaption className="flex items-center justify-between">
        <span>{language}</span>
        <span className="flex items-center">
          <button
            type="button"
            onClick={() => setWraps(!wraps)}
            aria-pressed={wraps}
            aria-label={readingWords.wrap}
            title={readingWords.wrap}
            className="icon-button"
          >
            <Icon name="wrap" size={14} />
          </button>
          <CopyButton text={text} />
        </span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <pre tabIndex={0} dir="ltr" data-wraps={wraps || undefined} data-lines={lines > 1 && !wraps ? numbersTo(lines) : undefined}>
        <code>{pieces === null ? text : pieces.map(drawPiece)}</code>
      </pre>
      {isLong && (
        <button type="button" onClick={() => setWhole(!isWhole)} aria-expanded={isWhole} className="code-fold">
          {isWhole ? readingWords.showLess : readingWords.showAll(lines)}
        </button>
      )}
    </figure>
  )
}

/** One below the other, as the lines are. They are no text of the page, so they are not copied with the code. */
function numbersTo(lines: number): string {
  return Array.from({ length: lines }, (_, index) => index + 1).join('\n')
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
