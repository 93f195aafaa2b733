import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callRow, noon, recordingLog, storedRows, unreliableDatabase } from '../../../test/support/test-calls.ts'
import { type TestDatabase, testDatabase } from '../../../test/support/test-database.ts'
import { waitFor } from '../../../test/support/test-wait.ts'
import { openDatabase } from '../../database/database.ts'
import { startEmbeddedPostgres } from '../../database/embedded-postgres.ts'
import { migrate, readMigrations } from '../../database/migrate.ts'
import { newId } from '../../http/id.ts'
import { capacity, openLedger } from './ledger.ts'
import type { Month } from './month.ts'
import { expireModelCalls, retentionMs } from './retention.ts'
import { type CallRow, tokensOf } from './row.ts'
import { readMonth } from './store.ts'

let ground: TestDatabase

beforeAll(async () => {
  ground = await testDatabase()
})
afterAll(() => ground.close())

const dayMs = 24 * 60 * 60 * 1_000
const nobody = () => undefined
const byId = (rows: readonly CallRow[]) => rows.toSorted((left, right) => (left.generation_id < right.generation_id ? -1 : 1))
const month = (userId: string, of: Month = '2026-09') => ground.database.asUser(userId, (sql) => readMonth(sql, userId, of))

/** A database in which the work of one user is done but its commit is not confirmed. */
function standing(of: TestDatabase['database'], user: string) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const asUser: typeof of.asUser = async (userId, work) => {
    const result = await of.asUser(userId, work)
    if (userId !== user) return result
    begin()
    await released
    return result
  }
  return { database: { ...of, asUser }, begun, release }
}

test('a row is stored as given, soon and without a flush', async () => {
  const { log, lines } = recordingLog()
  const told: [number, [Month, number][]][] = []
  const ledger = openLedger({ database: ground.database, log }, (rows, sums) => told.push([rows.length, [...(sums ?? [])]]))
  const user_id = newId(noon)
  const rows = [
    callRow({ user_id }),
    callRow({ user_id, device_id: null, first_byte_ms: null, status: 499, aborted: true, estimated: true, attempts: 3 }),
    callRow({ user_id, ts: Date.parse('2026-10-01T00:00:00.000Z'), operation: 'embeddings', model: 'ollama/nomic-embed-text' }),
  ]
  for (const row of rows) ledger.add(row)
  expect(ledger.size).toBe(3)
  await waitFor(() => ledger.size === 0)
  expect(await storedRows(ground.database, user_id)).toEqual(byId(rows))
  expect([await month(user_id), await month(user_id, '2026-10')]).toEqual([240, 120])
  expect([told, lines]).toEqual([
    [
      [
        3,
        [
          ['2026-09', 240],
          ['2026-10', 120],
        ],
      ],
    ],
    [],
  ])
  await ledger.close()
})

test('a call is written once, on any node and however often', async () => {
  const { log } = recordingLog()
  const users = Array.from({ length: 5 }, () => newId(noon))
  const rows = users.flatMap((user_id) => Array.from({ length: 150 }, (_, n) => callRow({ user_id, input_tokens: n })))
  const ledgers = Array.from({ length: 3 }, () => openLedger({ database: ground.database, log }, nobody))
  for (const [n, ledger] of ledgers.entries()) {
    for (const row of n === 1 ? rows.toReversed() : rows) {
      ledger.add(row)
      if (Math.random() < 0.02) await sleep(1)
    }
    ledger.add(rows[0] ?? callRow())
  }
  await Promise.all(ledgers.map((ledger) => ledger.close()))
  for (const user_id of users) {
    const own = byId(rows.filter((row) => row.user_id === user_id))
    expect(await storedRows(ground.database, user_id)).toEqual(own)
    expect(await month(user_id)).toBe(own.reduce((sum, row) => sum + tokensOf(row), 0))
  }
})

