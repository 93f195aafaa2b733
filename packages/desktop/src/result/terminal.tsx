import type { CommandResult } from '@tandem/contract/tool/output'
import { useMemo } from 'react'
import { Badge } from '../part/badge.tsx'
import { words } from '../strings/window.ts'
import { type Colour, parseAnsi } from '../text/ansi.ts'
import { visibleText } from '../text/visible.ts'

export function Terminal(result: CommandResult) {
  const { output, output_end, bytes, file, file_bytes, truncated, exit_code, signal, timed_out, duration_ms, violations, executor } = result
  const blocked = violations.filter((violation) => violation.blocked)
  return (
    <div className="space-y-2">
      {output === '' ? <p className="text-faint">{words.result.noOutput}</p> : <TerminalOutput text={output} />}
      {truncated && <p className="text-faint text-sm">{visibleText(words.result.middle(bytes, file_bytes, file))}</p>}
      {truncated && output_end !== '' && <TerminalOutput text={output_end} />}
      <p className="flex flex-wrap items-center gap-2 text-sm">
        {timed_out && <Badge tone="warn">{words.result.timedOut}</Badge>}
        {exit_code !== null && <Badge tone={exit_code === 0 ? 'good' : 'bad'}>{words.result.exit(exit_code)}</Badge>}
        {exit_code === null && signal !== null && <Badge tone="bad">{words.result.signal(visibleText(signal))}</Badge>}
        <span className="text-faint">{words.result.seconds(duration_ms)}</span>
        {executor && (
          <Badge tone={executor.sandbox === 'os' ? 'plain' : 'warn'}>
            {visibleText(words.result.ranOn(executor.name, executor.sandbox))}
          </Badge>
        )}
      </p>
      {executor && executor.fetched_files.length > 0 && (
        <p className="break-words text-faint text-sm">{visibleText(words.result.fetched(executor.fetched_files))}</p>
      )}
      {executor && executor.missing_files.length > 0 && (
        <p className="break-words text-sm text-warn">{visibleText(words.result.notFetched(executor.missing_files))}</p>
      )}
      {blocked.map(({ attempted, resource }) => (
        <p key={attempted + resource} className="text-sm text-warn">
          {visibleText(words.result.blocked(attempted, resource))}
        </p>
      ))}
    </div>
  )
}

const mostShown = 40_000

export function TerminalOutput({ text }: { text: string }) {
  const inks = useMemo(() => parseAnsi(text.slice(-mostShown)), [text])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <pre dir="ltr" tabIndex={0} className="output-box">
      {inks.map(({ text: piece, colour, bold }, index) =>
        colour === null && !bold ? (
          piece
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces keep their order.
          <span key={index} className={`${colour ? tones[colour] : ''} ${bold ? 'font-semibold' : ''}`}>
            {piece}
          </span>
        ),
      )}
    </pre>
  )
}

const tones: Record<Colour, string> = {
  black: 'text-faint',
  red: 'text-bad',
  green: 'text-good',
  yellow: 'text-warn',
  blue: 'text-cloud',
  magenta: 'text-desktop',
  cyan: 'text-cloud',
  white: '',
}
