// Changing the password and deleting the account, on both kinds of platforms.
import { Readable } from 'node:stream'
import type { Session } from '@tandem/contract/auth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { goodPassword, type TestAccounts, testAccounts } from '../../test/support/test-accounts.ts'
import { blobKey } from '../file/blob-key.ts'
import { newId } from '../http/id.ts'
import { dataTables, finishDeletions } from './deletion.ts'

const newPassword = 'seven slow rivers at dusk'

describe.each(['built-in', 'supabase'] as const)('on %s', (platform) => {
  let accounts: TestAccounts

  beforeAll(async () => {
    accounts = await testAccounts(platform)
  })
  afterAll(() => accounts[Symbol.asyncDispose]())

  const login = async (email: string, password: string) => (await accounts.post('login', { email, password })).status
  const keys = async ({ access_token }: Session) => {
    const { status, body } = await accounts.call('GET', 'users/keys', access_token)
    return [status, Object(body).items?.length]
  }

  test('the new password is valid, other sessions end, API keys are revoked, this session continues', async () => {
    const email = `changes@${platform}.example.org`
    const here = await accounts.newUser(email)
    const elsewhere = (await accounts.post('login', { email, password: goodPassword })).body as Session
    expect((await accounts.call('POST', 'users/keys', here.access_token, { name: 'Editor', scopes: ['gateway'] })).status).toBe(201)
    expect(await keys(here)).toEqual([200, 1])

    const change = { current_password: goodPassword, new_password: newPassword }
    expect((await accounts.post('password', change, here.access_token)).status).toBe(204)

    expect([await login(email, goodPassword), await login(email, newPassword)]).toEqual([401, 200])
    expect(await keys(here)).toEqual([200, 0])
    expect(await keys(elsewhere)).toEqual([401, undefined])
    expect(await accounts.post('refresh', { refresh_token: elsewhere.refresh_token })).toMatchObject({ status: 401 })
    expect(await accounts.post('refresh', { refresh_token: here.refresh_token })).toMatchObject({ status: 200 })
  })

  test('requires the current password and a strong new one, and counts guesses', async () => {
    const email = `guesses@${platform}.example.org`
    const { access_token } = await accounts.newUser(email)
    const change = (current_password: string, new_password: string) =>
      accounts.ask({
        method: 'POST',
        url: '/api/v1/auth/password',
        remoteAddress: '203.0.113.20',
        headers: { authorization: `Bearer ${access_token}` },
        payload: { current_password, new_password },
      })
    expect(await change(goodPassword, 'password1234')).toMatchObject({
      ...{ status: 422, body: { code: 'weak_password', errors: [{ pointer: '/new_password' }] } },
    })
    for (let guess = 0; guess < 10; guess += 1) {
      expect(await change(`guess ${guess}`, newPassword)).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
    }
    expect(await change(goodPassword, newPassword)).toMatchObject({ status: 429 })
    expect(await login(email, goodPassword)).toBe(200)
  })

  test('a deleted account leaves no row, file, session or key, and its address is free again', async () => {
    const email = `leaves@${platform}.example.org`
    const session = await accounts.newUser(email, { device_id: 'laptop' })
    const { id: user_id } = session.user
    const { database, blobs, now } = accounts.services
    const created = (await accounts.call('POST', 'users/keys', session.access_token, { name: 'Editor', scopes: ['gateway'] })).body
    await fill(accounts, user_id)
    await blobs.put(blobKey(user_id, newId(now())), Readable.from([Buffer.from('x')]), { maxBytes: 10, mediaType: 'text/plain' })
    const rows = async () => {
      const counts = await Promise.all(
        tablesOfUsers.map(async (table) => {
          const [found] =
            await database.owner`select count(*)::int as count from ${database.owner(`tandem.${table}`)} where user_id = ${user_id}`
          return [table, found?.count]
        }),
      )
      return Object.fromEntries(counts.filter(([, count]) => count > 0))
    }
    const files = async () => {
      const found: string[] = []
      for await (const key of blobs.list(`${user_id}/`)) found.push(key)
      return found.length
    }
    const tablesOfUsers = await userTables(accounts)
    expect(Object.keys(await rows())).toEqual(expect.arrayContaining([...dataTables, 'sessions', 'api_keys', 'users']))

    expect(await accounts.call('POST', 'users/delete', session.access_token, { password: 'a wrong guess' })).toMatchObject({ status: 403 })
    expect(await accounts.call('POST', 'users/delete', session.access_token, { password: goodPassword })).toMatchObject({ status: 204 })

    expect(await accounts.call('GET', 'users/profile', session.access_token)).toMatchObject({ status: 401 })
    expect((await accounts.post('refresh', { refresh_token: session.refresh_token })).status).toBe(401)
    expect(await login(email, goodPassword)).toBe(401)
    expect(await accounts.call('GET', 'users/profile', Object(created).key)).toMatchObject({
      status: 401,
      body: { code: 'invalid_api_key' },
    })
    await expect.poll(rows).toEqual({ sessions: expect.any(Number), deleted_accounts: 1 })
    await expect.poll(files).toBe(0)

    // A request that was admitted earlier writes late; retention deletes what it wrote, and everything else.
    await database.owner`insert into tandem.devices (user_id, device_id, name) values (${user_id}, 'late', 'late')`
    await finishDeletions(accounts.services)
    expect(await rows()).toEqual({ sessions: expect.any(Number), deleted_accounts: 1 })
    expect((await accounts.newUser(email)).user.id).not.toBe(user_id)
    accounts.pass(3 * 60 * 60)
    await finishDeletions(accounts.services)
    expect(await rows()).toEqual({})
  })
})

test('covers every table with rows of users', async () => {
  await using accounts = await testAccounts('built-in')
  const own = ['api_keys', 'credentials', 'deleted_accounts', 'email_directory', 'sessions', 'users']
  expect(await userTables(accounts)).toEqual([...dataTables, ...own].sort())
})

async function userTables({ services: { database } }: TestAccounts): Promise<string[]> {
  const rows = await database.owner<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'tandem' and column_name = 'user_id' order by table_name`
  return rows.map(({ name }) => name)
}

/** One row in every table that has data of a user, with values for its other required columns. */
async function fill({ services: { database } }: TestAccounts, userId: string): Promise<void> {
  const { owner } = database
  for (const table of dataTables) {
    const columns = await owner<{ name: string; type: string }[]>`
      select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'tandem' and table_name = ${table} and is_nullable = 'NO' and column_default is null`
    const values = Object.fromEntries(
      columns.map(({ name, type }) => [name, name === 'user_id' ? userId : type === 'text' ? (allowed[name] ?? 'x') : sample(type)]),
    )
    await owner`insert into ${owner(`tandem.${table}`)} ${owner(values)}`
  }
}

/** Columns that accept only certain values. */
const allowed: Readonly<Record<string, string>> = { op: 'upsert', status: 'pending', level: 'info' }

function sample(type: string): string | number | boolean | Date | Buffer {
  if (type === 'uuid') return newId(Date.now())
  if (type.startsWith('timestamp')) return new Date()
  if (type === 'date') return '2026-01-01'
  if (type === 'boolean') return false
  if (type === 'bytea') return Buffer.from('x')
  if (/int|numeric|double|real/.test(type)) return 1
  return type === 'json' || type === 'jsonb' ? '{}' : 'x'
}
