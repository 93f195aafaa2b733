// A document that people wrote, as a content in the stored form. Its shape is checked later; what does not have the form of a node or an
// edge stays as it is.
import { edgeOfText, type GraphNode, type WorkflowNodeKind, workflowNodeKinds, writtenOrder } from '@tandem/contract/workflow'
import { isRecord, jsonFieldOf, namedValuesProblem } from './json-field.ts'
import { pointerTo } from './text-node.ts'

export interface DocumentIssue {
  /** JSON pointer into the document. */
  readonly pointer: string
  readonly message: string
}

export interface StoredForm {
  readonly content: Readonly<Record<string, unknown>>
  readonly issues: readonly DocumentIssue[]
  /** Where the document has the fields of the definition: `/definition`, or at the top. */
  readonly base: '' | '/definition'
  /** The fields that the document may have at the top. */
  readonly topFields: readonly string[]
  /** Whether the document does not list its edges. */
  readonly ordered: boolean
}

const headFields = ['name', 'description']
const definitionFields = ['inputs', 'nodes', 'edges', 'output', 'outputs']

export function storedForm(document: Readonly<Record<string, unknown>>): StoredForm {
  if (Object.hasOwn(document, 'definition'))
    return { content: document, issues: [], base: '/definition', topFields: [...headFields, 'definition'], ordered: false }
  const issues: DocumentIssue[] = []
  // Editors find the schema of a JSON document in this field.
  const { $schema: _, ...fields } = document
  const own = Object.entries(fields)
  const definition: Record<string, unknown> = {
    inputs: [],
    ...Object.fromEntries(own.filter(([name]) => definitionFields.includes(name))),
  }
  const listed = (name: string, stored: (item: unknown, pointer: string, issues: DocumentIssue[]) => unknown) => {
    const list = definition[name]
    if (Array.isArray(list)) definition[name] = list.map((item, at) => stored(item, `/${name}/${at}`, issues))
  }
  listed('inputs', storedInput)
  listed('nodes', storedNode)
  listed('edges', storedEdge)
  const ordered = !Object.hasOwn(definition, 'edges')
  if (ordered) definition.edges = orderedEdges(definition.nodes, issues)
  const head = Object.fromEntries(own.filter(([name]) => !definitionFields.includes(name)))
  return { content: { ...head, definition }, issues, base: '', topFields: [...headFields, ...definitionFields], ordered }
}

function storedInput(input: unknown): unknown {
  return isRecord(input) ? withJson(input, 'default_value') : input
}

function storedNode(node: unknown, pointer: string, issues: DocumentIssue[]): unknown {
  if (!isRecord(node)) return node
  const field = typeof node.kind === 'string' && Object.hasOwn(jsonFieldOf, node.kind) ? jsonFieldOf[node.kind] : undefined
  if (field !== undefined && field !== 'input') checkNamedValues(node, field, pointer, issues)
  const { compensation } = node
  if (!isRecord(compensation)) return withJson(node, field)
  checkNamedValues(compensation, 'arguments', `${pointer}/compensation`, issues)
  return { ...withJson(node, field), compensation: withJson(compensation, 'arguments') }
}

function checkNamedValues(fields: Readonly<Record<string, unknown>>, name: string, pointer: string, issues: DocumentIssue[]): void {
  const message = Object.hasOwn(fields, name) ? namedValuesProblem(fields[name]) : null
  if (message !== null) issues.push({ pointer: pointerTo(pointer, name), message })
}

function withJson(fields: Readonly<Record<string, unknown>>, name: string | undefined): Readonly<Record<string, unknown>> {
  return name === undefined || !Object.hasOwn(fields, name) ? fields : { ...fields, [name]: JSON.stringify(fields[name]) }
}

function storedEdge(edge: unknown, pointer: string, issues: DocumentIssue[]): unknown {
  if (typeof edge === 'string') {
    const read = edgeOfText(edge)
    if (!read) issues.push({ pointer, message: 'is not an edge; write `a -> b`, or `a -> b when failed`' })
    return read ?? { from: 'unknown', to: 'unknown' }
  }
  // In YAML, the outcomes true and false of a condition are not texts.
  return isRecord(edge) && typeof edge.when === 'boolean' ? { ...edge, when: String(edge.when) } : edge
}

function orderedEdges(nodes: unknown, issues: DocumentIssue[]): unknown {
  // Nodes without a valid id, kind or loop are reported anyway.
  if (!Array.isArray(nodes) || !nodes.every(isOrdered)) return []
  const order = writtenOrder(nodes)
  if (order.ok) return order.edges
  issues.push(...order.problems.map(({ at, message }) => ({ pointer: `/nodes/${at}`, message })))
  return []
}

function isOrdered(node: unknown): node is GraphNode {
  if (!isRecord(node) || typeof node.id !== 'string' || typeof node.kind !== 'string') return false
  return workflowNodeKinds.includes(node.kind as WorkflowNodeKind) && (node.within === undefined || typeof node.within === 'string')
}
