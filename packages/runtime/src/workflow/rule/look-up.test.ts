import { filled, type WorkflowDefinition, WorkflowGraph } from '@tandem/contract/workflow'
import { nodeKey, pendingNode, type WorkflowNodeRecord } from '@tandem/contract/workflow-run'
import { expect, test } from 'vitest'
import { failureContract } from '../../call/outcome.ts'
import { lookUp } from './look-up.ts'

const definition: WorkflowDefinition = {
  inputs: [],
  nodes: [
    { id: 'before', kind: 'wait', seconds: 1 },
    { id: 'each', kind: 'for_each', items: '[]', concurrency: 1 },
    { id: 'inside', kind: 'wait', seconds: 1, within: 'each' },
    { id: 'again', kind: 'repeat', until: { left: 'a', comparison: 'exists' }, most_rounds: 3, within: 'each' },
    { id: 'deep', kind: 'wait', seconds: 1, within: 'again' },
  ],
  edges: [],
}

/** Each node returns its key. */
const nodes = new Map<string, WorkflowNodeRecord>(
  [
    pendingNode('before', []),
    ...[0, 1].flatMap((round) => [
      pendingNode('inside', [round]),
      pendingNode('again', [round]),
      ...[0, 1].map((inner) => pendingNode('deep', [round, inner])),
    ]),
  ].map((record) => [
    nodeKey(record.node_id, record.iteration),
    { ...record, output: JSON.stringify(nodeKey(record.node_id, record.iteration)) },
  ]),
)
const failure = failureContract('workflow', { source: 'inside', reason_code: 'failed', message: 'it broke' })

const known = {
  graph: new WorkflowGraph(definition),
  inputs: JSON.parse('{"name":"Ada","list":[{"a":1}],"__proto__":{"a":1}}'),
  run: () => ({ nodes }),
  output: ({ output }: WorkflowNodeRecord) => JSON.parse(output ?? 'null'),
  items: (_loop: string, iteration: readonly number[]) => (iteration.length === 0 ? [{ file: 'a' }, { file: 'b' }] : []),
}

test.each<[readonly number[], string, unknown]>([
  [[], '{{inputs.name}}', 'Ada'],
  [[], '{{inputs.list[0].a}}', 1],
  [[], '{{inputs.list[1].a}}', null],
  [[], '{{inputs.other}}', null],
  [[], '{{inputs.constructor}}', null],
  [[], '{{inputs.name.length}}', null],
  [[], '{{nodes.before.output}}', 'before'],
  // In a round: the nodes of this round, and those outside.
  [[1], '{{nodes.inside.output}}', 'inside@1'],
  [[1, 0], '{{nodes.inside.output}}', 'inside@1'],
  [[1, 0], '{{nodes.deep.output}}', 'deep@1.0'],
  [[0, 1], '{{nodes.deep.output}} {{nodes.before.output}}', 'deep@0.1 before'],
  [[1, 0], '{{loops.each.item.file}}', 'b'],
  [[1, 0], '{{loops.each.index}}', 1],
  [[1, 0], '{{loops.again.index}}', 0],
  // Outside the loop there is no round.
  [[], '{{loops.each.index}}', null],
  [[], '{{loops.each.item}}', null],
  [[5], '{{loops.each.item}}', null],
  [[5], '{{nodes.inside.output}}', null],
  [[], '{{nodes.before.error}}', null],
])('in round %j, %s is %j', (iteration, template, expected) => {
  expect(filled(template, lookUp(known, iteration))).toEqual(expected)
})

test('the error of a node is its message', () => {
  const failed = new Map(nodes).set('inside@0', { ...pendingNode('inside', [0]), state: 'failed', failure })
  expect(filled('{{nodes.inside.error}}', lookUp({ ...known, run: () => ({ nodes: failed }) }, [0]))).toBe('it broke')
})