test('the monthly sums returned with each batch only grow, and the last one is correct', async () => {
  const { log } = recordingLog()
  const user_id = newId(noon)
  const told: number[] = []
  const ledgers = Array.from({ length: 3 }, () =>
    openLedger({ database: ground.database, log }, (_, sums) => told.push(sums?.get('2026-09') ?? -1)),
  )
  for (let n = 0; n < 20; n += 1) {
    for (const ledger of ledgers) ledger.add(callRow({ user_id }))
    await Promise.all(ledgers.map((ledger) => ledger.flush(user_id)))
  }
  expect(told.length).toBe(60)
  expect(new Set(told)).toEqual(new Set(Array.from({ length: 60 }, (_, n) => (n + 1) * 120)))
  await Promise.all(ledgers.map((ledger) => ledger.close()))
})

test('a call has a row while it is in progress; its end updates that row, is summed once, and is never undone', async () => {
  const { log, lines } = recordingLog()
  const told: CallRow[] = []
  const ledger = openLedger({ database: ground.database, log }, (rows) => told.push(...rows))
  const user_id = newId(noon)
  const ended = callRow({ user_id, model: 'demo/answered' })
  const begun = { ...ended, model: 'demo/asked', status: 0, output_tokens: 0, estimated: true, ended: false }
  ledger.add(begun)
  expect(ledger.size).toBe(0)
  await waitFor(async () => (await storedRows(ground.database, user_id)).length === 1)
  expect([await storedRows(ground.database, user_id), await month(user_id), told]).toEqual([[begun], 0, []])
  for (const late of [ended, begun, { ...ended, output_tokens: 9_999 }]) {
    ledger.add(late)
    await ledger.flush(user_id)
    expect([await storedRows(ground.database, user_id), await month(user_id)]).toEqual([[ended], 120])
  }
  expect([ledger.size, lines]).toEqual([0, []])
  await ledger.close()
})

test('a call that ends before its row was written is written once', async () => {
  let transactions = 0
  const asUser: typeof ground.database.asUser = (userId, work) => {
    transactions += 1
    return ground.database.asUser(userId, work)
  }
  const ledger = openLedger({ database: { ...ground.database, asUser }, log: recordingLog().log }, nobody)
  const ended = callRow()
  ledger.add({ ...ended, ended: false })
  ledger.add(ended)
  expect(ledger.size).toBe(1)
  await ledger.close()
  expect([await storedRows(ground.database, ended.user_id), transactions]).toEqual([[ended], 1])
})

test('a call that ends while its start cannot be written is ended, not in progress again', async () => {
  const database = unreliableDatabase(ground.database)
  const ledger = openLedger({ database, log: recordingLog().log }, nobody)
  const ended = callRow()
  for (const state of ['away', 'deaf'] as const) {
    database.state = state
    ledger.add({ ...ended, ended: false })
    const flushing = ledger.flush(ended.user_id)
    ledger.add(ended)
    await expect(flushing).rejects.toMatchObject({ code: 'database_unavailable' })
  }
  database.state = 'well'
  await ledger.close()
  expect([await storedRows(ground.database, ended.user_id), await month(ended.user_id)]).toEqual([[ended], 120])
})

test('PostgreSQL unavailable, then not confirming, then well: rows are kept, and each is stored once', async () => {
  const { log, lines } = recordingLog()
  const database = unreliableDatabase(ground.database)
  const ledger = openLedger({ database, log }, nobody)
  const users = [newId(noon), newId(noon)]
  const rows: CallRow[] = []
  const call = () => {
    for (const user_id of users) {
      const row = callRow({ user_id })
      rows.push(row)
      ledger.add(row)
    }
  }
  for (const state of ['well', 'away', 'deaf', 'away', 'well'] as const) {
    database.state = state
    for (let n = 0; n < 5; n += 1) {
      call()
      await sleep(60)
    }
    if (state === 'away') await expect(ledger.flush(users[0] ?? '')).rejects.toMatchObject({ code: 'database_unavailable' })
  }
  await waitFor(() => ledger.size === 0, 40_000)
  for (const user_id of users) {
    expect(await storedRows(ground.database, user_id)).toEqual(byId(rows.filter((row) => row.user_id === user_id)))
    expect(await month(user_id)).toBe(25 * 120)
  }
  // Logged when it starts and when it is over, not for each attempt.
  expect(lines.map(({ msg }) => msg)).toEqual([
    'model calls cannot be recorded now; they are kept and retried',
    'model calls are recorded again',
  ])
  await ledger.close()
})

