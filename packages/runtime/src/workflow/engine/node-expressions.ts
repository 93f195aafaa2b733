// What nodes evaluate: comparisons here, patterns and expressions in the process that can be killed.
import { type Condition, filled, filledJson } from '@tandem/contract/workflow'
import { nodeKey, type WorkflowNodeRecord } from '@tandem/contract/workflow-run'
import type { Evaluated } from '../evaluate/evaluator.ts'
import { compare } from '../rule/compare.ts'
import { expressionFailed } from './failures.ts'
import type { NodeOfKind, RunContext } from './run-context.ts'

export class NodeExpressions {
  readonly #context: RunContext

  constructor(context: RunContext) {
    this.#context = context
  }

  look(key: string, node: NodeOfKind<'transform' | 'condition'>, record: WorkflowNodeRecord): void {
    const context = this.#context
    const { iteration } = record
    const now = node.kind === 'condition' ? this.#compared(node.condition, iteration) : null
    if (now !== null) {
      context.completed(record, now ? 'true' : 'false', { output: String(now) })
      return
    }
    context.flights.start(key, async () => {
      const found = node.kind === 'condition' ? await this.#matched(node.condition, iteration) : await this.#transformed(node, iteration)
      context.ports.store.relaxed(() => {
        if (!found.ok) return context.failed(record, expressionFailed(node, found.reason_code, found.message, found.remedy))
        if (node.kind === 'transform') return context.completed(record, 'succeeded', context.log.keptOutput(found.value))
        context.completed(record, found.value === true ? 'true' : 'false', { output: String(found.value === true) })
      })
    })
  }

  /** Whether a loop is over after a round: known now, or evaluated elsewhere. */
  until(until: NodeOfKind<'repeat'>['until'], iteration: readonly number[]): boolean | Promise<Evaluated> {
    if ('expression' in until) return this.#aboutRound(until.expression, iteration)
    return this.#compared(until, iteration) ?? this.#matched(until, iteration)
  }

  /** Null if a pattern is to be matched, which is done elsewhere. */
  #compared({ left, comparison, right }: Condition, iteration: readonly number[]): boolean | null {
    const look = this.#context.lookUp(iteration)
    if (comparison === 'matches') return null
    return compare(comparison, filled(left, look), right === undefined ? undefined : filled(right, look))
  }

  #matched({ left, right = '' }: Condition, iteration: readonly number[]): Promise<Evaluated> {
    const look = this.#context.lookUp(iteration)
    const text = filled(left, look)
    return this.#context.ports.evaluator.matches(String(filled(right, look)), typeof text === 'string' ? text : JSON.stringify(text))
  }

  #transformed({ expression, input }: NodeOfKind<'transform'>, iteration: readonly number[]): Promise<Evaluated> {
    return this.#context.ports.evaluator.evaluate(expression, filledJson(JSON.parse(input), this.#context.lookUp(iteration)))
  }

  /** An expression about the inputs and the nodes of the round. */
  #aboutRound(expression: string, iteration: readonly number[]): Promise<Evaluated> {
    const { definition, graph, log, values, ports } = this.#context
    const nodes = definition.nodes.flatMap(({ id }) => {
      const outer = iteration.slice(0, graph.loopsAround(id).length)
      const record = log.run.nodes.get(nodeKey(id, outer))
      return record ? [[id, { output: values.output(record) ?? null, outcome: record.outcome }]] : []
    })
    return ports.evaluator.evaluate(expression, { inputs: values.inputs, nodes: Object.fromEntries(nodes) })
  }
}
