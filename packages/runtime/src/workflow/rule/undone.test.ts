import type { WorkflowDefinition } from '@tandem/contract/workflow'
import { nodeKey, pendingNode, type WorkflowNodeRecord } from '@tandem/contract/workflow-run'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nodesToReset, toCompensate } from './undone.ts'

function record(node_id: string, fields: Partial<WorkflowNodeRecord>): WorkflowNodeRecord {
  return { ...pendingNode(node_id, []), state: 'completed', call_id: `call of ${node_id}`, ...fields }
}

function run(...records: readonly WorkflowNodeRecord[]) {
  return { nodes: new Map(records.map((one) => [nodeKey(one.node_id, one.iteration), one])) }
}

const ids = (records: readonly { readonly node_id: string }[]) => records.map(({ node_id }) => node_id)

describe('after a restore', () => {
  const before = record('before', { started_seq: 1, ended_seq: 2 })
  const undone = record('undone', { started_seq: 3, ended_seq: 4 })
  const after = record('after', { started_seq: 5, ended_seq: 6, call_id: null })
  const waits = record('waits', { state: 'waiting', started_seq: 3, ended_seq: null, call_id: null })

  test('what was undone is reset, and what ended after it had started', () => {
    const stands = (call_id: string) => call_id !== 'call of undone'
    expect(ids(nodesToReset(run(before, undone, after, waits), stands))).toEqual(['undone', 'after'])
  })

  test('what goes on is reset if it started after something undone had ended', () => {
    const later = record('later', { state: 'waiting', started_seq: 5, ended_seq: null, call_id: null })
    expect(ids(nodesToReset(run(undone, waits, later), () => false))).toEqual(['undone', 'later'])
  })

  test('a node without a call that goes on is not', () => {
    expect(ids(nodesToReset(run(before, waits), () => true))).toEqual([])
    expect(ids(nodesToReset(run(pendingNode('a', [])), () => false))).toEqual([])
  })

  test('the rule asks for the result of a call that ended, and for the request of one that did not', () => {
    const asked: unknown[] = []
    const open = record('open', { state: 'running', started_seq: 3, ended_seq: null })
    nodesToReset(run(before, open), (...one) => asked.push(one) > 0)
    expect(asked).toEqual([
      ['call of before', true],
      ['call of open', false],
    ])
  })
})

describe('compensation', () => {
  const compensation = { tool: 'fs.delete', arguments: '{}' } as const
  const definition: Pick<WorkflowDefinition, 'nodes'> = {
    nodes: [
      { id: 'a', kind: 'tool', tool: 'fs.write', arguments: '{}', compensation },
      { id: 'b', kind: 'tool', tool: 'fs.write', arguments: '{}', compensation },
      { id: 'c', kind: 'tool', tool: 'fs.read', arguments: '{}' },
    ],
  }

  test('completed nodes with a compensation, the last one first', () => {
    const nodes = run(
      record('a', { iteration: [0], ended_seq: 2 }),
      record('b', { ended_seq: 3 }),
      record('a', { iteration: [1], ended_seq: 4 }),
      record('c', { ended_seq: 5 }),
    )
    expect(toCompensate(nodes, definition).map((one) => nodeKey(one.record.node_id, one.record.iteration))).toEqual(['a@1', 'b', 'a@0'])
  })

  test('each once, in the reverse order of their ends, and only what is complete', () => {
    const states = ['completed', 'failed', 'skipped', 'compensated', 'running', 'waiting', 'pending'] as const
    const some = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(...states)), { maxLength: 20 })
    fc.assert(
      fc.property(some, (list) => {
        const all = list.map(([id, state], at) => record(id, { iteration: [at], state, ended_seq: at }))
        const expected = all.filter(({ node_id, state }) => node_id !== 'c' && state === 'completed').toReversed()
        expect(toCompensate(run(...all), definition).map((one) => one.record)).toEqual(expected)
      }),
    )
  })
})