test('a commit of one user that hangs does not block another user', async () => {
  const [still, other] = [callRow(), callRow()]
  const { database, begun, release } = standing(ground.database, still.user_id)
  const ledger = openLedger({ database, log: recordingLog().log }, nobody)
  ledger.add(still)
  await begun
  ledger.add(other)
  await waitFor(() => ledger.size === 1, 20_000)
  expect(await storedRows(ground.database, other.user_id)).toEqual([other])
  release()
  await ledger.close()
  expect([ledger.size, await storedRows(ground.database, still.user_id)]).toEqual([0, [still]])
})

test('a write that started before an outage and ends during it does not end the outage', async () => {
  const { log, lines } = recordingLog()
  const told = () => lines.map(({ msg }) => msg)
  const shaky = unreliableDatabase(ground.database)
  const still = callRow()
  const { database, begun, release } = standing(shaky, still.user_id)
  const ledger = openLedger({ database, log }, nobody)
  ledger.add(still)
  await begun
  shaky.state = 'away'
  ledger.add(callRow())
  const outage = 'model calls cannot be recorded now; they are kept and retried'
  await waitFor(() => lines.length > 0, 20_000)
  release()
  await waitFor(() => ledger.size === 1, 20_000)
  expect(told()).toEqual([outage])
  shaky.state = 'well'
  await waitFor(() => ledger.size === 0, 20_000)
  expect(told()).toEqual([outage, 'model calls are recorded again'])
  await ledger.close()
})

test('killing a real PostgreSQL under load loses no row', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tandem-ledger-'))
  const server = await startEmbeddedPostgres({ dir, password: 'ledger', log: nobody })
  const database = await openDatabase({ address: server.url, password: 'ledger', max_connections: 4 }, nobody)
  await migrate(database.owner, await readMigrations())
  const ledger = openLedger({ database, log: recordingLog().log }, nobody)
  const user_id = newId(noon)
  const rows: CallRow[] = []
  let running = true
  const load = (async () => {
    for (; running; await sleep(2)) {
      const row = callRow({ user_id })
      rows.push(row)
      ledger.add(row)
    }
  })()
  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    await sleep(400)
    const before = server.pid
    process.kill(before, signal)
    await waitFor(() => server.pid !== before, 20_000)
  }
  running = false
  await load
  await waitFor(() => ledger.size === 0, 20_000)
  expect(await storedRows(database, user_id)).toEqual(byId(rows))
  await ledger.close()
  await database.close()
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

test('3,000 calls of 64 users are 64 transactions, and a commit that hangs blocks only its own user', async () => {
  const users = Array.from({ length: 64 }, () => newId(noon))
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let transactions = 0
  const asUser: typeof ground.database.asUser = async (userId, work) => {
    transactions += 1
    const result = await ground.database.asUser(userId, work)
    if (userId === users[0]) await released
    return result
  }
  const { log, lines } = recordingLog()
  const ledger = openLedger({ database: { ...ground.database, asUser }, log }, nobody)
  let ofStill = 0
  for (let second = 1; second <= 3; second += 1) {
    for (let n = 0; n < 3_000; n += 1) ledger.add(callRow({ user_id: users[n % users.length] ?? '' }))
    ofStill += Math.ceil(3_000 / users.length)
    await waitFor(() => ledger.size === ofStill, 20_000)
    expect(transactions).toBe(64 + 63 * (second - 1))
  }
  expect(9_000 + ofStill).toBeLessThan(capacity)
  release()
  await ledger.close()
  expect([ledger.size, transactions, lines]).toEqual([0, 64 + 63 * 2 + 1, []])
})

