// How the error responses of Auth and of the gateways in front of it are interpreted.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSupabaseAuth } from './supabase-auth.ts'

let says: { status: number; headers?: Record<string, string>; body: string }
let heard: { url: string | undefined; headers: IncomingHttpHeaders }
const server = createServer((request, response) => {
  heard = { url: request.url, headers: request.headers }
  request.resume()
  response.writeHead(says.status, says.headers).end(says.body)
})
let url = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  url = `http://127.0.0.1:${address.port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const auth = (service_key = 'sb_secret_x') => openSupabaseAuth({ url, service_key })
const nothing = { retry_after_seconds: undefined, user_id: undefined, session_id: undefined }

test.each([
  [
    'today',
    400,
    { code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' },
    'invalid_credentials',
    'Invalid login credentials',
  ],
  [
    'before',
    400,
    { code: 'invalid_credentials', message: 'Invalid login credentials' },
    'invalid_credentials',
    'Invalid login credentials',
  ],
  [
    'long before',
    400,
    { error: 'invalid_grant', error_description: 'Invalid login credentials' },
    'invalid_grant',
    'Invalid login credentials',
  ],
])('a refusal in the format of Auth, %s', async (_when, status, body, code, message) => {
  says = { status, body: JSON.stringify(body) }
  expect(await auth().signIn('a@example.org', 'x')).toEqual({ ok: false, code, message, ...nothing })
})

test('a refusal may contain the user of the token and how long to wait', async () => {
  const headers = { 'sb-auth-user-id': 'u', 'sb-auth-session-id': 's', 'retry-after': '7' }
  says = { status: 400, headers, body: '{"error_code":"refresh_token_already_used","msg":"Already Used"}' }
  const refusal = { ok: false, code: 'refresh_token_already_used', message: 'Already Used' }
  expect(await auth().refresh('x')).toEqual({ ...refusal, user_id: 'u', session_id: 's', retry_after_seconds: 7 })
  says = { status: 429, body: 'slow down' }
  expect(await auth().refresh('x')).toEqual({ ok: false, code: 'over_request_rate_limit', message: '', ...nothing })
})

test.each([
  ['an outage', { status: 502, body: '<html>Bad Gateway</html>' }],
  ['a failure', { status: 500, body: '{"code":500,"error_code":"unexpected_failure","msg":"Database error"}' }],
  ['a wrong key', { status: 401, body: '{"message":"Invalid API key","hint":"…"}' }],
  ['a paused project', { status: 404, body: 'not here' }],
  ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }],
])('%s is an outage', async (_name, answer) => {
  says = answer
  await expect(auth().signIn('a@example.org', 'x')).rejects.toMatchObject({ code: 'accounts_unavailable' })
  await expect(auth().signOut('token', 'session')).rejects.toMatchObject({ code: 'accounts_unavailable' })
})

test('an unreachable project is an outage', async () => {
  const away = openSupabaseAuth({ url: 'http://127.0.0.1:1', service_key: 'sb_secret_x' })
  await expect(away.signIn('a@example.org', 'x')).rejects.toMatchObject({ code: 'accounts_unavailable' })
})

test('signing out of a session that no longer exists succeeds', async () => {
  says = { status: 403, body: '{"code":403,"error_code":"session_not_found","msg":"…"}' }
  await auth().signOut('token', 'everywhere')
  expect(heard).toMatchObject({ url: '/auth/v1/logout?scope=global', headers: { apikey: 'sb_secret_x', authorization: 'Bearer token' } })
})

test('a legacy key is sent in both headers, a new key in one', async () => {
  says = { status: 200, body: '{"id":"a user without a session"}' }
  expect(await auth('eyJ.old.key').signUp('a@example.org', 'x', {})).toEqual({ ok: true, session: undefined })
  expect(heard.headers).toMatchObject({ apikey: 'eyJ.old.key', authorization: 'Bearer eyJ.old.key' })
  await auth().signUp('a@example.org', 'x', {})
  expect(heard.headers.authorization).toBeUndefined()
})
