import { limits } from '@tandem/contract/limits'
import type { WorkflowDefinition, WorkflowEdge, WorkflowNode } from '@tandem/contract/workflow'
import { expect, test } from 'vitest'
import { labeledOutcomes, workflowLayout } from './workflow-layout.ts'

const wait = (id: string, within?: string): WorkflowNode => ({ id, kind: 'wait', seconds: 1, ...(within === undefined ? {} : { within }) })
const loop = (id: string, within?: string): WorkflowNode => ({
  ...{ id, kind: 'repeat', most_rounds: 2, until: { left: '1', comparison: 'exists' } },
  ...(within === undefined ? {} : { within }),
})
const definition = (nodes: WorkflowNode[], edges: WorkflowEdge[]): WorkflowDefinition => ({ inputs: [], nodes, edges })

test('a loop is a box around its nodes, also within another loop', () => {
  const { boxes, edges } = workflowLayout(
    definition(
      [wait('first'), loop('outer'), wait('a', 'outer'), loop('inner', 'outer'), wait('b', 'inner')],
      [
        { from: 'first', to: 'outer' },
        { from: 'a', to: 'inner' },
      ],
    ),
    50,
  )
  expect(Object.fromEntries(boxes.map(({ node, depth, ...box }) => [node.id, { ...box, depth }]))).toEqual({
    first: { x: 32, y: 0, width: 208, height: 50, depth: 0 },
    outer: { x: 0, y: 86, width: 272, height: 300, depth: 0 },
    a: { x: 32, y: 152, width: 208, height: 50, depth: 1 },
    inner: { x: 16, y: 238, width: 240, height: 132, depth: 1 },
    b: { x: 32, y: 304, width: 208, height: 50, depth: 2 },
  })
  expect(edges).toEqual([
    {
      from: 'a',
      to: 'inner',
      outcomes: ['succeeded'],
      points: [
        { x: 136, y: 202 },
        { x: 136, y: 238 },
      ],
    },
    {
      from: 'first',
      to: 'outer',
      outcomes: ['succeeded'],
      points: [
        { x: 136, y: 50 },
        { x: 136, y: 86 },
      ],
    },
  ])
})

test('all edges between two nodes are one', () => {
  const ask: WorkflowNode = { id: 'ask', kind: 'approval', message: 'Really?' }
  const { edges } = workflowLayout(
    definition(
      [ask, wait('next')],
      [
        { from: 'ask', to: 'next', when: 'approved' },
        { from: 'ask', to: 'next', when: 'denied' },
      ],
    ),
    50,
  )
  expect(edges.map(({ outcomes }) => outcomes)).toEqual([['approved', 'denied']])
})

test('an edge is labeled unless it follows success', () => {
  expect(labeledOutcomes(['succeeded'])).toEqual([])
  expect(labeledOutcomes(['failed'])).toEqual(['failed'])
  expect(labeledOutcomes(['succeeded', 'failed'])).toEqual(['succeeded', 'failed'])
})

test('the largest definition is laid out', () => {
  const nodes = Array.from({ length: limits.workflow_nodes }, (_, at) => wait(`n${at}`))
  const edges = Array.from({ length: limits.workflow_edges }, (_, at) => {
    const from = (at * 7) % (nodes.length - 1)
    return { from: `n${from}`, to: `n${from + 1 + ((at * 13) % (nodes.length - 1 - from))}` }
  })
  const { boxes } = workflowLayout(definition(nodes, edges), 50)
  expect(boxes).toHaveLength(nodes.length)
})
