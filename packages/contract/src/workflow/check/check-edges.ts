import { nodeOutcomes, type WorkflowOutcome } from '../definition.ts'
import type { WorkflowDefinition, WorkflowEdge, WorkflowNode } from '../schema.ts'
import type { WorkflowGraph } from './graph.ts'
import type { WorkflowIssue } from './issue.ts'

export function checkEdges(definition: WorkflowDefinition, graph: WorkflowGraph): WorkflowIssue[] {
  const seen = new Set<string>()
  const issues = definition.edges.flatMap((edge, at) => {
    const found = edgeIssues(edge, at, graph)
    const name = JSON.stringify([edge.from, edge.to, edge.when ?? 'succeeded'])
    if (seen.has(name)) found.push({ pointer: `/edges/${at}`, message: 'is a duplicate of another edge' })
    seen.add(name)
    return found
  })
  return [...issues, ...cycle(definition)]
}

function edgeIssues({ from, to, when }: WorkflowEdge, at: number, graph: WorkflowGraph): WorkflowIssue[] {
  const issues: WorkflowIssue[] = []
  const [source, target] = [graph.node(from), graph.node(to)]
  if (!source) issues.push({ pointer: `/edges/${at}/from`, message: `there is no node ${from}` })
  if (!target) issues.push({ pointer: `/edges/${at}/to`, message: `there is no node ${to}` })
  if (source && target && source.within !== target.within) {
    issues.push({
      pointer: `/edges/${at}`,
      message: `leads from ${placeOf(source)} to ${placeOf(target)}; both nodes must be in the same loop`,
    })
  }
  if (source) issues.push(...impossibleOutcome(source, when, at))
  return issues
}

function placeOf({ within }: WorkflowNode): string {
  return within === undefined ? 'the workflow itself' : `the loop ${within}`
}

function impossibleOutcome(source: WorkflowNode, when: WorkflowOutcome | undefined, at: number): WorkflowIssue[] {
  const outcomes: readonly WorkflowOutcome[] = nodeOutcomes[source.kind]
  if (outcomes.includes(when ?? 'succeeded')) return []
  return [{ pointer: `/edges/${at}/when`, message: `a node of kind ${source.kind} can only end with ${outcomes.join(' or ')}` }]
}

/** Removes nodes without incoming edges until none is left; what remains contains a cycle, so nothing leads to it. */
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
  const message = `a workflow must not contain a cycle, but the edges among ${[...incoming.keys()].join(', ')} form one; to repeat nodes, put them in a node of kind repeat`
  return [{ pointer: '/edges', message }]
}
