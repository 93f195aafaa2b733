// The rules of a valid workflow graph. The cloud stores it, a device runs it; both refuse the same mistakes.
import type { WorkflowDefinition, WorkflowNode } from './schema.ts'

/** How each kind of node can end. An edge follows one of these, or `succeeded` by default. */
export const nodeOutcomes = {
  tool: ['succeeded', 'failed'],
  agent: ['succeeded', 'failed'],
  workflow: ['succeeded', 'failed'],
  approval: ['approved', 'denied'],
  question: ['succeeded', 'failed'],
  condition: ['true', 'false'],
  wait: ['succeeded', 'failed'],
} as const satisfies Record<string, readonly string[]>

export type WorkflowNodeKind = keyof typeof nodeOutcomes
export type WorkflowOutcome = (typeof nodeOutcomes)[WorkflowNodeKind][number]

export const workflowNodeKinds = Object.keys(nodeOutcomes) as WorkflowNodeKind[]
export const workflowOutcomes = ['succeeded', 'failed', 'approved', 'denied', 'true', 'false'] as const satisfies readonly WorkflowOutcome[]

export const workflowInputTypes = ['text', 'number', 'flag', 'json', 'file'] as const

export const comparisons = ['equals', 'not_equals', 'contains', 'matches', 'greater', 'less', 'exists', 'empty'] as const
export type Comparison = (typeof comparisons)[number]

export interface WorkflowIssue {
  /** JSON pointer into the definition. */
  readonly pointer: string
  readonly message: string
}

/** All mistakes because of which `definition` cannot run; empty if it is valid. */
export function checkWorkflow(definition: WorkflowDefinition): WorkflowIssue[] {
  return [...repeatedNames(definition), ...looseEdges(definition), ...cycle(definition)]
}

function repeatedNames(definition: WorkflowDefinition): WorkflowIssue[] {
  return [
    ...repeated(definition.nodes.map((node) => node.id)).map((at) => ({
      pointer: `/nodes/${at}/id`,
      message: 'another node has this id',
    })),
    ...repeated(definition.inputs.map((input) => input.name)).map((at) => ({
      pointer: `/inputs/${at}/name`,
      message: 'another input has this name',
    })),
  ]
}

function repeated(names: readonly string[]): number[] {
  const first = new Map<string, number>()
  return names.flatMap((name, at) => {
    if (first.has(name)) return [at]
    first.set(name, at)
    return []
  })
}

function looseEdges(definition: WorkflowDefinition): WorkflowIssue[] {
  const nodes = new Map(definition.nodes.map((node) => [node.id, node]))
  const seen = new Set<string>()
  return definition.edges.flatMap((edge, at) => {
    const issues: WorkflowIssue[] = []
    const source = nodes.get(edge.from)
    if (!source) issues.push({ pointer: `/edges/${at}/from`, message: `there is no node ${edge.from}` })
    if (!nodes.has(edge.to)) issues.push({ pointer: `/edges/${at}/to`, message: `there is no node ${edge.to}` })
    if (source) issues.push(...unreachableOutcome(source, edge.when, at))
    const name = JSON.stringify([edge.from, edge.to, edge.when ?? 'succeeded'])
    if (seen.has(name)) issues.push({ pointer: `/edges/${at}`, message: 'is a duplicate of another edge' })
    seen.add(name)
    return issues
  })
}

function unreachableOutcome(source: WorkflowNode, when: WorkflowOutcome | undefined, at: number): WorkflowIssue[] {
  const outcomes: readonly WorkflowOutcome[] = nodeOutcomes[source.kind]
  if (outcomes.includes(when ?? 'succeeded')) return []
  return [{ pointer: `/edges/${at}/when`, message: `a node of kind ${source.kind} can only end with ${outcomes.join(' or ')}` }]
}

/** Removes nodes without incoming edges until none is left; what remains contains a cycle. */
function cycle(definition: WorkflowDefinition): WorkflowIssue[] {
  const incoming = new Map(definition.nodes.map((node) => [node.id, 0]))
  const targets = new Map<string, string[]>()
  for (const { from, to } of definition.edges) {
    const count = incoming.get(to)
    if (count === undefined || !incoming.has(from)) continue
    incoming.set(to, count + 1)
    targets.set(from, [...(targets.get(from) ?? []), to])
  }
  const free = [...incoming].filter(([, count]) => count === 0).map(([id]) => id)
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    incoming.delete(id)
    for (const target of targets.get(id) ?? []) {
      const count = (incoming.get(target) ?? 0) - 1
      incoming.set(target, count)
      if (count === 0) free.push(target)
    }
  }
  if (incoming.size === 0) return []
  return [
    { pointer: '/edges', message: `a workflow must not contain a cycle, but the edges among ${[...incoming.keys()].join(', ')} form one` },
  ]
}
