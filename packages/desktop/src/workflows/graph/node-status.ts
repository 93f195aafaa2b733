// What a workflow run shows at each node of its graph, over all rounds of the loops around it.
import type { WorkflowRunNode } from '@tandem/contract/command'
import { isLoop, type WorkflowDefinition, type WorkflowOutcome } from '@tandem/contract/workflow'
import type { WorkflowNodeState } from '@tandem/contract/workflow-run'

export interface NodeStatus {
  readonly state: WorkflowNodeState
  /** The latest round in this state; null until something has happened. */
  readonly record: WorkflowRunNode | null
  /** How it ended, in any round. */
  readonly outcomes: ReadonlySet<WorkflowOutcome>
  /** How many rounds failed, if the node is in a loop. */
  readonly failed: number
  /** The rounds of a loop that have ended, in the latest round around it. */
  readonly rounds: number | null
}

/** What happens now comes first, then what a user should know. */
const order = [
  'waiting',
  'running',
  'failed',
  'compensated',
  'completed',
  'skipped',
  'pending',
] as const satisfies readonly WorkflowNodeState[]

export function nodeStatuses(definition: WorkflowDefinition, nodes: readonly WorkflowRunNode[]): ReadonlyMap<string, NodeStatus> {
  const records = Map.groupBy(nodes, ({ node_id }) => node_id)
  const bodies = Map.groupBy(definition.nodes, ({ within }) => within)
  return new Map(
    definition.nodes.map((node) => {
      const own = records.get(node.id) ?? []
      const state = order.find((one) => own.some((record) => record.state === one)) ?? 'pending'
      const record = latest(own.filter((one) => one.state === state))
      const failed = node.within === undefined ? 0 : own.filter((one) => one.state === 'failed').length
      const body = (bodies.get(node.id) ?? []).map(({ id }) => records.get(id) ?? [])
      const outcomes = new Set(own.flatMap(({ outcome }) => (outcome === null ? [] : [outcome])))
      const rounds = isLoop(node) && record !== null ? endedRounds(record, body) : null
      return [node.id, { state, record, outcomes, failed, rounds }]
    }),
  )
}

/** Rounds start in order, and the latest ones are listed. */
function endedRounds(loop: WorkflowRunNode, body: readonly (readonly WorkflowRunNode[])[]): number {
  const depth = loop.iteration.length
  const inside = body.map((records) => records.filter(({ iteration }) => loop.iteration.every((round, at) => iteration[at] === round)))
  const rounds = Map.groupBy(inside.flat(), ({ iteration }) => iteration[depth] ?? 0)
  const started = Math.max(-1, ...rounds.keys()) + 1
  if (loop.state !== 'running' && loop.state !== 'waiting') return started
  const isOpen = ([round, records]: readonly [number, readonly WorkflowRunNode[]]) =>
    records.some(({ state }) => state === 'running' || state === 'waiting') || (round === started - 1 && records.length < body.length)
  return started - [...rounds].filter(isOpen).length
}

function latest(records: readonly WorkflowRunNode[]): WorkflowRunNode | null {
  return records.reduce<WorkflowRunNode | null>((best, one) => (best === null || isLater(one, best) ? one : best), null)
}

function isLater({ iteration }: WorkflowRunNode, than: WorkflowRunNode): boolean {
  const at = iteration.findIndex((round, place) => round !== than.iteration[place])
  return at !== -1 && (iteration[at] ?? 0) > (than.iteration[at] ?? 0)
}
