import type { CommandResult } from '@tandem/contract/command'
import { words } from '../strings/window.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'

export function Health({ status, connection }: { status: CommandResult<'runtime_status'>; connection: string }) {
  const { version, device_id, home, started_at, model } = status
  const facts: readonly (readonly [string, string])[] = [
    [words.diagnostics.version, version],
    [words.diagnostics.device, device_id],
    [words.diagnostics.home, home],
    [words.diagnostics.started, formatTime(started_at)],
    [words.diagnostics.connection, connection],
    [
      words.diagnostics.modelAt,
      model.state === 'set' ? `${model.default_model ?? '–'} · ${model.base_url ?? '–'}` : words.diagnostics.modelUnset,
    ],
  ]
  return (
    <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 sm:grid-cols-[8rem_minmax(0,1fr)]">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-faint">{name}</dt>
          <dd className="wrap-anywhere">{visibleText(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
