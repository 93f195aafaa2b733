import { expect, test } from 'vitest'
import { openBranchKeys } from './branch-keys.ts'

test('the same branch has the same keys until it exists; every other one has its own', () => {
  let made = 0
  const keys = openBranchKeys(() => `key ${++made}`)
  const wish = { message_id: 'm', keep: 'before', text: 'Hello' } as const
  const first = keys.of(wish)
  expect(first).toEqual({ branch: 'key 1', message: 'key 2' })
  expect(keys.of({ ...wish })).toEqual(first)
  expect(keys.of({ ...wish, text: 'Hello again' })).toEqual({ branch: 'key 3', message: 'key 4' })
  keys.done(wish)
  expect(keys.of(wish)).toEqual({ branch: 'key 5', message: 'key 6' })
})
