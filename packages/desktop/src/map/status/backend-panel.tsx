// How the backend is doing: loading, up, not all of it, silent, or not there at all.
import { Badge, type Tone } from '../../part/badge.tsx'
import { Button } from '../../part/button.tsx'
import { Panel } from '../../part/section.tsx'
import { strings } from '../../strings/map.ts'
import { durationOf, type Sight } from './status.ts'
import type { StatusSeen } from './use-status.ts'

export function BackendPanel({ sight, asking, again }: StatusSeen) {
  const { tone, line, detail } = tell(sight)
  return (
    <Panel className="p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-w-0 items-start gap-3" role="status" aria-busy={asking}>
          <Lamp tone={tone} />
          <div className="min-w-0">
            <p className="font-medium">{line}</p>
            {detail.map((text) => (
              <p key={text} className="break-words text-soft text-sm">
                {text}
              </p>
            ))}
          </div>
        </div>
        <Button onClick={again} disabled={asking}>
          {asking ? strings.status.looking : strings.status.again}
        </Button>
      </div>
      <Parts sight={sight} />
    </Panel>
  )
}

function Lamp({ tone }: { tone: Tone }) {
  const colour = { plain: 'bg-faint', good: 'bg-good', warn: 'bg-warn', bad: 'bg-bad', desktop: 'bg-desktop', cloud: 'bg-cloud' }[tone]
  return (
    <span
      aria-hidden="true"
      className={`mt-2 size-2.5 shrink-0 rounded-full ${colour} ${tone === 'plain' ? 'motion-safe:animate-pulse' : ''}`}
    />
  )
}

function Parts({ sight }: { sight: Sight }) {
  if (sight.state !== 'seen' || sight.status.backend.state !== 'answering') return null
  const { parts } = sight.status.backend.health
  if (parts.length === 0) return null
  return (
    <ul className="mt-4 flex flex-wrap gap-1.5 border-line border-t pt-4">
      {parts.map((part) => (
        <li key={part.name}>
          <Badge tone={part.status === 'ok' ? 'good' : 'bad'}>
            {part.name} {strings.status.part[part.status]}
          </Badge>
        </li>
      ))}
    </ul>
  )
}

function tell(sight: Sight): { tone: Tone; line: string; detail: readonly string[] } {
  const words = strings.status
  if (sight.state === 'loading') return { tone: 'plain', line: words.loading, detail: [] }
  if (sight.state === 'lost') return { tone: 'bad', line: words.host_failing, detail: [sight.detail, words.host_failing_lead] }
  const { backend } = sight.status
  if (backend.state === 'absent') return { tone: 'warn', line: words.absent, detail: [] }
  if (backend.state === 'failing') {
    return {
      tone: 'bad',
      line: words.failing,
      detail: [`${backend.address} · ${words.reason[backend.code](backend.detail)}`, words.failing_lead],
    }
  }
  const { status, version, uptime_seconds } = backend.health
  const facts = [backend.address]
  if (version !== null) facts.push(words.version(version))
  if (uptime_seconds !== null) facts.push(words.up_for(durationOf(uptime_seconds)))
  return { tone: status === 'ok' ? 'good' : 'warn', line: status === 'ok' ? words.ok : words.degraded, detail: [facts.join(' · ')] }
}
