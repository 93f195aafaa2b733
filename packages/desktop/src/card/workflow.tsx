import type { Card } from '@tandem/contract/card'
import { workflowEventLine } from '@tandem/contract/workflow-run'
import { useCompleteList, useNewestEventNumber } from '../client/use-request.ts'
import type { Tone } from '../part/badge.tsx'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

type WorkflowCard = Extract<Card, { kind: 'Workflow' }>

export function workflowTone(state: WorkflowCard['state']): Tone {
  if (state === 'completed') return 'good'
  if (state === 'failed') return 'bad'
  return state === 'running' ? 'cloud' : 'plain'
}

/** Only the latest lines: a long run has too many to read. */
const mostLines = 200

export function WorkflowBody({ card: { workflow_run_id, name, state, nodes_done, nodes_total } }: { card: WorkflowCard }) {
  const arrived = useNewestEventNumber(/^sync_changes_arrived$/)
  const { state: asked } = useCompleteList(
    'workflow_run_list_events',
    { workflow_run_id },
    { version: `${state} ${nodes_done} ${arrived}` },
  )
  const events = asked.state === 'ready' ? asked.value.slice(-mostLines) : []
  return (
    <div className="space-y-2">
      <p>
        {visibleText(name)} <span className="text-faint text-sm">{words.cards.nodes(nodes_done, nodes_total)}</span>
      </p>
      <progress value={nodes_done} max={Math.max(1, nodes_total)} aria-label={words.cards.nodes(nodes_done, nodes_total)} className="bar" />
      {events.length > 0 && (
        <ol aria-label={words.cards.workflowEvents} className="space-y-1 text-sm text-soft">
          {events.map((event) => (
            <li key={event.event_id} className="break-words">
              {visibleText(workflowEventLine(event))}
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
