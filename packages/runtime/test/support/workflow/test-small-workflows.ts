// Small workflows of every shape, whose only effects are lines in a file: chains, branches, joins, loops within loops, and nodes that are
// skipped. None stops at a failure: what else has happened by then would depend on the speed of the machine.
import { checkWorkflow, nodeOutcomes, type WorkflowDefinition, type WorkflowNode } from '@tandem/contract/workflow'
import fc from 'fast-check'
import { append } from './test-workflow-scenarios.ts'

interface Part {
  readonly kind: 'append' | 'condition' | 'transform' | 'for_each' | 'repeat' | 'missing'
  /** Of a condition: whether it is met; of a loop: how many rounds; of a call that fails: how often it is tried. */
  readonly amount: number
  readonly concurrency: number
  readonly join: 'all' | 'any'
  readonly body: readonly Part[]
  /** From which of the earlier nodes of its level edges lead to it, and with which outcome. */
  readonly from: readonly { readonly node: number; readonly outcome: number }[]
}

function part(depth: number): fc.Arbitrary<Part> {
  const simple = ['append', 'append', 'append', 'condition', 'transform', 'missing'] as const
  return fc.record({
    kind: fc.constantFrom(...simple, ...(depth > 0 ? (['for_each', 'repeat'] as const) : [])),
    amount: fc.integer({ min: 1, max: 3 }),
    concurrency: fc.integer({ min: 1, max: 3 }),
    join: fc.constantFrom('all' as const, 'any' as const),
    body: depth > 0 ? fc.array(part(depth - 1), { minLength: 1, maxLength: 3 }) : fc.constant([]),
    from: fc.array(fc.record({ node: fc.nat(9), outcome: fc.nat(1) }), { maxLength: 2 }),
  })
}

/** `prefix` begins the names of its effects. */
export function smallWorkflow(prefix: string): fc.Arbitrary<WorkflowDefinition> {
  return fc
    .array(part(2), { minLength: 2, maxLength: 4 })
    .map((parts) => ({ inputs: [], ...level(parts, prefix, 'n', []) }))
    .filter((definition) => checkWorkflow(definition).length === 0)
}

function level(
  parts: readonly Part[],
  prefix: string,
  name: string,
  loops: readonly string[],
): Pick<WorkflowDefinition, 'nodes' | 'edges'> {
  const ids = parts.map((_part, at) => `${name}${at}`)
  const within = loops.at(-1)
  const nodes: WorkflowNode[] = []
  const edges: WorkflowDefinition['edges'] = []
  for (const [at, one] of parts.entries()) {
    const id = ids[at] ?? ''
    nodes.push({ ...nodeOf(one, id, prefix, loops), join: one.join, ...(within === undefined ? {} : { within }) })
    if (one.kind === 'for_each' || one.kind === 'repeat') {
      const body = level(one.body, prefix, `${id}_`, [...loops, id])
      nodes.push(...body.nodes)
      edges.push(...body.edges)
    }
    const sources = new Map(at === 0 ? [] : one.from.map(({ node, outcome }) => [node % at, outcome]))
    for (const [source, outcome] of sources) {
      const when = nodeOutcomes[kindOf(parts[source])][outcome]
      edges.push({ from: ids[source] ?? '', to: id, ...(when === undefined ? {} : { when }) })
    }
  }
  return { nodes, edges }
}

function kindOf(one: Part | undefined): WorkflowNode['kind'] {
  return one === undefined || one.kind === 'append' || one.kind === 'missing' ? 'tool' : one.kind
}

function nodeOf({ kind, amount, concurrency }: Part, id: string, prefix: string, loops: readonly string[]): WorkflowNode {
  switch (kind) {
    case 'append':
      return append({ id }, loops, prefix)
    case 'condition':
      return { id, kind, condition: { left: String(amount), comparison: 'greater', right: '1' } }
    case 'transform':
      return { id, kind, input: String(amount), expression: '$ + 1' }
    case 'for_each': {
      const items = JSON.stringify(Array.from({ length: amount }, (_item, at) => at))
      return { id, kind, items, concurrency }
    }
    case 'repeat':
      return { id, kind, until: { left: `{{loops.${id}.index}}`, comparison: 'greater', right: String(amount - 2) }, most_rounds: 3 }
    case 'missing': {
      const retry = { attempts: amount, backoff_seconds: 0 }
      return { id, kind: 'tool', tool: 'fs.read', arguments: '{"path":"missing.txt"}', retry, on_failure: 'continue' }
    }
  }
}
