import type { Card } from '@tandem/contract/card'
import type { Tone } from '../part/badge.tsx'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

type WorkflowCard = Extract<Card, { kind: 'Workflow' }>

export function workflowTone(state: WorkflowCard['state']): Tone {
  if (state === 'completed') return 'good'
  if (state === 'failed') return 'bad'
  return state === 'running' ? 'cloud' : 'plain'
}

export function WorkflowBody({ card: { name, nodes_done, nodes_total } }: { card: WorkflowCard }) {
  return (
    <div className="space-y-2">
      <p>
        {visibleText(name)} <span className="text-faint text-sm">{words.cards.nodes(nodes_done, nodes_total)}</span>
      </p>
      <progress value={nodes_done} max={Math.max(1, nodes_total)} aria-label={words.cards.nodes(nodes_done, nodes_total)} className="bar" />
    </div>
  )
}
