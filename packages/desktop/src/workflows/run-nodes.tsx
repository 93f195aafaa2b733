// The nodes of a workflow run. Rounds of loops are closed until they are opened.
import type { WorkflowSnapshot } from '@tandem/contract/command'
import { Badge } from '../part/badge.tsx'
import { EmptyState } from '../part/page-layout.tsx'
import { Panel, Section } from '../part/section.tsx'
import { workflowWords } from '../strings/workflows.ts'
import { type GroupedNode, groupNodes, type NodeRound } from './node-groups.ts'
import { nodeTones } from './node-tones.ts'
import { roundState } from './round-state.ts'
import { RoundsFold } from './rounds-fold.tsx'
import { type NodeContext, RunNode } from './run-node.tsx'

const told = workflowWords.run

export function RunNodes({ run, ...more }: NodeContext) {
  const nodes = groupNodes(run)
  return (
    <Section title={told.nodes}>
      {nodes.length === 0 ? (
        <EmptyState>{told.noNodes}</EmptyState>
      ) : (
        <Panel>
          <NodeList nodes={nodes} context={{ run, ...more }} />
        </Panel>
      )}
      <LeftOut run={run} />
    </Section>
  )
}

function NodeList({ nodes, context }: { nodes: readonly GroupedNode[]; context: NodeContext }) {
  return (
    <ol className="divide-y divide-line">
      {nodes.map((grouped) => (
        <li key={[grouped.node_id, ...grouped.iteration].join(' ')} className="px-4 py-3">
          <RunNode grouped={grouped} context={context} />
          {grouped.rounds.length > 0 && (
            <div className="mt-2">
              <RoundsFold summary={told.rounds(grouped.rounds.length)}>
                {() => <Rounds rounds={grouped.rounds} context={context} />}
              </RoundsFold>
            </div>
          )}
        </li>
      ))}
    </ol>
  )
}

function Rounds({ rounds, context }: { rounds: readonly NodeRound[]; context: NodeContext }) {
  return (
    <ol className="grid gap-2 border-line border-l pl-3">
      {rounds.map(({ iteration, nodes }) => {
        const state = roundState(nodes)
        return (
          <li key={iteration.join('.')}>
            <RoundsFold
              summary={
                <span className="text-ink">
                  {told.round((iteration.at(-1) ?? 0) + 1)} <Badge tone={nodeTones[state]}>{told.states[state]}</Badge>
                </span>
              }
            >
              {() => <NodeList nodes={nodes} context={context} />}
            </RoundsFold>
          </li>
        )
      })}
    </ol>
  )
}

function LeftOut({ run: { nodes_left_out } }: { run: WorkflowSnapshot }) {
  return nodes_left_out === 0 ? null : <p className="mt-2 text-faint text-sm">{told.unlisted(nodes_left_out)}</p>
}
