// One node in the graph, or the title of a loop with the box around its nodes.
import { isLoop, type WorkflowNode } from '@tandem/contract/workflow'
import { Handle, Position } from '@xyflow/react'
import { useContext, useEffect, useRef } from 'react'
import type { Tone } from '../../part/badge.tsx'
import { Elapsed } from '../../part/elapsed.tsx'
import { workflowGraphWords } from '../../strings/workflow-graph.ts'
import { workflowWords } from '../../strings/workflows.ts'
import { visibleName } from '../../text/name.ts'
import { nodeTones } from '../node-tones.ts'
import { GraphContext } from './graph-context.ts'
import { KindIcon } from './kind-icon.tsx'
import type { NodeStatus } from './node-status.ts'

const told = workflowWords.run

const tones: Readonly<Record<Tone, { readonly bar: string; readonly text: string }>> = {
  plain: { bar: 'border-l-line-strong', text: 'text-soft' },
  desktop: { bar: 'border-l-desktop', text: 'text-desktop' },
  cloud: { bar: 'border-l-cloud', text: 'text-cloud' },
  good: { bar: 'border-l-good', text: 'text-good' },
  warn: { bar: 'border-l-warn', text: 'text-warn' },
  bad: { bar: 'border-l-bad', text: 'text-bad' },
}

export function GraphNode({ data: { node, titleHeight } }: { data: { readonly node: WorkflowNode; readonly titleHeight: number } }) {
  const { statuses } = useContext(GraphContext)
  const status = statuses?.get(node.id) ?? null
  return (
    <>
      {/* The library draws only edges between handles. */}
      <Handle type="target" position={Position.Top} isConnectable={false} className="invisible" />
      {isLoop(node) ? (
        <div className="h-full rounded-xl border border-line-strong border-dashed bg-sunken/60">
          <div style={{ height: titleHeight }}>
            <Title node={node} status={status} className="h-full rounded-t-xl border-line border-b -outline-offset-2" />
          </div>
        </div>
      ) : (
        <Title node={node} status={status} className="h-full rounded-lg border border-line-strong shadow-card" />
      )}
      <Handle type="source" position={Position.Bottom} isConnectable={false} className="invisible" />
    </>
  )
}

function Title({ node, status, className }: { node: WorkflowNode; status: NodeStatus | null; className: string }) {
  const { selected, focused, onSelect } = useContext(GraphContext)
  const element = useRef<HTMLButtonElement & HTMLDivElement>(null)
  const isWanted = focused?.node_id === node.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: another object moves the focus again.
  useEffect(() => {
    if (isWanted) element.current?.focus({ preventScroll: true })
  }, [focused, isWanted])
  const name = visibleName(node.title ?? node.id)
  const tone = status === null ? null : tones[nodeTones[status.state]]
  const shared = {
    ref: element,
    tabIndex: -1,
    'data-node': node.id,
    className: `pointer-events-auto flex w-full flex-col justify-center bg-surface px-3 text-left ${className} ${tone === null ? '' : `border-l-4 ${tone.bar}`} ${selected === node.id ? 'outline-2 outline-cloud' : ''}`,
  }
  const content = (
    <>
      <span className="flex items-center gap-2">
        <KindIcon kind={node.kind} />
        <span className="truncate font-medium text-sm">{name}</span>
      </span>
      <span className="truncate text-faint text-xs">{kindText(node)}</span>
      {status !== null && <StateLine status={status} text={tone?.text ?? ''} />}
    </>
  )
  return onSelect === undefined ? (
    <div {...shared}>{content}</div>
  ) : (
    <button type="button" {...shared} aria-pressed={selected === node.id} onClick={() => onSelect(node.id)}>
      {content}
    </button>
  )
}

function StateLine({ status: { state, record, rounds, failed }, text }: { status: NodeStatus; text: string }) {
  const facts = [
    ...(rounds === null ? [] : [workflowGraphWords.rounds(rounds)]),
    ...(record?.tokens ? [workflowGraphWords.tokens(record.tokens)] : []),
    ...(failed > 0 && state !== 'failed' ? [workflowGraphWords.failed(failed)] : []),
  ]
  return (
    <span className="truncate text-faint text-xs tabular-nums">
      <span className={`font-medium ${text}`}>{told.states[state]}</span>
      {record?.started_at && state !== 'skipped' && (
        <>
          {' · '}
          <Elapsed since={record.started_at} until={record.ended_at} />
        </>
      )}
      {facts.map((fact) => ` · ${fact}`).join('')}
    </span>
  )
}

function kindText(node: WorkflowNode): string {
  return node.kind === 'tool' ? `${told.kinds.tool} ${visibleName(node.tool)}` : told.kinds[node.kind]
}
