// The form in which people write a workflow: without the level `definition`, and with plain values in place of JSON texts.
import {
  edgeText,
  type WorkflowContent,
  type WorkflowEdge,
  type WorkflowInput,
  type WorkflowNode,
  writtenOrder,
} from '@tandem/contract/workflow'
import { jsonFieldOf, namedValuesProblem, plainValue } from './json-field.ts'

/** The content in the readable form, or as it is stored if the readable form cannot contain one of its JSON texts. */
export function readableForm(content: WorkflowContent): object {
  const { name, description, definition } = content
  const { inputs, nodes, edges, output, outputs } = definition
  const readableInputs = inputs.map(readableInput)
  const readableNodes = nodes.map(readableNode)
  if (readableInputs.includes(undefined) || readableNodes.includes(undefined)) return content
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(inputs.length === 0 ? {} : { inputs: readableInputs }),
    nodes: readableNodes,
    ...(isWrittenOrder(nodes, edges) ? {} : { edges: edges.map(edgeText) }),
    ...(output === undefined ? {} : { output }),
    ...(outputs === undefined ? {} : { outputs }),
  }
}

function isWrittenOrder(nodes: readonly WorkflowNode[], edges: readonly WorkflowEdge[]): boolean {
  const order = writtenOrder(nodes)
  if (!order.ok || order.edges.length !== edges.length) return false
  return edges.every((edge, at) => edge.when === undefined && edge.from === order.edges[at]?.from && edge.to === order.edges[at]?.to)
}

function readableInput({ default_value, ...input }: WorkflowInput): object | undefined {
  if (default_value === undefined) return input
  const plain = plainValue(default_value)
  return plain && { ...input, default_value: plain.value }
}

function readableNode(node: WorkflowNode): object | undefined {
  const { id, kind, title, within, join, position, ...rest } = node
  const { timeout_seconds, retry, on_failure, compensation, ...own } = {
    ...{ timeout_seconds: undefined, retry: undefined, on_failure: undefined, compensation: undefined },
    ...rest,
  }
  const values = plainField(own, jsonFieldOf[kind], kind !== 'transform')
  const undo = compensation === undefined ? undefined : plainField(compensation, 'arguments', true)
  if (!values || (compensation !== undefined && !undo)) return undefined
  const fields = { id, kind, title, within, join, ...values, timeout_seconds, retry, on_failure, compensation: undo, position }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function plainField(fields: object, name: string | undefined, named: boolean): object | undefined {
  const json = name === undefined ? undefined : new Map<string, unknown>(Object.entries(fields)).get(name)
  if (name === undefined || typeof json !== 'string') return fields
  const plain = plainValue(json)
  if (!plain || (named && namedValuesProblem(plain.value) !== null)) return undefined
  return { ...fields, [name]: plain.value }
}
