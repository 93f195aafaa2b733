import { useWindowState } from '../client/use-client.ts'
import { Panel, Section } from '../part/section.tsx'
import { words } from '../strings/window.ts'
import { formatTime } from '../text/time.ts'

/** Shown only if there are any. */
export function ParkedDeliveries() {
  const parked = useWindowState((state) => state.status?.parked_deliveries)
  if (!parked || parked.length === 0) return null
  const told = words.diagnosticsCenter.parked
  return (
    <Section title={told.title} lead={told.lead}>
      <ul className="space-y-3">
        {parked.map(({ listener, event, event_id, subject, since, failures, retry_at, reason }) => (
          <li key={`${listener} ${event_id}`}>
            <Panel className="p-4">
              <p className="font-medium">{told.what(listener, event)}</p>
              <p className="mt-1 break-words text-sm">{reason}</p>
              <p className="mt-1 break-words text-faint text-sm">
                {told.when(subject.kind, subject.id, formatTime(since), failures, formatTime(retry_at))}
              </p>
            </Panel>
          </li>
        ))}
      </ul>
    </Section>
  )
}
