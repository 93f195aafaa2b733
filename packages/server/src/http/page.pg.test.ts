// Reads every list of documents page by page while items are added: no existing item is missed, none appears twice.

import { routes } from '@tandem/contract/http/schema'
import { limits } from '@tandem/contract/limits'
import type { LogRecord } from '@tandem/contract/log'
import fc from 'fast-check'
import type { TransactionSql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/support/test-app.ts'
import { insertFile } from '../file/store.ts'
import { insertLogs } from '../log/store.ts'
import { insertTask } from '../task/store.ts'
import { insertWorkflow } from '../workflow/store.ts'
import { newId } from './id.ts'

const start = Date.parse('2026-09-21T07:40:12.345Z')
let backend: TestApp
beforeAll(async () => {
  backend = await testApp({ now: () => start })
})
afterAll(() => backend.close())

interface Walker {
  readonly user_id: string
  readonly headers: { readonly authorization: string }
}

/** Authenticated without an account: lists need only the user id. */
async function walker(): Promise<Walker> {
  const user_id = newId(start)
  const token = await backend.services.tokens.sign({ user_id, session_id: newId(start), email: 'walker@example.org' }, start)
  return { user_id, headers: { authorization: `Bearer ${token}` } }
}

type Insert = (sql: TransactionSql, userId: string, id: string, at: string) => Promise<void>

const lists: Record<string, Insert> = {
  workflows: (sql, userId, id, at) =>
    insertWorkflow(sql, userId, { id, ...routes.workflows_create.examples.body, version: 1, created_at: at, updated_at: at }),
  tasks: (sql, userId, id, at) =>
    insertTask(sql, userId, { id, title: 't', status: 'pending', status_ts: at, version: 1, created_at: at, updated_at: at }),
  files: (sql, userId, id, at) =>
    insertFile(sql, userId, { id, name: 'f', size: 0, media_type: 'text/plain', sha256: '0'.repeat(64), created_at: at }),
  logs: (sql, userId, id, ts) =>
    insertLogs(sql, userId, [{ id, received_at: ts, ts, level: 'info' satisfies LogRecord['level'], message: 'm', fields: [] }]),
}

async function page(user: Walker, list: string, limit: number, cursor: string | null) {
  const query = new URLSearchParams({ limit: String(limit), ...(cursor === null ? {} : { cursor }) })
  const reply = await backend.app.inject({ method: 'GET', url: `/api/v1/${list}?${query}`, headers: user.headers })
  expect(reply.statusCode).toBe(200)
  return reply.json<{ items: { id: string }[]; next_cursor: string | null }>()
}

test.each(Object.keys(lists))('%s', async (list) => {
  const insert = lists[list] ?? expect.fail()
  // Few different timestamps, so that many rows share one.
  const moments = fc.array(fc.nat(5), { maxLength: 40 })
  const sizes = fc.infiniteStream(fc.integer({ min: 1, max: 12 }))
  await fc.assert(
    fc.asyncProperty(moments, sizes, fc.infiniteStream(fc.boolean()), async (times, limit, arrives) => {
      const user = await walker()
      const add = async (at: number) => {
        const id = newId(at)
        await backend.services.database.asUser(user.user_id, (sql) => insert(sql, user.user_id, id, new Date(at).toISOString()))
        return id
      }
      const there: string[] = []
      for (const time of times) there.push(await add(start + time))

      const seen: string[] = []
      let cursor: string | null = null
      let newest = start + 100
      do {
        const { items, next_cursor } = await page(user, list, limit.next().value, cursor)
        seen.push(...items.map(({ id }) => id))
        cursor = next_cursor
        newest += 1
        if (arrives.next().value) await add(newest)
      } while (cursor !== null)
      expect(seen.toSorted()).toEqual(there.toSorted())
      expect(seen).toEqual(seen.toSorted().toReversed())
    }),
    { numRuns: 12 },
  )
})

test('the page size is limited', async () => {
  const user = await walker()
  for (const limit of [0, -1, limits.list + 1, 'all']) {
    const reply = await backend.app.inject({ method: 'GET', url: `/api/v1/tasks?limit=${limit}`, headers: user.headers })
    expect([limit, reply.json()]).toEqual([limit, expect.objectContaining({ code: 'invalid_request' })])
  }
})
