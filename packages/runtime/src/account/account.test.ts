import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestClock, testClock } from '../../test/support/clock/test-clock.ts'
import { type Account, openAccount } from './account.ts'
import type { CloudResult } from './cloud-result.ts'
import { type CloudRequest, readJson, type SendRequest } from './http.ts'
import { openSessionFile } from './session-file.ts'

let home: string
let clock: TestClock
let account: Account
let asked: string[]
/** The number of the newest refresh token, as counted by the cloud. */
let newest: number
let trouble: 'none' | 'lost_reply' | 'ended'
let disk: 'free' | 'full'
let said: string[]

const answer: SendRequest = async (_, { path, json }: CloudRequest, token): Promise<CloudResult<Response>> => {
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

function session(): CloudResult<Response> {
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

test('signs in only on request, and stays signed in after a restart, in a file that only its owner can read', async () => {
  expect([account.who(), await account.call(get('/x'))]).toEqual([
    null,
    { kind: 'refused', status: 401, code: 'unauthorized', detail: 'you are not signed in' },
  ])
  const identity = { cloud_url: 'https://cloud.example.org', user_id: 'user', email: 'mara@example.org', session_id: 's', ended: null }
  expect(await account.signIn(login, anyone)).toEqual({ ok: true, identity })
  expect([open().who(), statSync(join(home, 'account.json')).mode & 0o777]).toEqual([identity, 0o600])
})

test('renews a token that is about to expire, once for all pending calls', async () => {
  await account.signIn(login, anyone)
  clock.advance(850_000)
  const answers = await Promise.all([account.call(get('/a')), account.call(get('/b'))])
  expect(answers).toEqual([
    { kind: 'ok', body: { by: 'access-2' } },
    { kind: 'ok', body: { by: 'access-2' } },
  ])
  expect(asked.filter((line) => line.includes('refresh')).length).toBe(1)
})

test('renews a token that the cloud reports as expired, and repeats the call', async () => {
  await account.signIn(login, anyone)
  expect(await account.call(get('/expired-once'))).toEqual({ kind: 'ok', body: { by: 'access-2' } })
})

test('does not sign out when replies to renewals are lost, even across restarts', async () => {
  await account.signIn(login, anyone)
  clock.advance(900_000)
  trouble = 'lost_reply'
  expect((await account.call(get('/a'))).kind).toBe('unreachable')
  expect((await open().call(get('/a'))).kind).toBe('unreachable')
  trouble = 'none'
  expect(await open().call(get('/a'))).toEqual({ kind: 'ok', body: { by: 'access-2' } })
})

test('keeps a renewed session in memory while the disk is full, and writes it when there is space', async () => {
  await account.signIn(login, anyone)
  disk = 'full'
  for (const by of ['access-2', 'access-3']) {
    clock.advance(900_000)
    expect([await account.token(), await account.call(get('/a'))]).toEqual([by, { kind: 'ok', body: { by } }])
  }
  expect(said).toEqual(['the renewed session cannot be saved yet: no space left'])
  disk = 'free'
  await account.call(get('/a'))
  expect(said.at(-1)).toBe('the renewed session is saved now')
  // A restart with a token that is two renewals old would be too late.
  clock.advance(900_000)
  expect(await open().call(get('/a'))).toEqual({ kind: 'ok', body: { by: 'access-4' } })
})

test('ends a session that the cloud ended, even while the disk is full', async () => {
  await account.signIn(login, anyone)
  clock.advance(900_000)
  disk = 'full'
  trouble = 'ended'
  expect([await account.token(), account.who()?.ended]).toEqual([null, 'refresh_token_reused'])
})

test('reports a session that the cloud ended, and sends no more requests for it', async () => {
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

test('refuses another account and ends its session immediately; never sends tokens unencrypted to other machines', async () => {
  expect(await account.signIn(login, () => 'not yours')).toEqual({ ok: false, code: 'other_account', message: 'not yours' })
  expect([account.who(), asked.at(-1)]).toEqual([null, '/api/v1/auth/logout access-1'])
  for (const cloud_url of ['http://cloud.example.org', 'https://user:pass@cloud.example.org', 'ftp://x', 'cloud']) {
    expect(await account.signIn({ ...login, cloud_url }, anyone)).toMatchObject({ ok: false, code: 'invalid_address' })
  }
})

test('signs out locally even if the cloud cannot be reached', async () => {
  await account.signIn(login, anyone)
  await account.signOut('session')
  expect([account.who(), open().who()]).toEqual([null, null])
})

test('names a broken file and shows none of its content', () => {
  writeFileSync(join(home, 'account.json'), '{"refresh_token": "secret')
  expect(() => open()).toThrow(/account\.json cannot be read: remove it and sign in again$/)
})

test('forgets a deleted account without a request to the cloud, but not a newer session', async () => {
  await account.signIn(login, anyone)
  const before = asked.length
  account.forget('another session')
  expect(account.who()?.session_id).toBe('s')
  account.forget('s')
  expect([account.who(), open().who(), asked.length - before]).toEqual([null, null, 0])
})

test('does not quote a response that is not JSON, because it may contain a key', async () => {
  const quoted = await readJson({ kind: 'ok', body: new Response('{"key": secret-key}') })
  expect(quoted).toEqual({ kind: 'unreachable', detail: 'the response is not valid JSON' })
})
