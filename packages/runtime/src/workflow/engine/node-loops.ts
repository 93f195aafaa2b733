// Loops: their items, whether they are over, and what they return.
import { limits } from '@tandem/contract/limits'
import { filled } from '@tandem/contract/workflow'
import { nodeKey, type WorkflowNodeRecord } from '@tandem/contract/workflow-run'
import type { LoopFacts, WorkflowStep } from '../rule/next-steps.ts'
import { expressionFailed, loopFailed, notAList, tooManyItems } from './failures.ts'
import type { NodeExpressions } from './node-expressions.ts'
import type { NodeOfKind, RunContext } from './run-context.ts'
import type { NodePlace } from './run-log.ts'

type StepTo<Do extends WorkflowStep['do']> = Extract<WorkflowStep, { do: Do }>

export class NodeLoops implements LoopFacts {
  readonly #context: RunContext
  readonly #expressions: NodeExpressions
  /** Whether a loop was over after a round, by the loop and the round. */
  readonly #untils = new Map<string, boolean>()
  /** The last round of each loop that was looked at. */
  readonly #lastRounds = new Map<string, number>()

  constructor(context: RunContext, expressions: NodeExpressions) {
    this.#context = context
    this.#expressions = expressions
  }

  items(loop: string, iteration: readonly number[]): number | null {
    return this.#context.items.get(nodeKey(loop, iteration))?.length ?? null
  }

  until(loop: string, iteration: readonly number[], round: number): boolean | null {
    return this.#untils.get(nodeKey(loop, [...iteration, round])) ?? null
  }

  listItems({ node_id, iteration }: NodePlace): void {
    const items = this.#context.listed(node_id, iteration)
    const most = limits.workflow_rounds
    if (items !== null && items.length <= most) return
    const failure = items === null ? notAList(node_id) : tooManyItems(node_id, items.length, most)
    this.#context.failed(this.#context.record(nodeKey(node_id, iteration)), failure)
  }

  /** Returns whether it is known already. */
  lookUntil({ node_id, iteration, round }: StepTo<'look_until'>): boolean {
    const place = [...iteration, round]
    const key = nodeKey(node_id, place)
    const flight = `until:${key}`
    if (this.#context.flights.has(flight)) return false
    this.#lastRounds.set(nodeKey(node_id, iteration), round)
    const { until } = this.#context.node({ node_id }) as NodeOfKind<'repeat'>
    const found = this.#expressions.until(until, place)
    if (typeof found === 'boolean') {
      this.#untils.set(key, found)
      return true
    }
    this.#context.flights.start(flight, async () => {
      const evaluated = await found
      if (evaluated.ok) this.#untils.set(key, evaluated.value === true)
      else {
        const { reason_code, message, remedy } = evaluated
        const record = this.#context.record(nodeKey(node_id, iteration))
        const failure = expressionFailed({ id: node_id }, reason_code, message, remedy)
        this.#context.ports.store.relaxed(() => this.#context.failed(record, failure))
      }
    })
    return false
  }

  end({ node_id, iteration, outcome, reason }: StepTo<'end_loop'>): void {
    const context = this.#context
    const record = context.record(nodeKey(node_id, iteration))
    if (outcome === 'failed') {
      context.failed(record, loopFailed(node_id, reason ?? 'it failed'))
      this.#stopWithin(record)
      return
    }
    const node = context.node(record) as NodeOfKind<'for_each' | 'repeat'>
    const result = node.kind === 'for_each' ? this.#results(node, iteration) : this.#lastResult(node, iteration)
    context.completed(record, 'succeeded', context.log.keptOutput(result))
  }

  #results({ id, result }: NodeOfKind<'for_each'>, iteration: readonly number[]): readonly unknown[] {
    return (this.#context.listed(id, iteration) ?? []).map((_item, round) =>
      result === undefined ? null : (filled(result, this.#context.lookUp([...iteration, round])) ?? null),
    )
  }

  #lastResult({ id, result }: NodeOfKind<'repeat'>, iteration: readonly number[]): unknown {
    const last = this.#lastRounds.get(nodeKey(id, iteration)) ?? 0
    return result === undefined ? null : filled(result, this.#context.lookUp([...iteration, last]))
  }

  /** A loop has failed: what its other rounds are doing is stopped. */
  #stopWithin({ node_id, iteration }: WorkflowNodeRecord): void {
    const { active, graph, flights } = this.#context
    for (const key of active) {
      const record = this.#context.record(key)
      const isWithin = graph.loopsAround(record.node_id).includes(node_id) && iteration.every((round, at) => record.iteration[at] === round)
      if (isWithin && !flights.abort(key)) this.#context.stopped(record)
    }
  }
}
