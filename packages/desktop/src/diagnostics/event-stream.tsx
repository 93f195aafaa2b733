import type { RecordedEvent } from '@tandem/contract/command'
import { useEffect, useState } from 'react'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { Badge } from '../part/badge.tsx'
import { Fold } from '../part/fold.tsx'
import { Panel, Section } from '../part/section.tsx'
import { Failure } from '../result/failure.tsx'
import { JsonTree } from '../result/json-tree.tsx'
import { withEvents } from '../store/window-state.ts'
import { words } from '../strings/window.ts'
import { formatTime } from '../text/time.ts'
import { matchesFilter } from './event-filter.ts'

const mostShown = 200

export function EventStream() {
  const client = useRuntimeClient()
  const events = useWindowState((state) => state.events)
  const online = useWindowState((state) => state.connection === 'online')
  const [text, setText] = useState('')
  const [only, setOnly] = useState<'all' | 'failures'>('all')
  useEffect(() => {
    if (online) void readRecord(client)
  }, [online, client])
  const shown = events.filter(({ event }) => matchesFilter(event, text, only)).reverse()
  return (
    <Section title={words.diagnostics.events} lead={words.diagnostics.eventsLead}>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <input
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          aria-label={words.diagnostics.filterText}
          placeholder={words.diagnostics.filterText}
          className="field w-full max-w-xs"
        />
        <label className="flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={only === 'failures'}
            onChange={(event) => setOnly(event.target.checked ? 'failures' : 'all')}
            className="accent-(--cloud)"
          />
          {words.diagnostics.onlyFailures}
        </label>
        <output className="text-faint text-sm">{words.diagnostics.shown(shown.length, events.length)}</output>
      </div>
      <Panel className="overflow-hidden">
        {shown.length === 0 && (
          <p className="p-4 text-faint">{events.length === 0 ? words.diagnostics.noEvents : words.diagnostics.noMatch}</p>
        )}
        {shown.slice(0, mostShown).map((recorded) => (
          <EventLine key={recorded.no} recorded={recorded} />
        ))}
      </Panel>
    </Section>
  )
}

function EventLine({ recorded: { no, event } }: { recorded: RecordedEvent }) {
  return (
    <Fold
      summary={
        <span className="flex flex-wrap items-baseline gap-x-3">
          <span className="w-12 text-right text-faint text-sm">{no}</span>
          <code>{event.event}</code>
          {event.failure_contract && <Badge tone="bad">{event.failure_contract.reason_code}</Badge>}
          <span className="ml-auto text-faint text-sm">{formatTime(event.ts)}</span>
        </span>
      }
    >
      {() => (
        <div className="space-y-2">
          {event.failure_contract && <Failure contract={event.failure_contract} />}
          <JsonTree value={event} />
        </div>
      )}
    </Fold>
  )
}

/** Reads only the newest events, as many as the window keeps. */
async function readRecord(client: ReturnType<typeof useRuntimeClient>): Promise<void> {
  let cursor: string | null = null
  for (;;) {
    const params: { last: number; limit: number; cursor?: string } = { last: 1_000, limit: 200, ...(cursor === null ? {} : { cursor }) }
    const answer = await client.channel.call('event_list', params)
    if (!answer.ok) return
    const { items, next_cursor } = answer.value
    client.store.change((state) => ({ ...state, events: withEvents(state.events, items) }))
    if (next_cursor === null) return
    cursor = next_cursor
  }
}
