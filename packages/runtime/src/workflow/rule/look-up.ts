// What the placeholders of a node refer to, in the round that it is in.
import { filled, type Reference, valueAt, type WorkflowGraph } from '@tandem/contract/workflow'
import { nodeKey, type WorkflowNodeRecord, type WorkflowRunRecord } from '@tandem/contract/workflow-run'
import type { WorkflowInputs } from './inputs.ts'

export interface KnownValues {
  readonly graph: WorkflowGraph
  readonly inputs: WorkflowInputs
  run(): Pick<WorkflowRunRecord, 'nodes'>
  output(node: WorkflowNodeRecord): unknown
  /** The items of a loop, as they were listed. */
  items(loop: string, iteration: readonly number[]): readonly unknown[]
}

/** `iteration`: of the place that the text is in. Undefined for what does not exist. */
export function lookUp(known: KnownValues, iteration: readonly number[]): (reference: Reference) => unknown {
  const depthOf = (id: string) => known.graph.loopsAround(id).length
  return (reference) => {
    const { name, path } = reference
    if (reference.of === 'inputs') return Object.hasOwn(known.inputs, name) ? valueAt(known.inputs[name], path) : undefined
    const outer = iteration.slice(0, depthOf(name))
    if (reference.of === 'loops') {
      const index = iteration[outer.length]
      if (index === undefined || reference.field === 'index') return index
      return valueAt(known.items(name, outer)[index], path)
    }
    const node = known.run().nodes.get(nodeKey(name, outer))
    if (!node) return undefined
    return valueAt(reference.field === 'error' ? node.failure?.details.message : known.output(node), path)
  }
}

/** The items of a loop; null if they are no list. */
export function itemsOf(items: string, look: (reference: Reference) => unknown): readonly unknown[] | null {
  const value = filled(items, look)
  const list = typeof value === 'string' ? listIn(value) : value
  return Array.isArray(list) ? list : null
}

function listIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
