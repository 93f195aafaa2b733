// The remote executors of this device: their state, why one cannot be used, and when the next attempt is.
import type { ListedExecutor } from '@tandem/contract/executor'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { useCompleteList, useNewestEventNumber } from '../client/use-request.ts'
import { Badge, type Tone } from '../part/badge.tsx'
import { AskFirst } from '../part/form/ask-first.tsx'
import { Button } from '../part/form/button.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { executorWords as told } from '../strings/executors.ts'
import { visibleName } from '../text/name.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { AddExecutor } from './add-executor.tsx'
import { ExecutorAgents } from './executor-agents.tsx'

const tones: Record<ListedExecutor['state'], Tone> = { untested: 'plain', ready: 'good', expired: 'warn', failed: 'bad' }

/** The time of the next attempt changes without an event. */
const every_ms = 15_000

export function ExecutorSettings() {
  const [isAdding, setAdding] = useState(false)
  const reading = useCompleteList('executor_list', {}, { version: useNewestEventNumber(/^executor_/), every_ms })
  const added = () => {
    setAdding(false)
    void reading.reload()
  }
  return (
    <Section anchor="section-executors" title={told.title} lead={told.lead}>
      <RequestResult reading={reading}>{(executors) => <Executors executors={executors} onChange={reading.reload} />}</RequestResult>
      {isAdding ? <AddExecutor onDone={added} /> : <Button onClick={() => setAdding(true)}>{told.add}</Button>}
    </Section>
  )
}

function Executors({ executors, onChange }: { executors: readonly ListedExecutor[]; onChange(): Promise<void> }) {
  if (executors.length === 0) return <p className="mb-3 text-faint">{told.none}</p>
  return (
    <ul className="mb-3 space-y-3">
      {executors.map((executor) => (
        <li key={executor.executor_id}>
          <Executor executor={executor} onChange={onChange} />
        </li>
      ))}
    </ul>
  )
}

function Executor({ executor, onChange }: { executor: ListedExecutor; onChange(): Promise<void> }) {
  const { channel, showError } = useRuntimeClient()
  const [isBusy, setBusy] = useState(false)
  const { executor_id, name, executor_url, certificate_sha256, state } = executor
  const test = async () => {
    setBusy(true)
    const tested = await channel.call('executor_test', { executor_id })
    setBusy(false)
    if (!tested.ok) showError(told.doing.test, tested.error)
    await onChange()
  }
  const remove = async () => {
    const removed = await channel.call('executor_remove', { executor_id })
    if (!removed.ok) showError(told.doing.remove, removed.error)
    await onChange()
  }
  return (
    <Panel className="p-4">
      <p className="flex flex-wrap items-baseline justify-between gap-2">
        <span className="min-w-0 break-words font-medium">{visibleName(name)}</span>
        <Badge tone={tones[state]}>{told.states[state]}</Badge>
      </p>
      <p className="break-all font-mono text-[13px] text-faint">{visibleName(executor_url)}</p>
      <Outcome executor={executor} />
      <p className="mt-1 break-all text-faint text-sm">
        {certificate_sha256 === null ? (
          told.unencrypted
        ) : (
          <>
            {told.fingerprint} <code className="text-[13px]">{certificate_sha256}</code>
          </>
        )}
      </p>
      <ExecutorAgents executor={executor} onChange={onChange} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button aria-label={told.testNamed(name)} disabled={isBusy} onClick={test}>
          {told.test}
        </Button>
        <AskFirst name={told.remove} label={told.removeNamed(name)} question={told.removeQuestion(name)} yes={told.remove} act={remove} />
      </div>
    </Panel>
  )
}

/** Texts of an executor are untrusted. */
function Outcome({ executor: { state, negotiation } }: { executor: ListedExecutor }) {
  if (negotiation === null) return null
  const next = told.next(formatTime(negotiation.next_attempt_at))
  if (negotiation.outcome === 'failed') {
    const { title, remedy } = told.failure(negotiation.reason)
    return (
      <div role="status" className="mt-2 break-words text-sm">
        <p>
          <span className="font-medium text-bad">{title}.</span> {remedy}
        </p>
        <p className="text-faint">
          {visibleText(negotiation.failure_contract.details.message)} · {next}
        </p>
      </div>
    )
  }
  const { executor, protocol, capabilities, health } = negotiation
  const names = capabilities.map((one) => one.name).join(', ')
  return (
    <div role="status" className="mt-2 break-words text-sm">
      <p>{visibleName(told.version(executor.name, executor.version, executor.os, executor.arch, protocol))}</p>
      <p className="text-soft">{names === '' ? told.offersNothing : told.offers(visibleName(names))}</p>
      {health?.status === 'degraded' && <p className="text-warn">{told.degraded(visibleText(health.message ?? ''))}</p>}
      {state === 'expired' && <p className="text-faint">{next}</p>}
    </div>
  )
}
