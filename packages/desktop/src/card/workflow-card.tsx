// A workflow that was started in a conversation. The journal has its progress only now and then; the rest is read from the workflow run.
import type { Card, Disclosure } from '@tandem/contract/card'
import type { RunState } from '@tandem/contract/run'
import { lazy, Suspense } from 'react'
import { useWorkflowRun } from '../client/use-workflow-run.ts'
import { runTones } from '../part/state-tones.ts'
import { useWorkflowWait } from '../part/workflow/use-workflow-wait.ts'
import { workflowProgress } from '../store/workflow-progress.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { CardFrame } from './card-frame.tsx'

type Shown = Extract<Card, { kind: 'Workflow' }>

const WorkflowDetails = lazy(async () => ({ default: (await import('./workflow-details.tsx')).WorkflowDetails }))

interface Props {
  readonly card: Shown
  readonly state: RunState
  readonly disclosure: Disclosure
}

export function WorkflowCard({ card, state, disclosure }: Props) {
  const { workflow_run_id, name, nodes_done, nodes_total } = card
  const reading = useWorkflowRun(workflow_run_id, { version: `${card.state} ${nodes_done}` })
  const run = reading.state.state === 'ready' ? reading.state.value.run : null
  const wait = useWorkflowWait(run)
  const { done, total } = run === null ? { done: nodes_done, total: nodes_total } : workflowProgress(run)
  const flow = run?.state ?? card.state
  const text = wait === null ? words.cards.workflow[flow] : words.cards.waits[wait]
  const tone = wait === null ? runTones[flow] : wait === 'person' ? 'warn' : 'cloud'
  const progress = words.cards.nodes(done, total)
  return (
    <CardFrame
      card={card}
      state={state}
      disclosure={disclosure}
      title={words.cards.kinds.Workflow}
      line={visibleText(`${name}, ${progress}`)}
      badge={{ tone, text }}
    >
      {() => (
        <div className="space-y-2">
          <p className="break-words">
            {visibleText(name)} <span className="text-faint text-sm">{progress}</span>
          </p>
          <progress value={done} max={Math.max(1, total)} aria-label={progress} className="bar" />
          {run !== null && (
            <Suspense>
              <WorkflowDetails run={run} again={reading.reload} />
            </Suspense>
          )}
        </div>
      )}
    </CardFrame>
  )
}
