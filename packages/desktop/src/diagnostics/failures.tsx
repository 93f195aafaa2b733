import { useMemo } from 'react'
import { followLink } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { EmptyState } from '../part/page-layout.tsx'
import { Section } from '../part/section.tsx'
import { Failure } from '../result/failure.tsx'
import { words } from '../strings/window.ts'
import { formatTime } from '../text/time.ts'
import { failureKindOf, failureKinds } from './failure-kinds.ts'

const most = 10

export function Failures() {
  const events = useWindowState((state) => state.events)
  const kinds = useMemo(() => failureKinds(events).slice(0, most), [events])
  return (
    <Section title={words.diagnosticsCenter.failures} lead={words.diagnosticsCenter.failuresLead}>
      {kinds.length === 0 && <EmptyState>{words.diagnosticsCenter.noFailures}</EmptyState>}
      <ul className="space-y-3">
        {kinds.map(({ contract, count, last_at, conversation_id }) => (
          <li key={failureKindOf(contract)}>
            <Failure contract={contract} />
            <p className="mt-1 text-faint text-sm">
              {words.diagnosticsCenter.times(count, formatTime(last_at))}
              {conversation_id !== null && (
                <>
                  {' · '}
                  <a href={`/c/${conversation_id}`} onClick={followLink} className="text-cloud underline underline-offset-4">
                    {words.runs.open}
                  </a>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
