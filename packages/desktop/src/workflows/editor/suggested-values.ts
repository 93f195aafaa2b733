// The values that a field can have: those of the schema, and the names of nodes, tools, agents and workflows.
import { loopKinds } from '@tandem/contract/workflow'
import { isOfType, type JsonSchema } from './schema-at.ts'
import type { KnownNames, Suggestion } from './suggestion.ts'
import type { TextPath } from './text-outline.ts'
import type { WorkflowOutline } from './workflow-outline.ts'

interface Place {
  readonly path: TextPath
  readonly schemas: readonly JsonSchema[]
  readonly outline: WorkflowOutline
  readonly known: KnownNames
}

export function suggestedValues(place: Place): readonly Suggestion[] {
  const named = suggestedNames(place)
  return named.length > 0 ? named : place.schemas.flatMap(valuesOf).filter(isFirst)
}

function valuesOf(schema: JsonSchema): readonly Suggestion[] {
  if (schema.const !== undefined) {
    return [{ label: String(schema.const), ...(schema.description === undefined ? {} : { info: schema.description }) }]
  }
  const values = schema.enum ?? (isOfType(schema, 'boolean') ? [true, false] : [])
  return values.map((value) => ({ label: String(value) }))
}

function suggestedNames({ path, outline, known }: Place): readonly Suggestion[] {
  const [list, index, field, inner] = path
  if (list === 'edges') return edgeNames(path, outline)
  if (list !== 'nodes' || typeof index !== 'number') return []
  const own = outline.valueAt(['nodes', index, 'id'])
  if (field === 'tool' || (field === 'compensation' && inner === 'tool')) {
    return known.tools.map(({ name, summary }) => ({ label: name, info: summary }))
  }
  if (field === 'agent_id') return known.agents.map(identified)
  if (field === 'workflow_id') return known.workflows.map(identified)
  if (field === 'within') return nodeNames(outline.nodes().filter(({ id, kind }) => loopKinds.some((loop) => loop === kind) && id !== own))
  return []
}

function edgeNames([, index, field]: TextPath, outline: WorkflowOutline): readonly Suggestion[] {
  if (index === undefined || field === undefined) return []
  if (field === 'from' || field === 'to') return nodeNames(outline.nodes())
  if (field !== 'when') return []
  return outline.outcomesOf(outline.valueAt(['edges', index, 'from'])).map((label) => ({ label }))
}

export function nodeNames(nodes: ReturnType<WorkflowOutline['nodes']>): readonly Suggestion[] {
  return nodes.map(({ id, kind }) => ({ label: id, detail: kind }))
}

/** Shown and found by its name, and written as its id. */
function identified({ id, name }: { readonly id: string; readonly name: string }): Suggestion {
  return { label: name, insert: id, detail: id.length > 13 ? `${id.slice(0, 12)}…` : id }
}

function isFirst({ label }: Suggestion, at: number, all: readonly Suggestion[]): boolean {
  return all.findIndex((one) => one.label === label) === at
}
