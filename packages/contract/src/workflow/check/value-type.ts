// What is known of a value before it exists.
import type { WorkflowNodeKind, WorkflowValueType } from '../definition.ts'
import type { WorkflowDefinition } from '../schema.ts'
import { type Reference, wholeReference } from '../template.ts'
import type { WorkflowGraph } from './graph.ts'

export type ValueType = 'text' | 'number' | 'flag' | 'list' | 'any'

export const inputTypes: Readonly<Record<WorkflowValueType, ValueType>> = {
  text: 'text',
  number: 'number',
  flag: 'flag',
  json: 'any',
  file: 'text',
}

const outputTypes: Readonly<Record<WorkflowNodeKind, ValueType>> = {
  ...{ tool: 'any', agent: 'text', workflow: 'any', approval: 'any', question: 'text', condition: 'flag' },
  ...{ wait: 'any', transform: 'any', for_each: 'list', repeat: 'any' },
}

/** In a message. */
export const typeTexts: Readonly<Record<ValueType, string>> = {
  ...{ text: 'a text', number: 'a number', flag: 'true or false', list: 'a list', any: 'any value' },
}

/** A text that consists of one placeholder has the type of its value; all others are texts. */
export function typeOfTemplate(template: string, definition: WorkflowDefinition, graph: WorkflowGraph): ValueType {
  const reference = wholeReference(template)
  return reference ? typeOfReference(reference, definition, graph) : 'text'
}

export function typeOfReference(reference: Reference, { inputs }: WorkflowDefinition, graph: WorkflowGraph): ValueType {
  if (reference.path.length > 0) return 'any'
  if (reference.of === 'inputs') {
    const input = inputs.find(({ name }) => name === reference.name)
    return input ? inputTypes[input.type] : 'any'
  }
  if (reference.of === 'loops') return reference.field === 'index' ? 'number' : 'any'
  const node = graph.node(reference.name)
  return reference.field === 'error' || !node ? 'text' : outputTypes[node.kind]
}
