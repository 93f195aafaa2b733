import type { WorkflowSnapshot } from '@tandem/contract/command'
import { transition } from '@tandem/contract/transition'
import { workflowRunTransitions } from '@tandem/contract/workflow-run'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { workflowWords } from '../strings/workflows.ts'
import { ReasonForm } from './reason-form.tsx'

interface Props {
  readonly run: WorkflowSnapshot
  again(): Promise<void>
}

const told = workflowWords.run

export function RunControls({ run: { workflow_run_id, state }, again }: Props) {
  const client = useRuntimeClient()
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
  return (
    <div className="mb-8">
      <div className="flex flex-wrap gap-2">
        {(['pause', 'resume', 'retry'] as const).filter(isOffered).map((action) => (
          <Button key={action} disabled={!can(action)} onClick={() => control(action)}>
            {told.controls[action]}
          </Button>
        ))}
        <Button disabled={!can('cancel')} aria-expanded={isCanceling && can('cancel')} onClick={() => setCanceling(!isCanceling)}>
          {told.controls.cancel}
        </Button>
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
    </div>
  )

  /** Pause and resume share one place. */
  function isOffered(action: 'pause' | 'resume' | 'retry'): boolean {
    return action === 'pause' ? state !== 'paused' : action === 'resume' ? state === 'paused' : true
  }
}
