// Tests that apply only if this service stores the passwords.
import { createHook } from 'node:async_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goodPassword, type TestAccounts, testAccounts, testSecret } from '../../test/support/test-accounts.ts'
import { openBuiltInAccounts } from './built-in-accounts.ts'
import { emailDigest } from './email.ts'
import { openHasher } from './hasher.ts'

let accounts: TestAccounts
beforeAll(async () => {
  accounts = await testAccounts('built-in')
})
afterAll(() => accounts[Symbol.asyncDispose]())

test('a password hashed with older parameters is hashed again at the next sign-in', async () => {
  const { owner } = accounts.services.database
  const cheap = openBuiltInAccounts(testSecret, accounts.services, openHasher({ cost: { memory_kib: 64, passes: 1, lanes: 1 } }))
  const { user } = await cheap.register({ email: 'rehash@example.org', password: goodPassword })
  const parameters = async () => {
    const [row] = await owner<{ password_hash: string }[]>`select password_hash from tandem.credentials where user_id = ${user.id}`
    return row?.password_hash.split('$').slice(1, 4)
  }
  expect(await parameters()).toEqual(['argon2id', 'v=19', 'm=64,t=1,p=1'])
  expect(await accounts.post('login', { email: 'rehash@example.org', password: 'the wrong password' })).toMatchObject({ status: 401 })
  expect(await parameters()).toEqual(['argon2id', 'v=19', 'm=64,t=1,p=1'])
  expect(await accounts.post('login', { email: 'rehash@example.org', password: goodPassword })).toMatchObject({ status: 200 })
  expect(await parameters()).toEqual(['argon2id', 'v=19', 'm=19456,t=2,p=1'])
  expect(await accounts.post('login', { email: 'rehash@example.org', password: goodPassword })).toMatchObject({ status: 200 })
})

test('an unknown address, a wrong password and a correct one each cost one hash', async () => {
  await accounts.newUser('weighed@example.org')
  const hashes = async (email: string, password: string) => {
    const work: string[] = []
    // Counts tasks sent to the thread pool; every Argon2 computation is one.
    const watch = createHook({ init: (_id, type) => void work.push(type) }).enable()
    const { status } = await accounts.post('login', { email, password })
    watch.disable()
    return [status, work.filter((type) => /argon2/i.test(type)).length]
  }
  expect([
    await hashes('nobody.at.all@example.org', 'not the password'),
    await hashes('weighed@example.org', 'not the password'),
    await hashes('weighed@example.org', goodPassword),
  ]).toEqual([
    [401, 1],
    [401, 1],
    [200, 1],
  ])
})

test('successful sign-ins are not counted, and a locked account is unlocked again', async () => {
  await accounts.newUser('regular@example.org')
  const login = (password: string) => accounts.loginFrom('203.0.113.9', { email: 'regular@example.org', password })
  for (let attempt = 0; attempt < 12; attempt += 1) expect((await login(goodPassword)).status).toBe(200)
  // Sign-ins per IP address and minute are limited, successful or not.
  accounts.pass(60)
  for (let attempt = 0; attempt < 10; attempt += 1) expect((await login('a wrong guess')).status).toBe(401)
  const shut = await login(goodPassword)
  expect(shut.status).toBe(429)
  accounts.pass(Number(shut.headers['retry-after']))
  expect((await login(goodPassword)).status).toBe(200)
})

test('concurrent guesses on two nodes are all counted', async () => {
  await accounts.newUser('stormed@example.org')
  const node = () => openBuiltInAccounts(testSecret, accounts.services)
  const nodes = [node(), node()]
  const guess = { email: 'stormed@example.org', password: 'a wrong guess' }
  const outcomes = await Promise.allSettled(nodes.flatMap((one) => Array.from({ length: 12 }, () => one.login(guess, '203.0.113.10'))))
  const codes = outcomes.map((one) => (one.status === 'rejected' ? one.reason.code : 'signed in'))
  expect([codes.filter((code) => code === 'invalid_credentials').length, codes.filter((code) => code === 'rate_limited').length]).toEqual([
    ...[10, 14],
  ])
})

