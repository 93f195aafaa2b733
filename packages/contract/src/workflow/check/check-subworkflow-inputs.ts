// Whether a node gives another workflow the inputs that it needs, as far as that workflow is known.
import type { WorkflowDefinition, WorkflowInput } from '../schema.ts'
import { wholeReference } from '../template.ts'
import { valueProblem } from './check-types.ts'
import type { WorkflowGraph } from './graph.ts'
import type { WorkflowIssue } from './issue.ts'
import { inputTypes, typeOfTemplate, typeTexts } from './value-type.ts'

export function checkSubworkflowInputs(
  definition: WorkflowDefinition,
  graph: WorkflowGraph,
  definitionOf: (workflow_id: string) => WorkflowDefinition | undefined,
): WorkflowIssue[] {
  return definition.nodes.flatMap((node, at) => {
    const inputs = node.kind === 'workflow' ? definitionOf(node.workflow_id)?.inputs : undefined
    const given = node.kind === 'workflow' ? objectIn(node.inputs) : null
    if (!inputs || !given) return []
    const names = inputs.map(({ name }) => name)
    const unknown = Object.keys(given).filter((name) => !names.includes(name))
    const messages = [
      ...unknown.map((name) => `${name}: the workflow has no such input`),
      ...inputs.flatMap((input) => inputProblem(input, given)),
    ]
    return messages.map((message) => ({ pointer: `/nodes/${at}/inputs`, message }))
  })

  function inputProblem({ name, type, required, default_value }: WorkflowInput, given: Readonly<Record<string, unknown>>): string[] {
    if (!Object.hasOwn(given, name)) return required && default_value === undefined ? [`${name}: is required`] : []
    const value = given[name]
    const is = typeof value === 'string' && wholeReference(value) ? typeOfTemplate(value, definition, graph) : null
    if (is === null) return valueProblem(type, value) === null ? [] : [`${name}: ${valueProblem(type, value)}`]
    const wanted = inputTypes[type]
    return is === 'any' || wanted === 'any' || is === wanted ? [] : [`${name}: is ${typeTexts[is]}, but must be ${typeTexts[wanted]}`]
  }
}

/** Null for what is reported as no valid JSON, or as no object. */
function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
