// Built-in refresh tokens with lost responses, and stolen ones.
import type { Session } from '@tandem/contract/auth'
import { limits } from '@tandem/contract/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goodPassword, type TestAccounts, testAccounts } from '../../test/support/test-accounts.ts'

let accounts: TestAccounts
beforeAll(async () => {
  accounts = await testAccounts('built-in')
})
afterAll(() => accounts[Symbol.asyncDispose]())

let users = 0
async function signedIn(): Promise<Session> {
  users += 1
  return accounts.newUser(`user${users}@example.org`)
}

async function refresh(refresh_token: string): Promise<Session> {
  const { status, body } = await accounts.post('refresh', { refresh_token })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Session
}

const refusal = async (refresh_token: string) => {
  const { status, body } = await accounts.post('refresh', { refresh_token })
  return [status, Object(body).code]
}

const grace = limits.refresh_grace_seconds

test('repeating a request whose response was lost returns the same token, however late', async () => {
  const first = await signedIn()
  const lost = await refresh(first.refresh_token)
  accounts.pass(29 * 24 * 60 * 60)
  const again = await refresh(first.refresh_token)
  expect(again.refresh_token).toBe(lost.refresh_token)
  expect(again.session_id).toBe(first.session_id)
  await refresh(again.refresh_token)
})

test('eight concurrent uses of one token all succeed with one successor', async () => {
  const first = await signedIn()
  const all = await Promise.all(Array.from({ length: 8 }, () => refresh(first.refresh_token)))
  const successors = new Set(all.map(({ refresh_token }) => refresh_token))
  expect([...successors]).toEqual([all[0]?.refresh_token])
  const [next = ''] = successors
  const after = await refresh(next)
  expect(after.refresh_token).not.toBe(next)
})

test('an older token gets the newest one within the grace period', async () => {
  const first = await signedIn()
  let newest = first
  for (let turn = 0; turn < 4; turn += 1) newest = await refresh(newest.refresh_token)
  accounts.pass(grace - 1)
  expect((await refresh(first.refresh_token)).refresh_token).toBe(newest.refresh_token)
  await refresh(newest.refresh_token)
})

test('an old token after its successor was used ends the session', async () => {
  const first = await signedIn()
  const second = await refresh(first.refresh_token)
  const third = await refresh(second.refresh_token)
  accounts.pass(grace + 1)
  expect(await refusal(first.refresh_token)).toEqual([401, 'refresh_token_reused'])
  for (const { refresh_token } of [third, second, first]) expect(await refusal(refresh_token)).toEqual([401, 'session_ended'])
  const headers = { authorization: `Bearer ${await accounts.services.tokens.sign(claimsOf(third), accounts.services.now())}` }
  const profile = await accounts.ask({ method: 'GET', url: '/api/v1/users/profile', headers })
  expect(profile).toMatchObject({ status: 401, body: { code: 'session_ended' } })
  expect(accounts.ended.at(-1)).toEqual({ user_id: first.user.id, session_ids: [first.session_id] })
})

test('a reuse ends only the session it belongs to', async () => {
  const first = await signedIn()
  const other = (await accounts.post('login', { email: first.user.email, password: goodPassword })).body as Session
  await refresh((await refresh(first.refresh_token)).refresh_token)
  accounts.pass(grace + 1)
  expect(await refusal(first.refresh_token)).toEqual([401, 'refresh_token_reused'])
  await refresh(other.refresh_token)
})

test('a session expires after thirty days without use; use extends it', async () => {
  const first = await signedIn()
  accounts.pass(limits.refresh_token_seconds - 60)
  const second = await refresh(first.refresh_token)
  accounts.pass(limits.refresh_token_seconds - 60)
  const third = await refresh(second.refresh_token)
  accounts.pass(limits.refresh_token_seconds + 1)
  expect(await refusal(third.refresh_token)).toEqual([401, 'token_expired'])
})

test('a token with changed bytes is not a token, and ends nothing', async () => {
  const { refresh_token } = await signedIn()
  for (const at of [40, 60, 70, 100]) {
    const changed = refresh_token.slice(0, at) + (refresh_token[at] === 'A' ? 'B' : 'A') + refresh_token.slice(at + 1)
    expect(await refusal(changed)).toEqual([401, 'invalid_token'])
  }
  await refresh(refresh_token)
})

test('an access token cannot refresh, and a refresh token gives no access', async () => {
  const { access_token, refresh_token } = await signedIn()
  expect(await refusal(access_token)).toEqual([401, 'invalid_token'])
  const headers = { authorization: `Bearer ${refresh_token}` }
  expect(await accounts.ask({ method: 'GET', url: '/api/v1/users/profile', headers })).toMatchObject({
    status: 401,
    body: { code: 'invalid_token' },
  })
})

test('a token that is newer than a restored backup still works', async () => {
  const first = await signedIn()
  const second = await refresh(first.refresh_token)
  const third = await refresh(second.refresh_token)
  await accounts.services.database.owner`update tandem.sessions set counter = 1, replaced = '{}' where session_id = ${first.session_id}`
  const fourth = await refresh(third.refresh_token)
  await refresh(fourth.refresh_token)
})

test('the database contains no part of a refresh token', async () => {
  const { refresh_token } = await signedIn()
  const [, secret = ''] = refresh_token.split('.')
  const seal = Buffer.from(secret, 'base64url').subarray(20)
  const rows = await accounts.services.database.owner<{ text: string }[]>`select s::text as text from tandem.sessions s`
  const stored = rows.map(({ text }) => text).join('\n')
  for (const form of [secret, seal.toString('hex'), seal.toString('base64')]) expect(stored).not.toContain(form)
})

function claimsOf({ user, session_id }: Session) {
  return { user_id: user.id, session_id, email: user.email }
}