test('guesses from many addresses are stopped, and a known device can still sign in', async () => {
  const email = 'sought@example.org'
  await accounts.newUser(email, { device_id: 'known-laptop' })
  for (let attempt = 0; attempt < 100; attempt += 1) {
    await accounts.services.cache.take(`rate:login:account:${emailDigest(email)}`, { points: 100, seconds: 900 })
  }
  expect((await accounts.post('login', { email, password: goodPassword })).status).toBe(429)
  expect((await accounts.post('login', { email, password: goodPassword, device_id: 'another-laptop' })).status).toBe(429)
  expect((await accounts.post('login', { email, password: goodPassword, device_id: 'known-laptop' })).status).toBe(200)
  // The device has its own limit: it is locked after ten guesses.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect((await accounts.post('login', { email, password: 'a wrong guess', device_id: 'known-laptop' })).status).toBe(401)
  }
  expect((await accounts.post('login', { email, password: goodPassword, device_id: 'known-laptop' })).status).toBe(429)
})

test('registering leaves nothing behind if the address is taken', async () => {
  const { owner } = accounts.services.database
  await accounts.newUser('once@example.org')
  const count = () => owner`select (select count(*) from tandem.users) as users, (select count(*) from tandem.credentials) as credentials`
  const before = await count()
  const answers = Array.from({ length: 3 }, () => accounts.post('register', { email: 'ONCE@example.org', password: goodPassword }))
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([409, 409, 409])
  expect(await count()).toEqual(before)
})

test('sessions unused for two lifetimes are deleted at the next sign-in', async () => {
  const { owner } = accounts.services.database
  const { user } = await accounts.newUser('returning@example.org')
  accounts.pass(61 * 24 * 60 * 60)
  await accounts.post('login', { email: 'returning@example.org', password: goodPassword })
  expect(await owner`select count(*)::int as sessions from tandem.sessions where user_id = ${user.id}`).toEqual([{ sessions: 1 }])
})

test('each role can access only the account data it needs', async () => {
  const { database } = accounts.services
  const one = await accounts.newUser('one@example.org')
  const two = await accounts.newUser('two@example.org')
  for (const table of ['credentials', 'sessions', 'email_directory']) {
    const reading = database.asUser(one.user.id, (sql) => sql`select 1 from ${sql(`tandem.${table}`)}`)
    await expect(reading).rejects.toMatchObject({ code: '42501' })
  }
  for (const table of ['users', 'credentials', 'sessions']) {
    const unnamed = await database.asAccounts((sql) => sql`select 1 from ${sql(`tandem.${table}`)}`)
    expect([table, unnamed.length]).toEqual([table, 0])
    const named = await database.asAccounts(async (sql) => {
      await sql`select set_config('app.user_id', ${one.user.id}, true)`
      return sql<{ user_id: string }[]>`select distinct user_id from ${sql(`tandem.${table}`)}`
    })
    expect([table, named.map(({ user_id }) => user_id)]).toEqual([table, [one.user.id]])
  }
  const seen = await database.asUser(one.user.id, (sql) => sql<{ user_id: string }[]>`select user_id from tandem.users`)
  expect(seen.map(({ user_id }) => user_id)).toEqual([one.user.id])
  const theft = database.asUser(
    one.user.id,
    (sql) => sql`update tandem.users set display_name = 'x' where user_id = ${two.user.id} returning user_id`,
  )
  expect(await theft).toHaveLength(0)
})

test('signing out works while the cache is unavailable', async () => {
  const session = await accounts.newUser('cacheless@example.org')
  const caller = { user_id: session.user.id, session_id: session.session_id, email: session.user.email, expires_at: 0 }
  const endedSessions = {
    add: () => Promise.reject(new Error('the cache is away')),
    has: () => Promise.resolve(false),
  }
  const without = openBuiltInAccounts(testSecret, { ...accounts.services, endedSessions })
  await without.logout(caller, 'session', session.access_token)
  expect(await accounts.post('refresh', { refresh_token: session.refresh_token })).toMatchObject({
    status: 401,
    body: { code: 'session_ended' },
  })
})
