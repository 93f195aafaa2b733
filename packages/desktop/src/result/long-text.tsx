// Text of any length in its own box; very long text is rendered only on request.
import { useState } from 'react'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

const mostAtFirst = 8_000

export function LongText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false)
  const shown = whole ? text : text.slice(0, mostAtFirst)
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <pre dir="ltr" tabIndex={0} className="output-box">
        {visibleText(shown)}
      </pre>
      {shown.length < text.length && (
        <button type="button" onClick={() => setWhole(true)} className="mt-1 text-cloud text-sm underline underline-offset-4">
          {words.result.showAll} ({words.result.bytes(text.length)})
        </button>
      )}
    </div>
  )
}
