// The graph of a workflow run, with the details of the selected node beside it.
import type { WorkflowDefinition } from '@tandem/contract/workflow'
import { useCallback, useState } from 'react'
import { Section } from '../part/section.tsx'
import { workflowGraphWords } from '../strings/workflow-graph.ts'
import { WorkflowGraphView } from './graph/workflow-graph-view.tsx'
import { NodePanel } from './node-panel.tsx'
import type { NodeContext } from './run-node.tsx'

export function RunGraph({ definition, context }: { definition: WorkflowDefinition; context: NodeContext }) {
  const [selected, setSelected] = useState<string | null>(null)
  const toggle = useCallback((node_id: string) => setSelected((last) => (last === node_id ? null : node_id)), [])
  const node = definition.nodes.find(({ id }) => id === selected)
  return (
    <Section title={workflowGraphWords.title}>
      <div className={node ? 'grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]' : ''}>
        <WorkflowGraphView definition={definition} nodes={context.run.nodes} selected={selected} onSelect={toggle} />
        {node && <NodePanel key={node.id} node={node} definition={definition} context={context} onClose={() => setSelected(null)} />}
      </div>
    </Section>
  )
}
