// What a user can do with a workflow run: pause it, resume it, retry it, cancel it.
import type { WorkflowSnapshot } from '@tandem/contract/command'
import { transition } from '@tandem/contract/transition'
import { workflowRunTransitions } from '@tandem/contract/workflow-run'
import { type ReactNode, useState } from 'react'
import { useRuntimeClient } from '../../client/use-client.ts'
import { workflowWords } from '../../strings/workflows.ts'
import { Button } from '../form/button.tsx'
import { ReasonForm } from './reason-form.tsx'
import { useWorkflowWait } from './use-workflow-wait.ts'

interface Props {
  readonly run: WorkflowSnapshot
  again(): Promise<void>
  /** Beside the buttons. */
  readonly children?: ReactNode
}

const told = workflowWords.run

export function RunControls({ run, again, children }: Props) {
  const { workflow_run_id, state } = run
  const client = useRuntimeClient()
  const wait = useWorkflowWait(run)
  const [isCanceling, setCanceling] = useState(false)
  const can = (action: 'pause' | 'resume' | 'cancel' | 'retry') => transition(workflowRunTransitions, state, action).ok
  const control = async (action: 'pause' | 'resume' | 'retry') => {
    await client.call(workflowWords.doing[action], 'workflow_control', { workflow_run_id, action })
    await again()
  }
  const cancel = async (reason: string) => {
    const params = { workflow_run_id, action: 'cancel', ...(reason === '' ? {} : { reason }) } as const
    const answer = await client.channel.call('workflow_control', params)
    if (answer.ok) {
      setCanceling(false)
      await again()
    }
    return answer
  }
  // What waits goes on by itself, or with the answer of a user.
  const offered = (['pause', 'resume', 'retry'] as const).filter((action) => can(action) && (action !== 'resume' || wait === null))
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {offered.map((action) => (
          // Pause and resume share one place, and the focus.
          <Button key={action === 'retry' ? 'retry' : 'pause'} onClick={() => control(action)}>
            {told.controls[action]}
          </Button>
        ))}
        {can('cancel') && (
          <Button aria-expanded={isCanceling} onClick={() => setCanceling(!isCanceling)}>
            {told.controls.cancel}
          </Button>
        )}
        {children}
      </div>
      {isCanceling && can('cancel') && (
        <ReasonForm
          label={told.cancel.label}
          lead={told.cancel.lead}
          reason={told.cancel.reason}
          yes={told.cancel.yes}
          no={told.cancel.no}
          send={cancel}
          onClose={() => setCanceling(false)}
        />
      )}
    </>
  )
}
