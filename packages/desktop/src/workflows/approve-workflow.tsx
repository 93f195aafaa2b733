// Approves a version that was not written on this device, after showing what it does.
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { Panel, Section } from '../part/section.tsx'
import { workflowWords } from '../strings/workflows.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'
import { CoversCalls } from './covers-calls.tsx'
import { type PlannedCall, plannedCalls } from './planned-calls.ts'
import type { StoredWorkflow } from './stored-text.ts'

interface Props {
  readonly workflow: StoredWorkflow
  again(): Promise<void>
}

const told = workflowWords.approval

export function ApproveWorkflow({ workflow: { workflow_id, sha256, definition }, again }: Props) {
  const client = useRuntimeClient()
  const [covers, setCovers] = useState(false)
  const calls = plannedCalls(definition)
  const approve = async () => {
    await client.call(workflowWords.doing.approve, 'workflow_approve', {
      ...{ workflow_id, sha256, is_approved: true, covers_calls: covers },
    })
    await again()
  }
  return (
    <Section title={told.title} lead={told.lead}>
      <Panel className="grid gap-4 p-4">
        {calls.length === 0 ? (
          <p className="text-soft">{told.noCalls}</p>
        ) : (
          <ul aria-label={told.calls} className="grid gap-3">
            {calls.map((call) => (
              <li key={`${call.node_id} ${call.what}`} className="min-w-0">
                <Call call={call} />
              </li>
            ))}
          </ul>
        )}
        <CoversCalls value={covers} onChange={setCovers} />
        <PrimaryButton className="w-fit" onClick={approve}>
          {told.approve}
        </PrimaryButton>
      </Panel>
    </Section>
  )
}

/** That a version is approved, and how to change that. */
export function ApprovedWorkflow({ workflow: { workflow_id, sha256, covers_calls }, again }: Props) {
  const client = useRuntimeClient()
  const withdraw = async () => {
    await client.call(workflowWords.doing.withdraw, 'workflow_approve', { workflow_id, sha256, is_approved: false })
    await again()
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p className="text-soft text-sm">{covers_calls ? told.coversCalls : told.isApproved}</p>
      <Button onClick={withdraw}>{told.withdraw}</Button>
    </div>
  )
}

const notes = { tool: '', compensation: told.compensation, agent: told.prompt, workflow: told.otherWorkflow } as const

function Call({ call: { node_id, what, name, text } }: { call: PlannedCall }) {
  return (
    <>
      <p className="break-words text-sm">
        <span className="text-faint">{visibleName(node_id)}:</span>{' '}
        {name !== null && <code className="font-medium">{visibleName(name)}</code>} <span className="text-soft">{notes[what]}</span>
      </p>
      <pre className="mt-1 max-h-60 overflow-auto whitespace-pre-wrap break-words rounded-md bg-sunken px-3 py-2 font-mono text-[13px] leading-5">
        {visibleText(text)}
      </pre>
    </>
  )
}
