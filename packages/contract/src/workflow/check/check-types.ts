import type { WorkflowValueType } from '../definition.ts'
import type { Condition, WorkflowDefinition, WorkflowNode } from '../schema.ts'
import { templateParts, wholeReference } from '../template.ts'
import type { WorkflowGraph } from './graph.ts'
import type { WorkflowIssue } from './issue.ts'
import { inputTypes, typeOfTemplate, typeTexts, type ValueType } from './value-type.ts'

export function checkTypes(definition: WorkflowDefinition, graph: WorkflowGraph): WorkflowIssue[] {
  const { inputs, nodes, outputs = [] } = definition
  const typeOf = (template: string) => typeOfTemplate(template, definition, graph)
  return [
    ...inputs.flatMap(({ type, default_value }, at) =>
      default_value === undefined ? [] : issue(`/inputs/${at}/default_value`, defaultProblem(type, default_value)),
    ),
    ...nodes.flatMap((node, at) => nodeIssues(node, `/nodes/${at}`, typeOf)),
    ...outputs.flatMap(({ type, value }, at) => issue(`/outputs/${at}/value`, outputProblem(type, value, typeOf(value)))),
  ]
}

function issue(pointer: string, message: string | null): WorkflowIssue[] {
  return message === null ? [] : [{ pointer, message }]
}

function defaultProblem(type: WorkflowValueType, default_value: string): string | null {
  let value: unknown
  try {
    value = JSON.parse(default_value)
  } catch {
    return 'is not valid JSON'
  }
  return valueProblem(type, value)
}

/** Why a value is not of the type that an input or an output has; null if it is. */
export function valueProblem(type: WorkflowValueType, value: unknown): string | null {
  const wanted = { text: 'string', file: 'string', number: 'number', flag: 'boolean', json: null }[type]
  if (wanted === null || typeof value === wanted) return null
  return `must be ${typeTexts[inputTypes[type]]}`
}

function outputProblem(type: WorkflowValueType, template: string, is: ValueType): string | null {
  const wanted = inputTypes[type]
  if (wanted === 'any' || is === 'any' || is === wanted) return null
  return `is ${typeTexts[is]}, but the output must be ${typeTexts[wanted]}${wholeReference(template) ? '' : '; a value that consists of one placeholder keeps its type'}`
}

function nodeIssues(node: WorkflowNode, pointer: string, typeOf: (template: string) => ValueType): WorkflowIssue[] {
  if (node.kind === 'condition') return comparisonIssues(node.condition, `${pointer}/condition`, typeOf)
  if (node.kind === 'repeat') return 'expression' in node.until ? [] : comparisonIssues(node.until, `${pointer}/until`, typeOf)
  if (node.kind !== 'for_each') return []
  const is = typeOf(node.items)
  if (is === 'list' || is === 'any') return []
  if (templateParts(node.items).every((part) => 'text' in part) && isListText(node.items)) return []
  return [{ pointer: `${pointer}/items`, message: `is ${typeTexts[is]}, but must be a list: one placeholder, or a list as JSON` }]
}

function isListText(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text))
  } catch {
    return false
  }
}

const compared = {
  ...{ greater: ['text', 'number', 'any'], less: ['text', 'number', 'any'] },
  ...{ contains: ['text', 'list', 'any'], matches: ['text', 'any'] },
} as const satisfies Partial<Record<Condition['comparison'], readonly ValueType[]>>

function comparisonIssues(
  { left, comparison, right }: Condition,
  pointer: string,
  typeOf: (template: string) => ValueType,
): WorkflowIssue[] {
  const needsRight = comparison !== 'exists' && comparison !== 'empty'
  if (needsRight && right === undefined) return [{ pointer, message: `the comparison ${comparison} needs \`right\`` }]
  if (!needsRight && right !== undefined) return [{ pointer: `${pointer}/right`, message: `the comparison ${comparison} has no \`right\`` }]
  const allowed: readonly ValueType[] | undefined = comparison in compared ? compared[comparison as keyof typeof compared] : undefined
  const is = typeOf(left)
  if (!allowed || allowed.includes(is)) return []
  return [{ pointer: `${pointer}/left`, message: `is ${typeTexts[is]}, which cannot be compared by ${comparison}` }]
}
