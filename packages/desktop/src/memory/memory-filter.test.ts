import { expect, test } from 'vitest'
import { everyMemory, isUnfiltered, listParams } from './memory-filter.ts'

const now = Date.parse('2026-03-01T10:20:30.000Z')

test('each view asks for its own memories', () => {
  const params = (view: 'all' | 'review' | 'conflicts' | 'expiring') => listParams({ ...everyMemory, view }, null, now)
  expect([params('all'), params('review'), params('conflicts'), params('expiring')]).toEqual([
    { states: ['active'] },
    { states: ['active'], to_review: true },
    { states: ['active'], has_conflict: true },
    { states: ['active'], expires_before: '2026-03-15T10:00:00.000Z' },
  ])
})

test('kind, state and agent narrow it', () => {
  expect(listParams({ view: 'all', kind: 'decision', state: 'archived' }, 'a1', now)).toEqual({
    agent_id: 'a1',
    memory_kinds: ['decision'],
    states: ['archived'],
  })
  expect(listParams({ view: 'all', kind: '', state: '' }, null, now)).toEqual({})
  // Only active memories are reviewed, whatever state was chosen before.
  expect(listParams({ view: 'review', kind: '', state: 'archived' }, null, now).states).toEqual(['active'])
})

test('only without any filter does an empty list mean that there are no memories', () => {
  expect([
    isUnfiltered(everyMemory, null, 0),
    isUnfiltered(everyMemory, null, 12),
    isUnfiltered(everyMemory, 'a1', 0),
    isUnfiltered({ ...everyMemory, kind: 'decision' }, null, 0),
    isUnfiltered({ ...everyMemory, state: 'archived' }, null, 0),
  ]).toEqual([true, false, false, false, false])
})
