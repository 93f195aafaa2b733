// The details of the node that is selected in the graph.
import type { WorkflowDefinition, WorkflowNode } from '@tandem/contract/workflow'
import { useId, useState } from 'react'
import { Icon } from '../part/icon.tsx'
import { Panel } from '../part/section.tsx'
import { JsonTree } from '../result/json-tree.tsx'
import { workflowGraphWords } from '../strings/workflow-graph.ts'
import { workflowWords } from '../strings/workflows.ts'
import { visibleName } from '../text/name.ts'
import { nodeStatuses } from './graph/node-status.ts'
import { NodeInput, nodeInput } from './node-input.tsx'
import { type ListedRound, listedRounds, roundKey } from './node-rounds.ts'
import { type NodeContext, RunNode } from './run-node.tsx'

interface Props {
  readonly node: WorkflowNode
  readonly definition: WorkflowDefinition
  readonly context: NodeContext
  onClose(): void
}

const told = workflowGraphWords.panel

export function NodePanel({ node, definition, context, onClose }: Props) {
  const { run, canSkip } = context
  const rounds = listedRounds(run, node.id)
  const [chosen, setChosen] = useState<string | null>(null)
  // What the graph shows, until the user chooses a round.
  const record = rounds.find(({ key }) => key === chosen)?.record ?? nodeStatuses(definition, run.nodes).get(node.id)?.record ?? null
  const grouped = { node_id: node.id, node, iteration: record?.iteration ?? [], record, rounds: [] }
  const isRound = node.within !== undefined && record === null
  return (
    <section aria-label={told.label(visibleName(node.title ?? node.id))}>
      <Panel className="relative grid gap-3 p-4">
        <button type="button" aria-label={told.close} title={told.close} onClick={onClose} className="icon-button absolute top-2 right-2">
          <Icon name="close" />
        </button>
        {rounds.length > 1 && <RoundChoice rounds={rounds} value={record === null ? '' : roundKey(record)} onChange={setChosen} />}
        <div className="pr-7">
          {/* A round that has not begun cannot be skipped. */}
          <RunNode key={roundKey(grouped)} grouped={grouped} context={{ ...context, canSkip: canSkip && !isRound }} />
        </div>
        <div className="min-w-0">
          <h3 className="text-faint text-sm">{told.input}</h3>
          {record === null ? (
            <JsonTree value={nodeInput(node)} />
          ) : (
            <NodeInput key={`${roundKey(grouped)} ${record.attempt}`} run={run} node={node} iteration={record.iteration} />
          )}
        </div>
      </Panel>
    </section>
  )
}

interface RoundChoiceProps {
  readonly rounds: readonly ListedRound[]
  readonly value: string
  onChange(key: string): void
}

function RoundChoice({ rounds, value, onChange }: RoundChoiceProps) {
  const id = useId()
  return (
    <p className="flex flex-wrap items-center gap-2 pr-7 text-sm">
      <label htmlFor={id} className="text-faint">
        {told.round}
      </label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)} className="field py-1">
        {rounds.map(({ key, number, record }) => (
          <option key={key} value={key}>
            {told.roundOption(number, workflowWords.run.states[record.state])}
          </option>
        ))}
      </select>
    </p>
  )
}
