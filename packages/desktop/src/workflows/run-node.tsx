// One node of a workflow run: its state, what it waits for, why it failed, and its output.
import type { WorkflowRunNode, WorkflowSnapshot } from '@tandem/contract/command'
import type { WorkflowNode } from '@tandem/contract/workflow'
import { Badge } from '../part/badge.tsx'
import { SmallFold } from '../part/fold.tsx'
import { ChildLink, NodeWait } from '../part/workflow/node-wait.tsx'
import { Failure } from '../result/failure.tsx'
import { words } from '../strings/window.ts'
import { workflowWords } from '../strings/workflows.ts'
import { visibleName } from '../text/name.ts'
import { visibleSentence } from '../text/sentence.ts'
import { formatTime } from '../text/time.ts'
import type { GroupedNode } from './node-groups.ts'
import { NodeOutput } from './node-output.tsx'
import { nodeTones } from './node-tones.ts'
import { SkipNode } from './skip-node.tsx'

export interface NodeContext {
  readonly run: WorkflowSnapshot
  readonly canSkip: boolean
  again(): Promise<void>
}

const told = workflowWords.run

export function RunNode({ grouped, context }: { grouped: GroupedNode; context: NodeContext }) {
  const { node_id, node, iteration, record } = grouped
  const { run } = context
  const state = record?.state ?? 'pending'
  const name = visibleName(node?.title ?? node_id)
  return (
    <article aria-label={name}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
        <p className="min-w-0 break-words">
          <span className="font-medium">{name}</span> <span className="text-faint text-sm">{kindText(node)}</span>
        </p>
        <Badge tone={nodeTones[state]}>{told.states[state]}</Badge>
      </div>
      {record && <NodeFacts record={record} node={node} />}
      {record && state === 'waiting' && <NodeWait name={name} node={node} record={record} run={run} />}
      {record && state !== 'waiting' && <ChildLink node={node} record={record} />}
      {record && state === 'skipped' && record.reason !== null && (
        <p className="mt-1 break-words text-soft text-sm">{visibleSentence(record.reason)}</p>
      )}
      {record?.failure_contract && (
        <div className="mt-2">
          <Failure contract={record.failure_contract} />
        </div>
      )}
      {state === 'completed' && (
        <div className="mt-1.5">
          <SmallFold summary={<span title={told.outputOf(name)}>{told.output}</span>}>
            {() => <NodeOutput workflow_run_id={run.workflow_run_id} node_id={node_id} iteration={iteration} />}
          </SmallFold>
        </div>
      )}
      {context.canSkip && <SkipNode name={name} grouped={grouped} context={context} />}
    </article>
  )
}

function NodeFacts({ record, node }: { record: WorkflowRunNode; node: WorkflowNode | null }) {
  const { attempt, started_at, ended_at, outcome, tokens } = record
  const isDecided = node !== null && (node.kind === 'condition' || node.kind === 'approval') && outcome !== null
  const facts = [
    ...(started_at === null ? [] : [workflowWords.started(formatTime(started_at))]),
    ...(started_at === null || ended_at === null ? [] : [told.took(duration(started_at, ended_at))]),
    ...(attempt > 1 ? [told.attempt(attempt)] : []),
    ...(tokens === null ? [] : [words.cards.used(tokens)]),
    ...(isDecided ? [told.outcomes[outcome]] : []),
  ]
  return facts.length === 0 ? null : <p className="text-faint text-sm">{facts.join(' · ')}</p>
}

function kindText(node: WorkflowNode | null): string {
  if (node === null) return ''
  return node.kind === 'tool' ? `${told.kinds.tool} ${visibleName(node.tool)}` : told.kinds[node.kind]
}

function duration(started_at: string, ended_at: string): string {
  return words.cards.elapsed(Math.max(0, Math.round((Date.parse(ended_at) - Date.parse(started_at)) / 1_000)))
}
