import { expect, test } from 'vitest'
import { removeOldRows } from './old-rows.ts'
import { DatabaseUnavailable } from './unavailable.ts'

const down = new DatabaseUnavailable('shard', 'a part of the database is not reachable (08006)')

/** Users with their number of old rows; a search returns up to three users, and those of `stuck` cannot be deleted. */
function rows(users: Record<string, number>, stuck: readonly string[] = [], error: Error = down) {
  const left = new Map(Object.entries(users))
  const removed: string[] = []
  return {
    removed,
    find: async () => [...left.keys()].slice(0, 3).map((user_id) => ({ user_id })),
    async remove(userId: string) {
      if (stuck.includes(userId)) throw error
      left.delete(userId)
      removed.push(userId)
    },
  }
}

test('searches until nothing is found', async () => {
  const old = rows({ a: 1, b: 1, c: 1, d: 1, e: 1 })
  await removeOldRows(old)
  expect(old.removed).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('a shard that is down is reported; the other users are processed', async () => {
  const old = rows({ a: 1, b: 1, c: 1, d: 1, e: 1 }, ['b'])
  await expect(removeOldRows(old)).rejects.toBe(down)
  expect(old.removed).toEqual(['a', 'c', 'd', 'e'])
})

test('an outage of the whole database ends it', async () => {
  const lost = new DatabaseUnavailable('connection', 'the database is not reachable')
  const old = rows({ a: 1, b: 1, c: 1 }, ['b'], lost)
  await expect(removeOldRows(old)).rejects.toBe(lost)
  expect(old.removed).toEqual(['a'])
})

test('ends if what it finds cannot be deleted', async () => {
  const old = rows({ a: 1, b: 1, c: 1, d: 1 }, ['a', 'b', 'c'])
  await expect(removeOldRows(old)).rejects.toBe(down)
  expect(old.removed).toEqual([])
})

test('stops on its signal', async () => {
  const old = rows({ a: 1 })
  await removeOldRows(old, AbortSignal.abort())
  expect(old.removed).toEqual([])
})
