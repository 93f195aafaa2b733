// What a workflow run does next, from its state alone. Nothing is evaluated or started here.
import type { FailureContract } from '@tandem/contract/failure'
import { isLoop, type WorkflowDefinition, type WorkflowEdge, WorkflowGraph, type WorkflowNode } from '@tandem/contract/workflow'
import { nodeKey, pendingNode, type WorkflowNodeRecord, type WorkflowRunRecord } from '@tandem/contract/workflow-run'
import { type LoopRounds, OpenRounds } from './loop-rounds.ts'

/** The reason of a failure that a person decided. */
export const endedByUser = 'ended_by_user'

type NodePlace = { readonly node_id: string; readonly iteration: readonly number[] }

export type WorkflowStep = NodePlace &
  (
    | { readonly do: 'start'; readonly attempt: number /** Milliseconds after it failed. */; readonly after_ms: number }
    | { readonly do: 'skip'; readonly reason: string }
    /** The items of a loop are to be listed. */
    | { readonly do: 'list_items' }
    /** Whether a loop is over is to be looked up, after a round. */
    | { readonly do: 'look_until'; readonly round: number }
    | { readonly do: 'end_loop'; readonly outcome: 'succeeded' | 'failed'; readonly reason: string | null }
  )

export type NextSteps =
  | { readonly is: 'running'; readonly steps: readonly WorkflowStep[] }
  | { readonly is: 'completed' }
  /** It fails because of this node. What else runs is to be stopped. */
  | { readonly is: 'failed'; readonly because: NodePlace }

/** What the engine has evaluated; null until then. */
export interface LoopFacts {
  items(loop: string, iteration: readonly number[]): number | null
  until(loop: string, iteration: readonly number[], round: number): boolean | null
}

interface Visited {
  readonly isOver: boolean
  readonly failed: NodePlace | null
}

type Loop<Kind extends string> = Extract<WorkflowNode, { kind: Kind }>

/** For as long as nodes only go on: after one was reset, another scheduler looks at the whole run again. */
export class WorkflowScheduler {
  readonly #graph: WorkflowGraph
  readonly #incoming: ReadonlyMap<string, readonly WorkflowEdge[]>
  readonly #outgoing: ReadonlyMap<string, readonly WorkflowEdge[]>
  readonly #facts: LoopFacts
  readonly #rounds: OpenRounds
  #run: Pick<WorkflowRunRecord, 'nodes'>
  #steps: WorkflowStep[] = []

  constructor(definition: WorkflowDefinition, run: Pick<WorkflowRunRecord, 'nodes'>, facts: LoopFacts) {
    this.#graph = new WorkflowGraph(definition)
    this.#incoming = Map.groupBy(definition.edges, ({ to }) => to)
    this.#outgoing = Map.groupBy(definition.edges, ({ from }) => from)
    this.#facts = facts
    this.#run = run
    this.#rounds = new OpenRounds(run, (node_id) => this.#graph.node(node_id)?.within)
  }

  /** After the events that came of the steps before. */
  next(run: Pick<WorkflowRunRecord, 'nodes'>): NextSteps {
    this.#run = run
    this.#steps = []
    const { isOver, failed } = this.#visit(undefined, [])
    if (failed) return { is: 'failed', because: failed }
    return isOver ? { is: 'completed' } : { is: 'running', steps: this.#steps }
  }

  #record(node_id: string, iteration: readonly number[]): WorkflowNodeRecord {
    return this.#run.nodes.get(nodeKey(node_id, iteration)) ?? pendingNode(node_id, iteration)
  }

  /** The nodes of a loop in one round, or those of the workflow itself. */
  #visit(loop: string | undefined, iteration: readonly number[]): Visited {
    let isOver = true
    let failed: NodePlace | null = null
    for (const id of this.#graph.body(loop)) {
      const node = this.#graph.node(id)
      if (!node) continue
      const record = this.#record(id, iteration)
      if (this.#isFinal(node, record)) {
        if (record.state === 'failed' && this.#stops(node)) failed ??= { node_id: id, iteration }
        continue
      }
      isOver = false
      if (record.state === 'pending') this.#decide(node, iteration)
      else if (record.state === 'failed') this.#retry(node, record)
      else if (record.state === 'running' && node.kind === 'for_each') this.#visitItems(node, iteration)
      else if (record.state === 'running' && node.kind === 'repeat') this.#visitRounds(node, iteration)
    }
    return { isOver, failed }
  }

