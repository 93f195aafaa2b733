import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestClock, testClock } from '../../test/support/clock/test-clock.ts'
import { type Account, openAccount } from './account.ts'
import type { Answer } from './answer.ts'
import { type CloudRequest, jsonOf, type Send } from './http.ts'
import { openSessionFile } from './session-file.ts'

let home: string
let clock: TestClock
let account: Account
let asked: string[]
/** The number of the newest refresh token, as the cloud counts them. */
let newest: number
let trouble: 'none' | 'lost_reply' | 'ended'
let disk: 'free' | 'full'
let said: string[]

const answer: Send = async (_, { path, json }: CloudRequest, token): Promise<Answer<Response>> => {
  asked.push(`${path} ${token ?? '-'}`)
  if (path.endsWith('/refresh')) {
    const used = Number(String((json as { refresh_token: string }).refresh_token).slice('refresh-'.length))
    if (trouble === 'ended' || used < newest - 1) return { kind: 'refused', status: 401, code: 'refresh_token_reused', detail: 'reused' }
    if (used === newest) newest += 1
    return trouble === 'lost_reply' ? { kind: 'unreachable', detail: 'lost' } : session()
  }
  if (path.endsWith('/login')) return session()
  if (path === '/expired-once' && token === 'access-1') return { kind: 'refused', status: 401, code: 'token_expired', detail: 'expired' }
  return { kind: 'ok', body: Response.json({ by: token }) }
}

function session(): Answer<Response> {
  const user = { id: 'user', email: 'mara@example.org' }
  const tokens = {
    access_token: `access-${newest}`,
    refresh_token: `refresh-${newest}`,
    expires_in: 900,
    session_id: 's',
    token_type: 'bearer',
  }
  return { kind: 'ok', body: Response.json({ ...tokens, user }) }
}

const login = {
  cloud_url: 'https://cloud.example.org/',
  email: 'mara@example.org',
  password: 'x',
  device_id: 'd',
  account: 'known',
} as const
const anyone = () => null
const get = (path: string) => ({ method: 'GET', path }) as const

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-account-'))
  clock = testClock()
  asked = []
  newest = 1
  trouble = 'none'
  disk = 'free'
  said = []
  account = open()
})
afterEach(() => rmSync(home, { recursive: true }))

function open(): Account {
  const file = openSessionFile(home)
  return openAccount({
    clock,
    file: {
      ...file,
      write(session) {
        if (disk === 'full') throw new Error('no space left')
        file.write(session)
      },
    },
    send: answer,
    log: (line) => said.push(line),
  })
}

test('nobody is signed in until somebody is; then it lasts over restarts, in a file for the owner alone', async () => {
  expect([account.who(), await account.call(get('/x'))]).toEqual([
    null,
    { kind: 'refused', status: 401, code: 'unauthorized', detail: 'nobody is signed in' },
  ])
  const identity = { cloud_url: 'https://cloud.example.org', user_id: 'user', email: 'mara@example.org', session_id: 's', ended: null }
  expect(await account.signIn(login, anyone)).toEqual({ ok: true, identity })
  expect([open().who(), statSync(join(home, 'account.json')).mode & 0o777]).toEqual([identity, 0o600])
})

test('a token near its end is renewed first, once for all who wait', async () => {
  await account.signIn(login, anyone)
  clock.advance(850_000)
  const answers = await Promise.all([account.call(get('/a')), account.call(get('/b'))])
  expect(answers).toEqual([
    { kind: 'ok', body: { by: 'access-2' } },
    { kind: 'ok', body: { by: 'access-2' } },
  ])
  expect(asked.filter((line) => line.includes('refresh')).length).toBe(1)
})

test('a token the cloud finds expired is renewed and the call repeated', async () => {
  await account.signIn(login, anyone)
  expect(await account.call(get('/expired-once'))).toEqual({ kind: 'ok', body: { by: 'access-2' } })
})

test('lost replies of renewals, over restarts too, sign nobody out', async () => {
  await account.signIn(login, anyone)
  clock.advance(900_000)
  trouble = 'lost_reply'
  expect((await account.call(get('/a'))).kind).toBe('unreachable')
  expect((await open().call(get('/a'))).kind).toBe('unreachable')
  trouble = 'none'
  expect(await open().call(get('/a'))).toEqual({ kind: 'ok', body: { by: 'access-2' } })
})

test('a full disk ends no session: renewed, it goes on in memory, and is kept once there is room', async () => {
  await account.signIn(login, anyone)
  disk = 'full'
  for (const by of ['access-2', 'access-3']) {
    clock.advance(900_000)
    expect([await account.token(), await account.call(get('/a'))]).toEqual([by, { kind: 'ok', body: { by } }])
  }
  expect(said).toEqual(["the renewed session can't be kept yet: no space left"])
  disk = 'free'
  await account.call(get('/a'))
  expect(said.at(-1)).toBe('the renewed session is kept now')
  // Two tokens ago would be too late for a restart.
  clock.advance(900_000)
  expect(await open().call(get('/a'))).toEqual({ kind: 'ok', body: { by: 'access-4' } })
})

test('a session that ended while the disk is full is ended all the same', async () => {
  await account.signIn(login, anyone)
  clock.advance(900_000)
  disk = 'full'
  trouble = 'ended'
  expect([await account.token(), account.who()?.ended]).toEqual([null, 'refresh_token_reused'])
})

test('a session the cloud ended is said, and nothing is asked in its name any more', async () => {
  await account.signIn(login, anyone)
  const heard: (string | null | undefined)[] = []
  account.onChanged(() => heard.push(account.who()?.ended))
  clock.advance(900_000)
  trouble = 'ended'
  await account.call(get('/a'))
  const before = asked.length
  expect(await account.token()).toBe(null)
  expect([heard, asked.length - before, open().who()?.ended]).toEqual([['refresh_token_reused'], 0, 'refresh_token_reused'])
  trouble = 'none'
  await account.signIn(login, anyone)
  expect(account.who()?.ended).toBe(null)
})

test('another account is refused and its session ended at once; tokens never go in the clear to other machines', async () => {
  expect(await account.signIn(login, () => 'not yours')).toEqual({ ok: false, code: 'other_account', message: 'not yours' })
  expect([account.who(), asked.at(-1)]).toEqual([null, '/api/v1/auth/logout access-1'])
  for (const cloud_url of ['http://cloud.example.org', 'https://user:pass@cloud.example.org', 'ftp://x', 'cloud']) {
    expect(await account.signIn({ ...login, cloud_url }, anyone)).toMatchObject({ ok: false, code: 'invalid_address' })
  }
})

test('signing out forgets the tokens although the cloud can not be told', async () => {
  await account.signIn(login, anyone)
  await account.signOut('session')
  expect([account.who(), open().who()]).toEqual([null, null])
})

test('a broken file names itself and shows nothing of what it holds', () => {
  writeFileSync(join(home, 'account.json'), '{"refresh_token": "secret')
  expect(() => open()).toThrow(/account\.json can't be read: remove it and sign in again$/)
})

test('a deleted account is forgotten without a word to the cloud, a newer session is not', async () => {
  await account.signIn(login, anyone)
  const before = asked.length
  account.forget('another session')
  expect(account.who()?.session_id).toBe('s')
  account.forget('s')
  expect([account.who(), open().who(), asked.length - before]).toEqual([null, null, 0])
})

test('an answer that is no JSON is not quoted: it may hold a key', async () => {
  const quoted = await jsonOf({ kind: 'ok', body: new Response('{"key": secret-key}') })
  expect(quoted).toEqual({ kind: 'unreachable', detail: 'the answer is not valid JSON' })
})
