import { expect, test } from 'vitest'
import type { FoundUsers } from './old-row-search.ts'
import { busyInARow, removeOldRows } from './old-rows.ts'
import { DatabaseUnavailable } from './unavailable.ts'

const down = new DatabaseUnavailable('shard', 'a part of the database is not reachable (08006)')

/** Users with their number of old rows; a search returns up to three users, and those of `stuck` cannot be deleted. */
function rows(users: Record<string, number>, stuck: readonly string[] = [], error: Error = down) {
  const left = new Map(Object.entries(users))
  const removed: string[] = []
  return {
    removed,
    find: async (except: readonly string[] = []): Promise<FoundUsers> => ({
      users: [...left.keys()].filter((userId) => !except.includes(userId)).slice(0, 3),
    }),
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

test('shards that could not be searched are reported after the users of the others were processed', async () => {
  const old = rows({ a: 1, b: 1, c: 1, d: 1 })
  await expect(removeOldRows({ ...old, find: async (except) => ({ ...(await old.find(except)), outage: down }) })).rejects.toBe(down)
  expect(old.removed).toEqual(['a', 'b', 'c', 'd'])
})

test('users whose rows are locked are left for the next time; a database that is too busy for anyone ends it', async () => {
  const busy = new DatabaseUnavailable('busy', 'the database is busy (55P03)')
  const old = rows({ a: 1, b: 1, c: 1, d: 1, e: 1 }, ['a', 'c'], busy)
  await expect(removeOldRows(old)).rejects.toBe(busy)
  expect(old.removed).toEqual(['b', 'd', 'e'])

  const all = Array.from({ length: 3 * busyInARow }, (_, n) => `user ${n}`)
  let tried = 0
  const find = async () => ({ users: all })
  const remove = async () => {
    tried += 1
    throw busy
  }
  await expect(removeOldRows({ find, remove })).rejects.toBe(busy)
  expect(tried).toBe(busyInARow)
})

test('users whose rows cannot be deleted do not hide others, even if a search finds only them', async () => {
  const old = rows({ a: 1, b: 1, c: 1, d: 1 }, ['a', 'b', 'c'])
  await expect(removeOldRows(old)).rejects.toBe(down)
  expect(old.removed).toEqual(['d'])
})

test('ends if what it finds cannot be deleted', async () => {
  const old = rows({ a: 1, b: 1, c: 1 }, ['a', 'b', 'c'])
  await expect(removeOldRows(old)).rejects.toBe(down)
  expect(old.removed).toEqual([])

  // Also if a search finds users again that it should have left out.
  const find = async () => ({ users: ['a'] })
  await removeOldRows({ find, remove: async () => undefined })
})

test('stops on its signal', async () => {
  const old = rows({ a: 1 })
  await removeOldRows(old, AbortSignal.abort())
  expect(old.removed).toEqual([])
})
