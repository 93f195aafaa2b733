import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callRow, noon, recordingLog, storedRows } from '../../../test/support/test-calls.ts'
import { type TestDatabase, testDatabase } from '../../../test/support/test-database.ts'
import { waitFor } from '../../../test/support/test-wait.ts'
import { DatabaseUnavailable } from '../../database/database.ts'
import { newId } from '../../http/id.ts'
import { openLedger } from './ledger.ts'
import type { CallRow } from './row.ts'
import { readMonth } from './store.ts'

let ground: TestDatabase

beforeAll(async () => {
  ground = await testDatabase()
})
afterAll(() => ground.close())

const nobody = () => undefined
const byId = (rows: readonly CallRow[]) => rows.toSorted((left, right) => (left.generation_id < right.generation_id ? -1 : 1))
const month = (userId: string) => ground.database.asUser(userId, (sql) => readMonth(sql, userId, '2026-09'))

test('a shard is down: calls of other users are recorded, and its own as soon as it is back, each once', async () => {
  const { log, lines } = recordingLog()
  const told: CallRow[] = []
  const onShard = (userId: string) => userId.endsWith('0')
  const failure = {
    fast: () => new DatabaseUnavailable('shard', 'a part of the database is not reachable (08006)'),
    slow: () => new DatabaseUnavailable('busy', 'the database is busy (57014)', { cause: Object.assign(new Error(), { code: '57014' }) }),
  }
  let state: 'well' | 'down' | 'unconfirmed' | 'silent' = 'well'
  const asUser: typeof ground.database.asUser = async (userId, work) => {
    if (!onShard(userId)) return ground.database.asUser(userId, work)
    if (state === 'down') throw failure.fast()
    // The worker does not respond until the statement times out, which is short here.
    if (state === 'silent') {
      const before = told.length
      for (let n = 0; n < 20 && told.length === before && state === 'silent'; n += 1) await sleep(10)
      throw failure.slow()
    }
    const result = await ground.database.asUser(userId, work)
    if (state === 'unconfirmed') throw failure.fast()
    return result
  }
  const ledger = openLedger({ database: { ...ground.database, asUser }, log }, (rows) => told.push(...rows))
  const user = (n: number, last: string) => `${newId(noon + n).slice(0, -1)}${last}`
  // Many more users of the shard than there are writers, and all of them before the others.
  const onDown = Array.from({ length: 60 }, (_, n) => user(n, '0'))
  const others = Array.from({ length: 12 }, (_, n) => user(n, '1'))
  const rows: CallRow[] = []
  const call = (userId: string) => {
    const row = callRow({ user_id: userId })
    rows.push(row)
    ledger.add(row)
  }
  let ofDown = 0
  for (const next of ['unconfirmed', 'down', 'silent', 'down'] as const) {
    state = next
    for (const userId of [...onDown, ...others]) call(userId)
    ofDown += onDown.length
    await waitFor(() => ledger.size === ofDown, 60_000)
    expect(told.filter(({ user_id }) => onShard(user_id))).toEqual([])
    await expect(ledger.flush(onDown[0] ?? '')).rejects.toMatchObject({ code: 'database_unavailable' })
  }
  state = 'well'
  await waitFor(() => ledger.size === 0, 60_000)
  for (const userId of [...onDown, ...others]) {
    expect(await storedRows(ground.database, userId)).toEqual(byId(rows.filter((row) => row.user_id === userId)))
    expect(await month(userId)).toBe(4 * 120)
  }
  expect(byId(told)).toEqual(byId(rows))
  await waitFor(() => lines.length === 2)
  expect(lines.map(({ msg }) => msg)).toEqual([
    'model calls of some users cannot be recorded now: a part of the database is down; they are kept and retried',
    'model calls of all users are recorded again',
  ])
  await ledger.close()
}, 300_000)

test('closing tries the users of a shard that was down once more', async () => {
  const { log, lines } = recordingLog()
  let down = true
  const asUser: typeof ground.database.asUser = async (userId, work) => {
    if (down) throw new DatabaseUnavailable('shard', 'a part of the database is not reachable (08006)')
    return ground.database.asUser(userId, work)
  }
  const ledger = openLedger({ database: { ...ground.database, asUser }, log }, nobody)
  const row = callRow()
  ledger.add(row)
  await waitFor(() => lines.length === 1)
  down = false
  await ledger.close()
  expect([await storedRows(ground.database, row.user_id), ledger.size]).toEqual([[row], 0])
})
