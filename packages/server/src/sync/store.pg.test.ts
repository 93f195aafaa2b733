// A large account costs no more than a small one: this counts the rows that PostgreSQL reads.
import type { TransactionSql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { facts } from '../../test/support/test-change.ts'
import { type TestSync, type TestUser, testSync } from '../../test/support/test-sync.ts'
import { forceIndexScans, readPage, readRecords, readStored } from './store.ts'

let sync: TestSync
let user: TestUser
beforeAll(async () => {
  sync = await testSync()
  user = sync.user()
  for (let round = 0; round < 10; round += 1) await user.push('laptop', facts(`r${round}`, 500))
})
afterAll(async () => await sync[Symbol.asyncDispose]())

/** How many rows `work` reads. */
async function touched(work: (sql: TransactionSql) => Promise<unknown>): Promise<number> {
  return await sync.database.asUser(user.user_id, async (sql) => {
    await forceIndexScans(sql)
    const before = await counted(sql)
    await work(sql)
    return (await counted(sql)) - before
  })
}

/** The rows that this connection has read since it last reported. */
async function counted(sql: TransactionSql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select coalesce(max(seq_tup_read + idx_tup_fetch), 0)::integer as count
    from pg_stat_xact_user_tables where relid = 'tandem.sync_entities'::regclass`
  return row.count
}

const keys = facts('r3', 5).map(({ entity_type, entity_id }) => ({ key: `${entity_type} ${entity_id}`, entity_type, entity_id }))
const page = { cursor: 0, limit: 10, entity_types: null, not_from: null }

// Often enough for PostgreSQL to use a generic plan; both without statistics and with those of a tiny table.
test.each(['never analyzed', 'analyzed'])('a table that was %s is read by index', async (state) => {
  if (state === 'analyzed') await sync.database.owner`analyze tandem.sync_entities`
  for (let run = 0; run < 8; run += 1) {
    // Reads ten rows, the rest of the last stamp, and one or two to detect that there are more.
    expect(await touched((sql) => readPage(sql, user.user_id, page))).toBeLessThanOrEqual(512)
    expect(await touched((sql) => readStored(sql, user.user_id, keys, 0))).toBe(5)
    expect(await touched((sql) => readRecords(sql, user.user_id, keys))).toBe(5)
  }
})
