import { useMemo } from 'react'
import { Badge } from '../part/badge.tsx'
import { words } from '../strings/window.ts'
import { type Colour, inksOf } from '../text/ansi.ts'
import { visibleText } from '../text/visible.ts'
import type { Shown } from './family.ts'

export function Terminal(shown: Extract<Shown, { as: 'terminal' }>) {
  const { output, end, bytes, file, file_bytes, cut, exit_code, signal, timed_out, duration_ms, blocked } = shown
  return (
    <div className="space-y-2">
      {output === '' ? <p className="text-faint">{words.result.noOutput}</p> : <Screen text={output} />}
      {cut && <p className="text-faint text-sm">{words.result.middle(bytes, file_bytes, file)}</p>}
      {cut && end !== '' && <Screen text={end} />}
      <p className="flex flex-wrap items-center gap-2 text-sm">
        {timed_out && <Badge tone="warn">{words.result.timedOut}</Badge>}
        {exit_code !== null && <Badge tone={exit_code === 0 ? 'good' : 'bad'}>{words.result.exit(exit_code)}</Badge>}
        {exit_code === null && signal !== null && <Badge tone="bad">{words.result.signal(signal)}</Badge>}
        <span className="text-faint">{words.result.seconds(duration_ms)}</span>
      </p>
      {blocked.map(({ attempted, resource }) => (
        <p key={attempted + resource} className="text-sm text-warn">
          {words.result.blocked(attempted, visibleText(resource))}
        </p>
      ))}
    </div>
  )
}

const mostShown = 40_000

export function Screen({ text }: { text: string }) {
  const inks = useMemo(() => inksOf(text.slice(-mostShown)), [text])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
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
