import { limits } from '@tandem/contract/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/support/test-database.ts'
import { newId } from './id.ts'
import { expireIdempotencyKeys, runIdempotently } from './idempotency.ts'

let opened: TestDatabase
beforeAll(async () => {
  opened = await testDatabase()
})
afterAll(() => opened.close())

const key = 'order-2026-0001'
const anyUser = () => newId(Date.now())

/** One creating call; `made` counts actual creations. */
function caller(user_id: string) {
  let made = 0
  const call = (request: unknown, changes: { route?: string; during?: () => Promise<void> } = {}) =>
    opened.database.asUser(user_id, (sql) =>
      runIdempotently(sql, { user_id, key, route: changes.route ?? 'things_create', request }, async () => {
        await changes.during?.()
        made += 1
        return { status: 201 as const, body: { number: made, request } }
      }),
    )
  return { call, made: () => made }
}

test('the first response is repeated, regardless of the order of the fields', async () => {
  const { call, made } = caller(anyUser())
  const first = await call({ a: 1, b: ['x', null] })
  expect(first).toEqual({ status: 201, body: { number: 1, request: { a: 1, b: ['x', null] } } })
  expect(await call({ b: ['x', null], a: 1 })).toEqual(first)
  expect(made()).toBe(1)
})

test('without a key every call creates something', async () => {
  const user_id = anyUser()
  let made = 0
  for (const _ of [1, 2]) {
    await opened.database.asUser(user_id, (sql) =>
      runIdempotently(sql, { user_id, key: undefined, route: 'r', request: {} }, async () => {
        made += 1
        return { status: 201, body: {} }
      }),
    )
  }
  expect(made).toBe(2)
})

test('a key with other content, or at another address, is refused', async () => {
  const { call, made } = caller(anyUser())
  await call({ a: 1 })
  await expect(call({ a: 2 })).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  await expect(call({ a: 1 }, { route: 'others_create' })).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  expect(made()).toBe(1)
})

test('of many concurrent calls one creates it, and all get its response', async () => {
  const { call, made } = caller(anyUser())
  const replies = await Promise.all(Array.from({ length: 5 }, () => call({ a: 1 })))
  expect(replies).toEqual(replies.map(() => ({ status: 201, body: { number: 1, request: { a: 1 } } })))
  expect(made()).toBe(1)
})

test('the second waits for the first, and takes over if that fails', async () => {
  const { call, made } = caller(anyUser())
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const first = call(
    { a: 1 },
    {
      during: async () => {
        begun.resolve()
        await end.promise
        throw new Error('no')
      },
    },
  )
  const failed = expect(first).rejects.toThrow('no')
  await begun.promise
  const second = call({ a: 1 })
  end.resolve()
  await failed
  expect(await second).toEqual({ status: 201, body: { number: 1, request: { a: 1 } } })
  expect(made()).toBe(1)
})

test('keys belong to their user', async () => {
  const [mara, noor] = [caller(anyUser()), caller(anyUser())]
  await mara.call({ a: 1 })
  expect((await noor.call({ a: 2 })).body).toEqual({ number: 1, request: { a: 2 } })
})

test('a key expires after a day, and may be used again', async () => {
  const users = [anyUser(), anyUser()]
  const callers = users.map(caller)
  for (const { call } of callers) await call({ a: 1 })
  const { database } = opened
  await expireIdempotencyKeys(database, Date.now() + limits.idempotency_key_ms - 60_000)
  await expect(callers[0]?.call({ a: 2 })).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  await expireIdempotencyKeys(database, Date.now() + limits.idempotency_key_ms + 60_000)
  const left = await Promise.all(
    users.map((user) => database.asUser(user, (sql) => sql`select key from tandem.idempotency_keys where user_id = ${user}`)),
  )
  expect(left.map((rows) => rows.length)).toEqual([0, 0])
  expect((await callers[0]?.call({ a: 2 }))?.body.number).toBe(2)
})
