// Tests that apply to every platform that stores accounts.
import type { Session } from '@tandem/contract/auth'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { goodPassword, type TestAccounts, testAccounts } from '../../test/support/test-accounts.ts'
import { endSessionsOfDevice } from './device-sessions.ts'

const uuid = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe.each(['built-in', 'supabase'] as const)('accounts on the %s platform', (platform) => {
  let accounts: TestAccounts
  beforeAll(async () => {
    accounts = await testAccounts(platform)
  })
  afterAll(() => accounts[Symbol.asyncDispose]())

  const profileWith = (session: Session) =>
    accounts.ask({ method: 'GET', url: '/api/v1/users/profile', headers: { authorization: `Bearer ${session.access_token}` } })

  test('registering signs in', async () => {
    const about = { display_name: 'Mara Lind', locale: 'de-DE', time_zone: 'Europe/Berlin' }
    const answer = await accounts.post('register', {
      email: 'mara@example.org',
      password: goodPassword,
      ...about,
      device_id: 'mara-laptop',
    })
    const user = { id: uuid, email: 'mara@example.org', ...about, version: 1, created_at: time, updated_at: time }
    expect(answer).toMatchObject({ status: 201, headers: { 'cache-control': 'no-store' } })
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: expect.any(Number),
      refresh_token: expect.any(String),
      session_id: uuid,
      user,
    })
    const session = answer.body as Session
    expect(await profileWith(session)).toMatchObject({ status: 200, body: session.user, headers: { etag: '"1"' } })
  })

  test('the claims are those of Supabase Auth', async () => {
    const session = await accounts.newUser('claims@example.org')
    const claims = decodeJwt(session.access_token)
    expect(claims).toMatchObject({
      sub: session.user.id,
      aud: 'authenticated',
      role: 'authenticated',
      email: 'claims@example.org',
      session_id: session.session_id,
      iat: expect.any(Number),
      exp: expect.any(Number),
    })
    expect(Number(claims.exp) - Number(claims.iat)).toBe(session.expires_in)
  })

  test('of two concurrent registrations of one address, one succeeds', async () => {
    const attempts = ['twice@example.org', 'Twice@Example.org'].map((email) => accounts.post('register', { email, password: goodPassword }))
    const answers = await Promise.all(attempts)
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'email_taken' })
  })

  test('an address belongs to one account regardless of case and composition', async () => {
    const { user } = await accounts.newUser('Case.Person@Example.ORG')
    const again = await accounts.post('register', { email: 'case.person@example.org', password: goodPassword })
    expect(again).toMatchObject({ status: 409, body: { code: 'email_taken' } })
    const login = await accounts.post('login', { email: 'CASE.person@example.org', password: goodPassword })
    expect(login).toMatchObject({ status: 200, body: { user: { id: user.id } } })
  })

  test('a wrong password and an unknown address get the same response', async () => {
    await accounts.newUser('known@example.org')
    const wrong = await accounts.post('login', { email: 'known@example.org', password: 'not the password' })
    const unknown = await accounts.post('login', { email: 'unknown@example.org', password: 'not the password' })
    expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    expect({ ...Object(unknown.body), request_id: '' }).toEqual({ ...Object(wrong.body), request_id: '' })
  })

  test('rejects weak passwords with a reason', async () => {
    const answer = await accounts.post('register', { email: 'weak@example.org', password: 'password1234' })
    expect(answer).toMatchObject({ status: 422, body: { code: 'weak_password', errors: [{ pointer: '/password' }] } })
  })

  test('ten failures from one IP address lock the account for that IP address only', async () => {
    await accounts.newUser('besieged@example.org')
    await accounts.newUser('neighbour@example.org')
    const stranger = '203.0.113.7'
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const answer = await accounts.loginFrom(stranger, { email: 'besieged@example.org', password: `guess number ${attempt}` })
      expect(answer).toMatchObject({ status: 401 })
    }
    const shut = await accounts.loginFrom(stranger, { email: 'Besieged@example.org', password: goodPassword })
    expect(shut).toMatchObject({ status: 429, body: { code: 'rate_limited', retry_after_seconds: expect.any(Number) } })
    expect(Number(shut.headers['retry-after'])).toBeGreaterThan(0)
    expect(await accounts.loginFrom(stranger, { email: 'neighbour@example.org', password: goodPassword })).toMatchObject({ status: 200 })
    expect(await accounts.post('login', { email: 'besieged@example.org', password: goodPassword })).toMatchObject({ status: 200 })
  })

  test('refreshing returns new tokens of the same session', async () => {
    const first = await accounts.newUser('refresh@example.org')
    const answer = await accounts.post('refresh', { refresh_token: first.refresh_token })
    expect(answer).toMatchObject({ status: 200, body: { session_id: first.session_id, user: first.user } })
    const second = answer.body as Session
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(await profileWith(second)).toMatchObject({ status: 200 })
  })

  test('an invalid refresh token is refused', async () => {
    const { user, refresh_token } = await accounts.newUser('garbage@example.org')
    const stranger = await accounts.newUser('stranger@example.org')
    const foreign = `${stranger.user.id}.${refresh_token.split('.').at(-1)}`
    for (const token of ['x', `${user.id}.`, `${user.id}.${'A'.repeat(70)}`, foreign, `${refresh_token}A`, '\u0000']) {
      const answer = await accounts.post('refresh', { refresh_token: token })
      expect([token, answer.status, Object(answer.body).code]).toEqual([token, 401, 'invalid_token'])
    }
    expect(await accounts.post('refresh', { refresh_token })).toMatchObject({ status: 200 })
  })

  test('signing out ends this session only', async () => {
    const one = await accounts.newUser('leaving@example.org')
    const login = await accounts.post('login', { email: 'leaving@example.org', password: goodPassword })
    const other = login.body as Session
    expect(await accounts.post('logout', { scope: 'session' }, one.access_token)).toMatchObject({ status: 204, body: undefined })
    expect(await profileWith(one)).toMatchObject({ status: 401, body: { code: 'session_ended' } })
    expect((await accounts.post('refresh', { refresh_token: one.refresh_token })).status).toBe(401)
    expect(await profileWith(other)).toMatchObject({ status: 200 })
    expect(await accounts.post('refresh', { refresh_token: other.refresh_token })).toMatchObject({ status: 200 })
    expect(accounts.ended).toContainEqual({ user_id: one.user.id, session_ids: [one.session_id] })
  })

  test('signing out everywhere ends all sessions and closes their sockets', async () => {
    const first = await accounts.newUser('everywhere@example.org')
    const logins = [1, 2].map(() => accounts.post('login', { email: 'everywhere@example.org', password: goodPassword }))
    const sessions = [first, ...(await Promise.all(logins)).map(({ body }) => body as Session)]
    expect(await accounts.post('logout', { scope: 'everywhere' }, first.access_token)).toMatchObject({ status: 204 })
    for (const session of sessions) {
      expect(await profileWith(session)).toMatchObject({ status: 401, body: { code: 'session_ended' } })
      expect((await accounts.post('refresh', { refresh_token: session.refresh_token })).status).toBe(401)
    }
    const told = accounts.ended.find(({ user_id }) => user_id === first.user.id)
    expect(told?.session_ids.toSorted()).toEqual(sessions.map(({ session_id }) => session_id).sort())
  })

  test('replaces a profile only at the expected version', async () => {
    const { user, access_token } = await accounts.newUser('profile@example.org', { display_name: 'Before' })
    const put = (payload: object, etag?: string) =>
      accounts.ask({
        method: 'PUT',
        url: '/api/v1/users/profile',
        payload,
        headers: { authorization: `Bearer ${access_token}`, ...(etag === undefined ? {} : { 'if-match': etag }) },
      })
    const update = { display_name: 'After', locale: 'fr', time_zone: 'Europe/Paris' }
    const second = await put(update, '"1"')
    expect(second).toMatchObject({ status: 200, headers: { etag: '"2"' } })
    expect(second.body).toEqual({ ...user, ...update, version: 2, updated_at: time })
    expect(await put(update, '"1"')).toMatchObject({ status: 412, body: { code: 'version_conflict', current_version: 2 } })
    expect(await put(update, '*')).toMatchObject({ status: 200, headers: { etag: '"3"' } })
    expect(await put(update)).toMatchObject({ status: 200, headers: { etag: '"4"' } })
    expect(await put({ ...update, display_name: 'a\u0000b' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/display_name' }] },
    })
    const avatar = '01996f2e-0000-7000-8000-000000000000'
    expect(await put({ ...update, avatar_file_id: avatar })).toMatchObject({
      status: 422,
      body: { code: 'unknown_reference', errors: [{ pointer: '/avatar_file_id' }] },
    })
  })

  test('of two concurrent writes to one version, one succeeds', async () => {
    const { access_token } = await accounts.newUser('racing@example.org')
    const put = (display_name: string) =>
      accounts.ask({
        method: 'PUT',
        url: '/api/v1/users/profile',
        payload: { display_name, locale: 'en', time_zone: 'UTC' },
        headers: { authorization: `Bearer ${access_token}`, 'if-match': '"1"' },
      })
    const answers = await Promise.all([put('one'), put('two')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
  })

  test('removing a device ends its sessions, but not others', async () => {
    const laptop = await accounts.newUser('devices@example.org', { device_id: 'laptop' })
    const login = { email: 'devices@example.org', password: goodPassword, device_id: 'phone' }
    const phone = (await accounts.post('login', login)).body as Session
    const refreshed = (await accounts.post('refresh', { refresh_token: laptop.refresh_token })).body as Session
    await endSessionsOfDevice(accounts.services, laptop.user.id, 'laptop')
    await endSessionsOfDevice(accounts.services, laptop.user.id, 'never seen')
    expect(await profileWith(refreshed)).toMatchObject({ status: 401, body: { code: 'session_ended' } })
    expect((await accounts.post('refresh', { refresh_token: refreshed.refresh_token })).status).toBe(401)
    expect(await profileWith(phone)).toMatchObject({ status: 200 })
    expect(await accounts.post('refresh', { refresh_token: phone.refresh_token })).toMatchObject({ status: 200 })
    expect(accounts.ended.filter(({ user_id }) => user_id === laptop.user.id)).toEqual([
      { user_id: laptop.user.id, session_ids: [laptop.session_id] },
    ])
  })

  test('neither tokens nor addresses nor passwords are logged', async () => {
    const session = await accounts.newUser('secretive@example.org')
    await accounts.post('login', { email: 'secretive@example.org', password: 'a wrong password' })
    await accounts.post('logout', {}, session.access_token)
    const text = accounts.logged.join('')
    expect(text).toContain(session.user.id)
    for (const secret of ['secretive', 'example.org', goodPassword, 'a wrong password', session.access_token, session.refresh_token]) {
      expect(text).not.toContain(secret)
    }
  })
})
