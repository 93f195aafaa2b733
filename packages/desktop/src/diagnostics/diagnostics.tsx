// The diagnostics center: the runtime itself, its sandbox, and what it records. Learning gets its own panel here.
import type { CommandResult } from '@tandem/contract/command'
import { useCallback, useEffect, useState } from 'react'
import { useDesk, useWindow } from '../desk/use-desk.ts'
import { Badge, type Tone } from '../part/badge.tsx'
import { Button } from '../part/button.tsx'
import { CopyButton } from '../part/copy-button.tsx'
import { Place } from '../part/place.tsx'
import { Panel, Section } from '../part/section.tsx'
import { words } from '../strings/window.ts'
import { timeOf } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { EventStream } from './event-stream.tsx'

type Status = CommandResult<'runtime_status'>

export default function Diagnostics() {
  const desk = useDesk()
  const connection = useWindow((state) => state.connection)
  const status = useWindow((state) => state.status)
  const [fault, setFault] = useState<string | null>(null)
  const look = useCallback(async () => {
    const answer = await desk.refreshStatus()
    setFault(answer.ok ? null : `${answer.error.message} ${answer.error.remedy}`)
  }, [desk])
  useEffect(() => {
    if (connection === 'online') void look()
  }, [connection, look])
  return (
    <Place
      title={words.diagnostics.title}
      lead={words.diagnostics.lead}
      aside={status && <CopyButton text={JSON.stringify(status, null, 2)} label={words.diagnostics.copy} />}
    >
      {fault && (
        <p role="alert" className="mb-6 rounded-md bg-bad-soft px-3 py-2 text-bad">
          {fault}
        </p>
      )}
      <Section title={words.diagnostics.runtime}>
        <Panel className="p-4">
          {status ? <Facts status={status} connection={words.connection[connection]} /> : <p className="text-faint">{words.loading}</p>}
        </Panel>
      </Section>
      {status && <Sandbox sandbox={status.sandbox} onAgain={look} />}
      {status && status.features.length > 0 && (
        <Section title={words.diagnostics.features}>
          <Panel className="flex flex-wrap gap-2 p-4">
            {status.features.map(({ name, works }) => (
              <Badge key={name} tone={works ? 'good' : 'plain'}>
                {works ? '✓' : '–'} {name}
              </Badge>
            ))}
          </Panel>
        </Section>
      )}
      <EventStream />
      <Section title={words.diagnostics.learning}>
        <Panel className="p-4 text-faint">{words.settings.notYet}</Panel>
      </Section>
    </Place>
  )
}

function Facts({ status, connection }: { status: Status; connection: string }) {
  const { version, device_id, home, started_at, model } = status
  const facts: readonly (readonly [string, string])[] = [
    [words.diagnostics.version, version],
    [words.diagnostics.device, device_id],
    [words.diagnostics.home, home],
    [words.diagnostics.started, timeOf(started_at)],
    [words.diagnostics.connection, connection],
    [
      words.diagnostics.modelAt,
      model.state === 'set' ? `${model.default_model ?? '–'} · ${model.base_url ?? '–'}` : words.diagnostics.modelUnset,
    ],
  ]
  return (
    <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[8rem_minmax(0,1fr)]">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-faint">{name}</dt>
          <dd className="break-all">{visibleText(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

const tones: Record<Status['sandbox']['state'], Tone> = { enforced: 'good', absent: 'warn', failed: 'bad', untested: 'plain' }

function Sandbox({ sandbox, onAgain }: { sandbox: Status['sandbox']; onAgain(): void }) {
  const { state, backend, checks, detail, remedy } = sandbox
  return (
    <Section title={words.diagnostics.sandbox} aside={<Button onClick={onAgain}>{words.diagnostics.again}</Button>}>
      <Panel className="p-4">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={tones[state]}>{words.diagnostics.sandboxStates[state]}</Badge>
          {backend && <code>{visibleText(backend)}</code>}
        </p>
        <p className="mt-2 text-soft">{visibleText(detail)}</p>
        {remedy !== '' && <p className="text-soft">{visibleText(remedy)}</p>}
        <ul className="mt-3 divide-y divide-line">
          {checks.map(({ name, held, detail: what }) => (
            <li key={name} className="grid gap-x-4 py-1.5 sm:grid-cols-[14rem_4rem_minmax(0,1fr)]">
              <span>{visibleText(name)}</span>
              <span>
                <Badge tone={held ? 'good' : 'bad'}>{held ? words.diagnostics.held : words.diagnostics.notHeld}</Badge>
              </span>
              <span className="break-words text-faint text-sm">{visibleText(what)}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  )
}
