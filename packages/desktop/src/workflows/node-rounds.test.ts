import { expect, test } from 'vitest'
import { runNode } from '../../test/support/workflow/test-run-node.ts'
import { listedRounds } from './node-rounds.ts'

test('the rounds of a node are listed with the latest first, as users count them', () => {
  const nodes = [
    [0, 9],
    [1, 0],
    [0, 10],
  ].map((iteration) => runNode('read', { iteration }))
  expect(listedRounds({ nodes: [...nodes, runNode('other')] }, 'read').map(({ key, number }) => [key, number])).toEqual([
    ['1.0', '2.1'],
    ['0.10', '1.11'],
    ['0.9', '1.10'],
  ])
  expect(listedRounds({ nodes: [runNode('one')] }, 'one')).toEqual([{ key: '', number: '', record: runNode('one') }])
})
