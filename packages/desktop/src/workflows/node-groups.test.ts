import type { WorkflowRunNode } from '@tandem/contract/command'
import type { WorkflowDefinition } from '@tandem/contract/workflow'
import { expect, test } from 'vitest'
import { type GroupedNode, groupNodes } from './node-groups.ts'

const definition: WorkflowDefinition = {
  inputs: [],
  nodes: [
    { id: 'list', kind: 'wait', seconds: 0 },
    { id: 'outer', kind: 'for_each', items: '{{nodes.list.output}}', concurrency: 1 },
    { id: 'first', kind: 'wait', seconds: 0, within: 'outer' },
    { id: 'inner', kind: 'for_each', items: '{{loops.outer.item}}', concurrency: 1, within: 'outer' },
    { id: 'deep', kind: 'wait', seconds: 0, within: 'inner' },
    { id: 'last', kind: 'wait', seconds: 0 },
  ],
  edges: [],
}

function record(node_id: string, iteration: readonly number[] = []): WorkflowRunNode {
  return {
    ...{ node_id, iteration: [...iteration], state: 'completed', outcome: 'succeeded', attempt: 1, waits_for: null, until: null },
    ...{ reason: null, failure_contract: null, call_id: null, child_run_id: null, started_at: null, ended_at: null, tokens: null },
  }
}

/** Nodes with a record have a mark. */
function outline(nodes: readonly GroupedNode[]): unknown {
  return nodes.map(({ node_id, record: found, rounds }) => {
    const name = `${node_id}${found ? '*' : ''}`
    return rounds.length === 0 ? name : { [name]: rounds.map(({ iteration, nodes: inside }) => [iteration.join('.'), outline(inside)]) }
  })
}

test('nodes that have not started are listed in the order of the definition', () => {
  expect(outline(groupNodes({ definition, nodes: [record('list')] }))).toEqual(['list*', 'outer', 'last'])
})

test('rounds are in their loops, in order, and only those that are listed', () => {
  const nodes = [record('deep', [7, 1]), record('outer'), record('first', [7]), record('deep', [2, 10]), record('deep', [2, 9])]
  expect(outline(groupNodes({ definition, nodes }))).toEqual([
    'list',
    {
      'outer*': [
        [
          '2',
          [
            'first',
            {
              inner: [
                ['2.9', ['deep*']],
                ['2.10', ['deep*']],
              ],
            },
          ],
        ],
        ['7', ['first*', { inner: [['7.1', ['deep*']]] }]],
      ],
    },
    'last',
  ])
})

test('without the definition, nodes are listed as they are', () => {
  expect(outline(groupNodes({ definition: null, nodes: [record('b', [1]), record('a')] }))).toEqual(['b*', 'a*'])
})
