import { filled, type WorkflowDefinition, WorkflowGraph } from '@tandem/contract/workflow'
import type { WorkflowRunRecord } from '@tandem/contract/workflow-run'
import type { Journal } from '../journal/journal.ts'
import { outputOf } from './engine/outputs.ts'
import { itemsOf, type KnownValues, lookUp } from './rule/look-up.ts'

/** What a workflow run that completed returns: its outputs by name, or its one output. */
export function workflowResult(journal: Journal, run: WorkflowRunRecord): unknown {
  const definition = definitionOf(journal, run)
  if (definition === null) return null
  const look = lookUp(valuesOf(journal, run, definition), [])
  const { output, outputs = [] } = definition
  if (outputs.length > 0) return Object.fromEntries(outputs.map(({ name, value }) => [name, filled(value, look) ?? null]))
  return output === undefined ? null : (filled(output, look) ?? null)
}

/** Null if it is in a file that is not on this device. */
export function definitionOf({ wholes }: Pick<Journal, 'wholes'>, run: WorkflowRunRecord): WorkflowDefinition | null {
  const { definition, definition_file_id } = run
  return JSON.parse(definition ?? (definition_file_id === null ? undefined : wholes.find(definition_file_id)) ?? 'null')
}

/** What placeholders refer to, from the events of a run. */
export function valuesOf(journal: Journal, run: WorkflowRunRecord, definition: WorkflowDefinition): KnownValues {
  const graph = new WorkflowGraph(definition)
  const values: KnownValues = {
    graph,
    inputs: JSON.parse(run.inputs ?? '{}'),
    run: () => run,
    output: (node) => outputOf(journal, graph.node(node.node_id)?.kind ?? 'tool', node),
    items(loop, iteration) {
      const node = graph.node(loop)
      return node?.kind === 'for_each' ? (itemsOf(node.items, lookUp(values, iteration)) ?? []) : []
    },
  }
  return values
}
