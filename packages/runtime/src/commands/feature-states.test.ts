import { expect, test } from 'vitest'
import { featureStates } from './feature-states.ts'

test('a feature works always, if its command has a handler, or if its tool is built', () => {
  const states = new Map(
    featureStates((command) => command !== 'memory_search' && command !== 'executor_list').map(({ name, works }) => [name, works]),
  )
  const names = ['contract', 'remote_executor', 'checkpoints', 'memory', 'cooperation']
  expect(names.map((name) => [name, states.get(name)])).toEqual([
    ['contract', true],
    ['remote_executor', false],
    ['checkpoints', true],
    ['memory', false],
    ['cooperation', true],
  ])
})
