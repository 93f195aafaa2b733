import type { FsWriteOutput } from '@tandem/contract/tool/output'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

const mostLines = 400

type Change = Pick<FsWriteOutput, 'path' | 'diff' | 'diff_truncated' | 'lines_added' | 'lines_removed'>

export function Diff({ path, diff, diff_truncated: cut, lines_added, lines_removed }: Change) {
  const lines = diff
    .trimEnd()
    .split('\n')
    .filter((line) => !/^(?:---|\+\+\+|===|Index:|diff )/.test(line))
  const shown = lines.slice(0, mostLines)
  return (
    <div className="overflow-hidden rounded-md border border-line">
      <p className="flex flex-wrap items-baseline gap-x-3 border-line border-b bg-sunken px-3 py-1.5 font-mono text-[13px]">
        <bdi className="min-w-0 break-all">{visibleText(path)}</bdi>
        {lines_added !== null && <span className="text-good">{words.result.added(lines_added)}</span>}
        {lines_removed !== null && <span className="text-bad">{words.result.removed(lines_removed)}</span>}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <pre dir="ltr" tabIndex={0} className="wrap-anywhere max-h-96 overflow-auto whitespace-pre-wrap py-1 text-[13px] leading-5">
        {diff === '' && !cut && <span className="px-3 text-faint">{words.result.noChange}</span>}
        {shown.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their order.
          <span key={index} className={`block px-3 ${toneOf(line)}`}>
            {visibleText(line) || ' '}
          </span>
        ))}
      </pre>
      {(cut || lines.length > mostLines) && <p className="px-3 py-1 text-faint text-sm">{words.result.cutDiff}</p>}
    </div>
  )
}

function toneOf(line: string): string {
  if (line.startsWith('+')) return 'bg-good-soft text-good'
  if (line.startsWith('-')) return 'bg-bad-soft text-bad'
  return line.startsWith('@@') ? 'text-cloud' : 'text-soft'
}
