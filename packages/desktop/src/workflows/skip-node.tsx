// Skips a node that has not started, waits or failed, while the run continues.
import { transition } from '@tandem/contract/transition'
import { nodeOutcomes, type WorkflowOutcome } from '@tandem/contract/workflow'
import { isTerminalWorkflowState, workflowNodeTransitions } from '@tandem/contract/workflow-run'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Choice } from '../part/form/choice.tsx'
import { ReasonForm } from '../part/workflow/reason-form.tsx'
import { workflowWords } from '../strings/workflows.ts'
import type { GroupedNode } from './node-groups.ts'
import type { NodeContext } from './run-node.tsx'

interface Props {
  readonly name: string
  readonly grouped: GroupedNode
  readonly context: NodeContext
}

const told = workflowWords.run

export function SkipNode({ name, grouped, context: { run, again } }: Props) {
  const { channel } = useRuntimeClient()
  const { node_id, node, iteration, record } = grouped
  const outcomes: readonly WorkflowOutcome[] = nodeOutcomes[node?.kind ?? 'tool']
  const [isOpen, setOpen] = useState(false)
  const [outcome, setOutcome] = useState(outcomes[0] ?? 'succeeded')
  const canSkip = !isTerminalWorkflowState(run.state) && transition(workflowNodeTransitions, record?.state ?? 'pending', 'skip').ok
  if (!canSkip) return null
  const skip = async (reason: string) => {
    const { workflow_run_id } = run
    const which = { workflow_run_id, node_id, iteration: [...iteration] }
    const answer = await channel.call('workflow_control', { ...which, action: 'skip', outcome, ...(reason === '' ? {} : { reason }) })
    if (answer.ok) {
      setOpen(false)
      await again()
    }
    return answer
  }
  return (
    <>
      <Button aria-label={told.skip.label(name)} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="mt-2">
        {told.controls.skip}
      </Button>
      {isOpen && (
        <ReasonForm
          label={told.skip.label(name)}
          lead={told.skip.lead}
          reason={told.skip.reason}
          yes={told.skip.yes}
          no={told.skip.no}
          send={skip}
          onClose={() => setOpen(false)}
        >
          <Choice
            label={told.skip.outcome}
            values={outcomes}
            value={outcome}
            onChange={setOutcome}
            nameOf={(one) => told.outcomes[one]}
            mono={false}
          />
        </ReasonForm>
      )}
    </>
  )
}
