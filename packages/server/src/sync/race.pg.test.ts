// Concurrent pushes of one user, each pausing before its commit, while a reader pages: the case in which other cursors lose rows.
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { facts, idsOf } from '../../test/support/test-change.ts'
import { type TestSync, testSync } from '../../test/support/test-sync.ts'
import type { Database } from '../database/database.ts'

let sync: TestSync
beforeAll(async () => {
  sync = await testSync({ connections: 12 })
})
afterAll(async () => await sync[Symbol.asyncDispose]())

const seed = Number(process.env.TANDEM_SEED)
const [writers, pushes, rows] = [8, 25, 3]

test(`8 writers and a reader that pages meanwhile: no row is skipped or repeated (seed ${seed})`, async () => {
  const user = sync.user()
  const pauses = fc.sample(fc.oneof({ weight: 7, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.integer({ min: 1, max: 8 }) }), {
    seed,
    numRuns: writers * pushes,
  })
  let writing = true

  async function write(writer: number): Promise<void> {
    for (let round = 0; round < pushes; round += 1) {
      await user.push(`device-${writer}`, facts(`w${writer}-${round}`, rows), pausing(sync.database, pauses[writer * pushes + round] ?? 0))
    }
  }

  async function read(limit: number): Promise<string[]> {
    const seen: string[] = []
    let cursor: string | undefined
    for (;;) {
      const last = !writing
      const page = await user.pull({ limit, ...(cursor && { cursor_ts: cursor }) })
      seen.push(...idsOf(page.changes))
      cursor = new Date(page.cursor_ts).toISOString()
      if (last && !page.has_more) return seen
      if (!page.has_more) await sleep(2)
    }
  }

  const readers = [read(1), read(50)]
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  writing = false

  const sent = Array.from({ length: writers * pushes }, (_, index) =>
    idsOf(facts(`w${Math.floor(index / pushes)}-${index % pushes}`, rows)),
  ).flat()
  for (const seen of await Promise.all(readers)) expect(seen.toSorted()).toEqual(sent.toSorted())
})

test('concurrent first pushes of a new user create one head and lose nothing', async () => {
  for (let round = 0; round < 5; round += 1) {
    const user = sync.user()
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, writer) => user.push('same-device', facts(`w${writer}`, 2), pausing(sync.database, writer))),
    )
    expect(new Set(replies.map(({ cursor_ts }) => cursor_ts)).size).toBe(8)
    expect((await user.pull()).changes).toHaveLength(16)
  }
})

/** Commits later than it writes. */
function pausing(database: Database, milliseconds: number): Database {
  return {
    ...database,
    asUser: (userId, work) =>
      database.asUser(userId, async (sql) => {
        const result = await work(sql)
        if (milliseconds > 0) await sleep(milliseconds)
        return result
      }),
  }
}
