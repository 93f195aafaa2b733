// The removed and added lines of one file. Characters that hide or reverse text are shown as code points, a CR at a line end as a symbol.
import type { RestoreDiff } from '@tandem/contract/checkpoint'
import { useState } from 'react'
import { recoveryWords } from '../../strings/recovery.ts'
import { words } from '../../strings/window.ts'
import { visibleText } from '../../text/visible.ts'

const mostAtFirst = 200

export function DiffLines({ diff, label }: { diff: RestoreDiff; label: string }) {
  const [most, setMost] = useState(mostAtFirst)
  if (diff.kind === 'none') return <p className="text-faint text-sm">{recoveryWords.noDiff[diff.why]}</p>
  const lines = diff.hunks.split('\n')
  return (
    <div>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-md border border-line bg-surface py-1"
      >
        <pre dir="ltr" className="min-w-max text-[13px] leading-5">
          {lines.slice(0, most).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their order.
            <span key={index} className={`block px-3 ${toneOf(line)}`}>
              {shown(line)}
            </span>
          ))}
        </pre>
      </section>
      {lines.length > most && (
        <button type="button" onClick={() => setMost(lines.length)} className="mt-1 text-cloud text-sm underline underline-offset-4">
          {words.result.showAll}
        </button>
      )}
      {diff.truncated && <p className="mt-1 text-faint text-sm">{recoveryWords.cut}</p>}
    </div>
  )
}

function shown(line: string): string {
  return visibleText(line).replace(/\r$/, '␍') || ' '
}

function toneOf(line: string): string {
  if (line.startsWith('+')) return 'bg-good-soft text-good'
  if (line.startsWith('-')) return 'bg-bad-soft text-bad'
  return line.startsWith('@@') ? 'text-cloud' : 'text-soft'
}