test('users see and write only their own calls', async () => {
  const [mara, noor] = [newId(noon), newId(noon)]
  const ledger = openLedger({ database: ground.database, log: recordingLog().log }, nobody)
  const [own, other] = [callRow({ user_id: mara }), callRow({ user_id: noor })]
  ledger.add(own)
  ledger.add(other)
  await ledger.close()
  const everything = (userId: string) =>
    ground.database.asUser(userId, async (sql) => [
      (await sql`select generation_id from tandem.model_calls`).map((row) => row.generation_id),
      (await sql`select user_id from tandem.model_months`).map((row) => row.user_id),
    ])
  expect([await everything(mara), await everything(noor)]).toEqual([
    [[own.generation_id], [mara]],
    [[other.generation_id], [noor]],
  ])
  const intrusion = (statement: 'call' | 'month') =>
    ground.database.asUser(noor, (sql) =>
      statement === 'call'
        ? sql`insert into tandem.model_calls select * from jsonb_populate_record(null::tandem.model_calls, ${sql.json({ ...own, ts: new Date(own.ts).toISOString(), generation_id: newId(noon) })})`
        : sql`insert into tandem.model_months values (${mara}, '2030-01-01', 1)`,
    )
  await expect(intrusion('call')).rejects.toMatchObject({ code: '42501' })
  await expect(intrusion('month')).rejects.toMatchObject({ code: '42501' })
})

test('a row that PostgreSQL rejects is logged and does not block others', async () => {
  const { log, lines } = recordingLog()
  const told: [number, boolean][] = []
  const ledger = openLedger({ database: ground.database, log }, (rows, sums) => told.push([rows.length, sums !== undefined]))
  const user_id = newId(noon)
  const [good, bad, better] = [callRow({ user_id }), callRow({ user_id, device_id: 'nul \0' }), callRow({ user_id })]
  for (const row of [good, bad, better]) ledger.add(row)
  await ledger.flush(user_id)
  expect(await storedRows(ground.database, user_id)).toEqual(byId([good, better]))
  expect([ledger.size, told]).toEqual([
    0,
    [
      [1, true],
      [1, false],
      [1, true],
    ],
  ])
  expect(lines.map(({ level, call }) => [level, call])).toEqual([[50, bad]])
  await ledger.close()
})

test('closing writes pending rows; those that cannot be written are logged', async () => {
  const { log, lines } = recordingLog()
  const database = unreliableDatabase(ground.database)
  const [first, second] = [callRow(), callRow()]
  const ledger = openLedger({ database, log }, nobody)
  ledger.add(first)
  await ledger.close()
  expect(await storedRows(ground.database, first.user_id)).toEqual([first])
  const doomed = openLedger({ database, log }, nobody)
  database.state = 'away'
  doomed.add(second)
  await doomed.close()
  const late = callRow()
  doomed.add(late)
  expect(lines.flatMap(({ call }) => (call ? [call] : []))).toEqual([second, late])
})

test('calls are deleted after 400 days, user by user', async () => {
  const ledger = openLedger({ database: ground.database, log: recordingLog().log }, nobody)
  const [mara, noor] = [newId(noon), newId(noon)]
  const old = Array.from({ length: 5 }, (_, n) => callRow({ user_id: mara, ts: noon - dayMs - n }))
  const kept = [callRow({ user_id: mara, ts: noon + 1 }), callRow({ user_id: noor, ts: noon + 1 })]
  for (const row of [...old, ...kept]) ledger.add(row)
  await ledger.close()
  // Nothing of Noor is a day too old yet, so this does not look at Noor.
  await expireModelCalls(ground.database, noon + retentionMs, { most: 2 })
  expect([await storedRows(ground.database, mara), await storedRows(ground.database, noor)]).toEqual([[kept[0]], [kept[1]]])
  // The month still has a day that is retained.
  expect(await month(mara)).toBe(6 * 120)
  await expireModelCalls(ground.database, Date.parse('2026-10-02T00:00:00.000Z') + retentionMs)
  expect([await storedRows(ground.database, mara), await month(mara), await month(noor)]).toEqual([[], 0, 0])
})
