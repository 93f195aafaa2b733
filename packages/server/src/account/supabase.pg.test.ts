// Tests that apply only if a Supabase project stores the accounts.
import type { Session } from '@tandem/contract/auth'
import { expect, test } from 'vitest'
import { goodPassword, testAccounts } from '../../test/support/test-accounts.ts'
import { openSupabaseAccounts } from './supabase-accounts.ts'

test('if addresses must be confirmed, registering reports it and does not sign in', async () => {
  await using accounts = await testAccounts('supabase', { confirmations: true })
  const request = { email: 'new@example.org', password: goodPassword }
  expect(await accounts.post('register', request)).toMatchObject({ status: 403, body: { code: 'email_unconfirmed' } })
  expect(await accounts.post('login', request)).toMatchObject({ status: 403, body: { code: 'email_unconfirmed' } })
})

test('a user who signed in elsewhere gets a profile on first use', async () => {
  await using accounts = await testAccounts('supabase')
  const { platform } = accounts.supabase ?? expect.fail()
  const reply = await fetch(`${platform.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', apikey: platform.service_key },
    body: JSON.stringify({ email: 'elsewhere@example.org', password: goodPassword }),
  })
  const { access_token } = (await reply.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  const profile = await accounts.ask({ method: 'GET', url: '/api/v1/users/profile', headers })
  expect(profile).toMatchObject({
    status: 200,
    body: { email: 'elsewhere@example.org', display_name: 'elsewhere', locale: 'en', time_zone: 'UTC', version: 1 },
  })
  expect(await accounts.post('logout', { scope: 'everywhere' }, access_token)).toMatchObject({ status: 204 })
  expect(await accounts.ask({ method: 'GET', url: '/api/v1/users/profile', headers })).toMatchObject({ status: 401 })
})

test('a session ended here cannot be refreshed, even if the project still has it', async () => {
  await using accounts = await testAccounts('supabase')
  const session = await accounts.newUser('ended@example.org', { device_id: 'laptop' })
  await accounts.services.database.owner`update tandem.sessions set ended_at = now() where user_id = ${session.user.id}`
  const answer = await accounts.post('refresh', { refresh_token: session.refresh_token })
  expect(answer).toMatchObject({ status: 401, body: { code: 'session_ended' } })
  expect(await accounts.services.database.owner`select 1 from auth.sessions where user_id = ${session.user.id}`).toHaveLength(0)
})

test('an old token after its successor was used is reported as reused and closes sockets', async () => {
  await using accounts = await testAccounts('supabase')
  const first = await accounts.newUser('replayed@example.org')
  let newest = first
  for (let turn = 0; turn < 2; turn += 1) {
    newest = (await accounts.post('refresh', { refresh_token: newest.refresh_token })).body as Session
  }
  // Auth has its own clock: this makes the first use of the token old.
  await accounts.services.database.owner`
    update auth.refresh_tokens set updated_at = now() - interval '1 minute' where token = ${first.refresh_token}`
  const replayed = await accounts.post('refresh', { refresh_token: first.refresh_token })
  expect(replayed).toMatchObject({ status: 401, body: { code: 'refresh_token_reused' } })
  expect(accounts.ended).toEqual([{ user_id: first.user.id, session_ids: [first.session_id] }])
  expect((await accounts.post('refresh', { refresh_token: newest.refresh_token })).status).toBe(401)
})

test('returns 503 if a project is unavailable or refuses our key', async () => {
  await using accounts = await testAccounts('supabase')
  const { platform, stop } = accounts.supabase ?? expect.fail()
  const session = await accounts.newUser('patient@example.org')
  const wrongKey = openSupabaseAccounts({ ...platform, service_key: `${platform.service_key}x` }, accounts.services)
  const signIn = { email: 'patient@example.org', password: goodPassword }
  await expect(wrongKey.login(signIn, '198.51.100.1')).rejects.toMatchObject({ code: 'accounts_unavailable' })
  await stop()
  const away = [
    await accounts.post('login', signIn),
    await accounts.post('refresh', { refresh_token: session.refresh_token }),
    await accounts.post('logout', {}, session.access_token),
  ]
  expect(away.map(({ status, body }) => [status, Object(body).code])).toEqual(away.map(() => [503, 'accounts_unavailable']))
  // Nothing was ended on our side only: the session continues when the project is available again.
  expect(accounts.ended).toEqual([])
  expect(accounts.logged.join('')).not.toContain(platform.service_key)
})
