// The diagnostics center: health, sandbox, memory, learning, evolution, features, failures, events and the support bundle.
import { useCallback, useEffect, useState } from 'react'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { EvolutionSummary } from '../evolution/evolution-summary.tsx'
import { LearningSummary } from '../learning/learning-summary.tsx'
import { PageLayout } from '../part/page-layout.tsx'
import { Panel, Section } from '../part/section.tsx'
import { words } from '../strings/window.ts'
import { visibleSentence } from '../text/sentence.ts'
import { CopyJson } from './copy-json.tsx'
import { EventStream } from './event-stream.tsx'
import { Failures } from './failures.tsx'
import { Features } from './features.tsx'
import { Health } from './health.tsx'
import { MemoryHealth } from './memory-health.tsx'
import { ParkedDeliveries } from './parked-deliveries.tsx'
import { Sandbox } from './sandbox.tsx'
import { Support } from './support.tsx'
import { SyncHealth } from './sync-health.tsx'

export default function Diagnostics() {
  const client = useRuntimeClient()
  const connection = useWindowState((state) => state.connection)
  const status = useWindowState((state) => state.status)
  const [fault, setFault] = useState<string | null>(null)
  const look = useCallback(async () => {
    const answer = await client.refreshStatus()
    setFault(answer.ok ? null : `${visibleSentence(answer.error.message)} ${answer.error.remedy}`)
  }, [client])
  useEffect(() => {
    if (connection === 'online') void look()
  }, [connection, look])
  return (
    <PageLayout title={words.diagnostics.title} lead={words.diagnostics.lead} aside={status && <CopyJson value={status} />}>
      {fault && (
        <p role="alert" className="mb-6 rounded-md bg-bad-soft px-3 py-2 text-bad">
          {fault}
        </p>
      )}
      <Section title={words.diagnostics.runtime}>
        <Panel className="p-4">
          {status ? <Health status={status} connection={words.connection[connection]} /> : <p className="text-faint">{words.loading}</p>}
        </Panel>
      </Section>
      {status && <Sandbox sandbox={status.sandbox} onAgain={look} />}
      <SyncHealth />
      <MemoryHealth />
      <LearningSummary />
      <EvolutionSummary />
      <ParkedDeliveries />
      <Failures />
      <EventStream />
      {status && <Features features={status.features} />}
      <Support />
    </PageLayout>
  )
}
