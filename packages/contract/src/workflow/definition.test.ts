import fc from 'fast-check'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { checkWorkflow, nodeOutcomes, type WorkflowDefinition, type WorkflowNode, workflowOutcomes } from './index.ts'
import { WorkflowNode as NodeSchema, WorkflowDefinition as Schema } from './schema.ts'

const wait = (id: string): WorkflowNode => ({ id, kind: 'wait', seconds: 1 })
const graph = (nodes: WorkflowNode[], edges: WorkflowDefinition['edges']): WorkflowDefinition => ({ inputs: [], nodes, edges })

test('a diamond is valid', () => {
  const diamond = graph(
    [wait('a'), { id: 'b', kind: 'approval', message: 'Go on?' }, wait('c'), wait('d')],
    [
      { from: 'a', to: 'b' },
      { from: 'a', to: 'c', when: 'failed' },
      { from: 'b', to: 'd', when: 'approved' },
      { from: 'c', to: 'd' },
    ],
  )
  expect([Value.Check(Schema, diamond), checkWorkflow(diamond)]).toEqual([true, []])
})

test('every mistake is reported with its location, all at once', () => {
  const broken: WorkflowDefinition = {
    inputs: [
      { name: 'x', type: 'text', required: true },
      { name: 'x', type: 'flag', required: false },
    ],
    nodes: [wait('a'), wait('a'), { id: 'b', kind: 'condition', condition: { left: '{{inputs.x}}', comparison: 'exists' } }, wait('c')],
    edges: [
      { from: 'a', to: 'nowhere' },
      { from: 'lost', to: 'a' },
      { from: 'b', to: 'c' },
      { from: 'a', to: 'c', when: 'approved' },
      { from: 'c', to: 'b' },
      { from: 'c', to: 'b', when: 'succeeded' },
    ],
  }
  expect(checkWorkflow(broken)).toEqual([
    { pointer: '/nodes/1/id', message: 'another node has this id' },
    { pointer: '/inputs/1/name', message: 'another input has this name' },
    { pointer: '/edges/0/to', message: 'there is no node nowhere' },
    { pointer: '/edges/1/from', message: 'there is no node lost' },
    { pointer: '/edges/2/when', message: 'a node of kind condition can only end with true or false' },
    { pointer: '/edges/3/when', message: 'a node of kind wait can only end with succeeded or failed' },
    { pointer: '/edges/5', message: 'is a duplicate of another edge' },
    { pointer: '/edges', message: 'a workflow must not contain a cycle, but the edges among b, c form one' },
  ])
})

test('edges that only go forward never form a cycle; one that goes back does', () => {
  const size = 12
  const nodes = Array.from({ length: size }, (_, at) => wait(`n${at}`))
  const forward = fc.uniqueArray(
    fc.tuple(fc.nat(size - 2), fc.integer({ min: 1, max: size - 1 })).map(([from, step]) => [from, Math.min(from + step, size - 1)]),
    { selector: String },
  )
  fc.assert(
    fc.property(forward, (pairs) => {
      const edges = pairs.map(([from, to]) => ({ from: `n${from}`, to: `n${to}` }))
      expect(checkWorkflow(graph(nodes, edges))).toEqual([])
      const [first] = edges
      if (first) expect(checkWorkflow(graph(nodes, [...edges, { from: first.to, to: first.from }]))).toHaveLength(1)
    }),
  )
})

test('the table of outcomes covers the kinds and outcomes of the schema', () => {
  expect(NodeSchema.anyOf.map((shape) => shape.properties.kind.const)).toEqual(Object.keys(nodeOutcomes))
  expect(new Set<string>(Object.values(nodeOutcomes).flat())).toEqual(new Set(workflowOutcomes))
})