  /** It has ended, and is not tried again. */
  #isFinal(node: WorkflowNode, { state, attempt, failure }: WorkflowNodeRecord): boolean {
    if (state === 'failed') return attempt >= attemptsOf(node) || isDecided(failure)
    return state === 'completed' || state === 'skipped' || state === 'compensated'
  }

  /** Whether its failure ends the loop or the workflow that it is in. */
  #stops(node: WorkflowNode): boolean {
    const isHandled = this.#outgoing.get(node.id)?.some(({ when }) => when === 'failed') ?? false
    return !isHandled && !('on_failure' in node && node.on_failure === 'continue')
  }

  #retry(node: WorkflowNode, { iteration, attempt }: WorkflowNodeRecord): void {
    const after_ms = 'retry' in node ? (node.retry?.backoff_seconds ?? 0) * 1_000 : 0
    this.#steps.push({ do: 'start', node_id: node.id, iteration, attempt: attempt + 1, after_ms })
  }

  /** Starts or skips it as soon as the edges to it decide that. */
  #decide({ id: node_id, join = 'all' }: WorkflowNode, iteration: readonly number[]): void {
    const edges = (this.#incoming.get(node_id) ?? []).map((edge) => this.#isFollowed(edge, iteration))
    const isOpen = edges.includes(null)
    const isFollowed = edges.includes(true)
    if (edges.length === 0 || (isFollowed && (join === 'any' || !isOpen))) {
      this.#steps.push({ do: 'start', node_id, iteration, attempt: 1, after_ms: 0 })
    } else if (!isOpen) {
      this.#steps.push({ do: 'skip', node_id, iteration, reason: this.#reason(node_id, iteration) })
    }
  }

  /** Null as long as its node has not ended. */
  #isFollowed({ from, when = 'succeeded' }: WorkflowEdge, iteration: readonly number[]): boolean | null {
    const node = this.#graph.node(from)
    const record = this.#record(from, iteration)
    return node && this.#isFinal(node, record) ? record.outcome === when : null
  }

  #reason(node_id: string, iteration: readonly number[]): string {
    const ends = (this.#incoming.get(node_id) ?? []).map(({ from }) => {
      const { state, outcome } = this.#record(from, iteration)
      return outcome === null ? `${from} was ${state}` : `${from} ended with ${outcome}`
    })
    return [...new Set(ends)].join(', ').slice(0, 500)
  }

  #failure({ node_id, iteration }: NodePlace): string {
    const { failure } = this.#record(node_id, iteration)
    return `${node_id} failed${failure === null ? '' : `: ${failure.details.message}`}`.slice(0, 500)
  }

  #visitItems(node: Loop<'for_each'>, iteration: readonly number[]): void {
    const items = this.#facts.items(node.id, iteration)
    if (items === null) {
      this.#steps.push({ do: 'list_items', node_id: node.id, iteration })
      return
    }
    const rounds = this.#rounds.of(node.id, iteration)
    for (const round of rounds.open) {
      const failed = this.#visitRound(node, iteration, round, rounds)
      if (failed && node.on_item_failure !== 'continue') {
        this.#endLoop(node, iteration, 'failed', `item ${round + 1}: ${this.#failure(failed)}`)
        return
      }
      if (failed) rounds.failed += 1
    }
    for (; rounds.open.size < node.concurrency && rounds.next < items; rounds.next += 1) {
      rounds.open.add(rounds.next)
      this.#visit(node.id, [...iteration, rounds.next])
    }
    if (rounds.open.size === 0)
      this.#endLoop(node, iteration, 'succeeded', rounds.failed === 0 ? null : `${rounds.failed} of ${items} items failed`)
  }

  #visitRounds(node: Loop<'repeat'>, iteration: readonly number[]): void {
    const rounds = this.#rounds.of(node.id, iteration)
    if (rounds.next === 0) this.#openRound(rounds)
    const round = rounds.next - 1
    if (rounds.open.has(round)) {
      const failed = this.#visitRound(node, iteration, round, rounds)
      if (failed) this.#endLoop(node, iteration, 'failed', `round ${round + 1}: ${this.#failure(failed)}`)
      if (failed || rounds.open.has(round)) return
    }
    const isDone = this.#facts.until(node.id, iteration, round)
    if (isDone === null) this.#steps.push({ do: 'look_until', node_id: node.id, iteration, round })
    else if (isDone) this.#endLoop(node, iteration, 'succeeded', null)
    else if (rounds.next >= node.most_rounds) {
      this.#endLoop(node, iteration, 'failed', `the condition was still not met after ${node.most_rounds} rounds`)
    } else {
      this.#openRound(rounds)
      this.#visit(node.id, [...iteration, round + 1])
    }
  }

  #openRound(rounds: LoopRounds): void {
    rounds.open.add(rounds.next)
    rounds.next += 1
  }

  /** Closes it when it is over. */
  #visitRound(node: WorkflowNode, iteration: readonly number[], round: number, rounds: LoopRounds): NodePlace | null {
    const { isOver, failed } = this.#visit(node.id, [...iteration, round])
    if (isOver || failed) rounds.open.delete(round)
    return failed
  }

  #endLoop(node: WorkflowNode, iteration: readonly number[], outcome: 'succeeded' | 'failed', reason: string | null): void {
    this.#steps.push({ do: 'end_loop', node_id: node.id, iteration, outcome, reason })
  }
}

/** A person or a policy said no: to try again would ask again. */
function isDecided(failure: FailureContract | null): boolean {
  if (failure === null) return false
  return failure.taxonomy === 'policy_failure' || failure.reason_code === 'denied_by_user' || failure.reason_code === endedByUser
}

function attemptsOf(node: WorkflowNode): number {
  return isLoop(node) ? 1 : 'retry' in node ? (node.retry?.attempts ?? 1) : 1
}
