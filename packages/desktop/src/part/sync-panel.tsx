// The state of synchronization in plain words.
import type { CommandResult } from '@tandem/contract/command'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import type { ReadRequest } from '../client/use-request.ts'
import { words } from '../strings/window.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { Badge, type Tone } from './badge.tsx'
import { Button } from './form/button.tsx'
import { RequestResult } from './request-result.tsx'
import { Panel, Section } from './section.tsx'

type Status = CommandResult<'sync_status'>['status']

const tones: Record<Status['state'], Tone> = {
  signed_out: 'plain',
  idle: 'good',
  pushing: 'cloud',
  pulling: 'cloud',
  offline: 'warn',
  recovering: 'cloud',
  failed: 'bad',
}

export function SyncPanel({ reading, children }: { reading: ReadRequest<CommandResult<'sync_status'>>; children?: React.ReactNode }) {
  const client = useRuntimeClient()
  const [busy, setBusy] = useState(false)
  const now = async () => {
    setBusy(true)
    await client.call(words.cloudDoing.sync, 'sync_now', {})
    await reading.reload()
    setBusy(false)
  }
  const isSignedIn = reading.state.state === 'ready' && reading.state.value.status.state !== 'signed_out'
  return (
    <Section
      title={words.devices.sync}
      aside={
        isSignedIn && (
          <Button onClick={now} disabled={busy}>
            {busy ? words.devices.syncing : words.devices.now}
          </Button>
        )
      }
    >
      <RequestResult reading={reading}>{({ status }) => <Standing status={status} />}</RequestResult>
      {children}
    </Section>
  )
}

function Standing({ status }: { status: Status }) {
  const at = (ts: string | null) => (ts === null ? words.devices.never : formatTime(ts))
  const facts = [
    [words.devices.waiting, String(status.pending_changes)],
    [words.devices.lastSent, at(status.last_push_ts)],
    [words.devices.lastHeard, at(status.last_pull_ts)],
  ] as const
  return (
    <Panel className="p-4">
      <p role="status" className="flex flex-wrap items-center gap-2">
        <Badge tone={tones[status.state]}>{words.devices.states[status.state]}</Badge>
        {status.text.toLowerCase() !== words.devices.states[status.state].toLowerCase() && <span>{visibleText(status.text)}</span>}
      </p>
      {status.reason !== null && <p className="mt-2 text-warn">{visibleText(status.reason)}</p>}
      {status.unread_changes > 0 && <p className="mt-2 text-soft">{words.devices.unread(status.unread_changes)}</p>}
      {status.state !== 'signed_out' && (
        <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-0.5 text-sm">
          {facts.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-faint">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  )
}
