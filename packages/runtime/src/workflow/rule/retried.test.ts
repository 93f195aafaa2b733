import type { WorkflowDefinition, WorkflowNode } from '@tandem/contract/workflow'
import { nodeKey, pendingNode, type WorkflowNodeRecord } from '@tandem/contract/workflow-run'
import { expect, test } from 'vitest'
import { nodesToRetry } from './retried.ts'

const call = (id: string, more: object = {}) => ({ id, kind: 'tool', tool: 'time.now', arguments: '{}', ...more }) as WorkflowNode
const each = (more: object = {}) => ({ id: 'each', kind: 'for_each', items: '[1,2]', concurrency: 1, ...more }) as WorkflowNode
const definition = (nodes: WorkflowNode[], ...edges: WorkflowDefinition['edges']) => ({ inputs: [], nodes, edges })

type Shown = readonly [node_id: string, state: WorkflowNodeRecord['state'], fields?: Partial<WorkflowNodeRecord>]
const run = (...shown: readonly Shown[]) => {
  const records = shown.map(([node_id, state, fields]) => ({ ...pendingNode(node_id, []), state, ...fields }))
  return { nodes: new Map(records.map((one) => [nodeKey(one.node_id, one.iteration), one])) }
}
const retried = (...given: Parameters<typeof nodesToRetry>) =>
  nodesToRetry(...given)
    .map(({ node_id, iteration }) => nodeKey(node_id, iteration))
    .toSorted()

test('what failed and what was taken back runs again; what completed stays', () => {
  const three = definition([call('a'), call('b'), call('c')], { from: 'a', to: 'b' }, { from: 'b', to: 'c' })
  expect(retried(run(['a', 'compensated'], ['b', 'completed'], ['c', 'failed']), three)).toEqual(['a', 'c'])
})

test('a failure that the definition provides for stays, and so does what was skipped after it', () => {
  const tolerant = definition(
    [call('a', { on_failure: 'continue' }), call('b'), call('c'), call('d'), call('e')],
    { from: 'a', to: 'b' },
    { from: 'c', to: 'd', when: 'failed' },
  )
  expect(retried(run(['a', 'failed'], ['b', 'skipped'], ['c', 'failed'], ['d', 'completed'], ['e', 'failed']), tolerant)).toEqual(['e'])
})

test('in a loop that failed, what was skipped after the failure runs again, except what a person skipped', () => {
  const nodes = ['a', 'b', 'c', 'd'].map((id) => call(id, { within: 'each' }))
  const loop = definition([each(), ...nodes], { from: 'a', to: 'b' }, { from: 'b', to: 'c' }, { from: 'a', to: 'd' })
  const failed = run(
    ['each', 'failed'],
    ['a', 'completed', { iteration: [0] }],
    ['a', 'failed', { iteration: [1] }],
    ['b', 'skipped', { iteration: [1] }],
    ['c', 'skipped', { iteration: [1] }],
    ['d', 'skipped', { iteration: [1], outcome: 'succeeded' }],
  )
  expect(retried(failed, loop)).toEqual(['each', nodeKey('a', [1]), nodeKey('b', [1]), nodeKey('c', [1])].toSorted())
})

test('items that failed in a loop that has completed stay', () => {
  const loop = definition([each({ on_item_failure: 'continue' }), call('a', { within: 'each' }), call('b')], { from: 'each', to: 'b' })
  expect(retried(run(['each', 'completed'], ['a', 'failed', { iteration: [0] }], ['b', 'failed']), loop)).toEqual(['b'])
})
