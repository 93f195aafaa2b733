// The mistakes of a content against its schema. Each node is compared with the schema of its own kind, so that a message is about it.
import { limits } from '@tandem/contract/limits'
import { fieldErrors } from '@tandem/contract/validation'
import { workflowNodeKinds } from '@tandem/contract/workflow'
import { WorkflowContent, WorkflowEdge, WorkflowInput, WorkflowNode, WorkflowOutput } from '@tandem/contract/workflow/schema'
import type { TSchema } from 'typebox'
import { Settings } from 'typebox/system'
import { Errors } from 'typebox/value'
import { isRecord } from './json-field.ts'

export interface ShapeIssue {
  /** JSON pointer into the content. */
  readonly pointer: string
  readonly message: string
}

/** `topFields` are those of the document as it is written. */
export function checkShape(content: Readonly<Record<string, unknown>>, topFields: readonly string[]): ShapeIssue[] {
  // By default it stops after 8.
  Settings.Set({ maxErrors: 100 })
  const { definition } = content
  if (!isRecord(definition)) return errorsOf(WorkflowContent, content, '', 'a workflow', topFields)
  const whole = { ...content, definition: { ...definition, ...standIns(definition) } }
  return [
    ...errorsOf(WorkflowContent, whole, '', 'a workflow', topFields),
    ...itemsOf(definition, 'inputs').flatMap((input, at) => errorsOf(WorkflowInput, input, `/definition/inputs/${at}`, 'an input')),
    ...itemsOf(definition, 'nodes').flatMap((node, at) => nodeErrors(node, `/definition/nodes/${at}`)),
    ...itemsOf(definition, 'edges').flatMap((edge, at) => errorsOf(WorkflowEdge, edge, `/definition/edges/${at}`, 'an edge')),
    ...itemsOf(definition, 'outputs').flatMap((output, at) => errorsOf(WorkflowOutput, output, `/definition/outputs/${at}`, 'an output')),
  ]
}

/** No list may be longer. */
const mostItems = limits.workflow_edges

/** Valid items in place of those that are checked one by one. */
const valid = {
  inputs: { name: 'a', type: 'text', required: true },
  nodes: { id: 'a', kind: 'wait', seconds: 0 },
  edges: { from: 'a', to: 'a' },
  outputs: { name: 'a', type: 'text', value: '' },
} as const

function standIns(definition: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(valid).flatMap(([name, item]) => {
      const list = definition[name]
      return Array.isArray(list) ? [[name, list.slice(0, mostItems + 1).map(() => item)]] : []
    }),
  )
}

function itemsOf(definition: Readonly<Record<string, unknown>>, name: keyof typeof valid): readonly unknown[] {
  const list = definition[name]
  // A list that is too long is a mistake itself.
  return Array.isArray(list) ? list.slice(0, mostItems) : []
}

function nodeErrors(node: unknown, pointer: string): ShapeIssue[] {
  if (!isRecord(node)) return [{ pointer, message: 'must be an object with `id` and `kind`' }]
  const kinds = `must be one of ${workflowNodeKinds.join(', ')}`
  if (!Object.hasOwn(node, 'kind')) return [{ pointer: `${pointer}/kind`, message: `is missing; it ${kinds}` }]
  const shape = WorkflowNode.anyOf.find(({ properties }) => properties.kind.const === node.kind)
  if (!shape) return [{ pointer: `${pointer}/kind`, message: kinds }]
  const noun = `a node of kind ${node.kind}`
  const { until } = node
  if (node.kind !== 'repeat' || !isRecord(until)) return errorsOf(shape, node, pointer, noun)
  const plain = { ...node, until: { expression: 'true' } }
  return [...errorsOf(shape, plain, pointer, noun), ...errorsOf(untilShape(until), until, `${pointer}/until`, 'a condition')]
}

/** `until` is a comparison or an expression. */
function untilShape(until: Readonly<Record<string, unknown>>): TSchema {
  const [comparison, expression] = WorkflowNode.anyOf[9].properties.until.anyOf
  return Object.hasOwn(until, 'expression') ? expression : comparison
}

function errorsOf(schema: TSchema, value: unknown, pointer: string, noun: string, fields = fieldsOf(schema)): ShapeIssue[] {
  const depth = pointer.split('/').length
  return fieldErrors(Errors(schema, value), pointer).map((error) => {
    if (error.message !== 'is not a known field' || error.pointer.split('/').length > depth + 1) return error
    return { ...error, message: `is not a field of ${noun}, which has ${fields.join(', ')}` }
  })
}

function fieldsOf(schema: TSchema): readonly string[] {
  return 'properties' in schema && isRecord(schema.properties) ? Object.keys(schema.properties) : []
}
