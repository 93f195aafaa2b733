import { afterEach, expect, test } from 'vitest'
import { testClock } from '../../../test/support/clock/test-clock.ts'
import { openSite } from '../../../test/support/sandbox/network/test-scope.ts'
import { call, reason, testContext } from '../../../test/support/tools/web/test-context.ts'
import { maskHeaderValue } from '../web/mask.ts'
import { httpRequest } from './http.ts'
import { timeNow } from './time.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function context(...given: Parameters<typeof testContext>) {
  const made = testContext(...given)
  closing.push(made.dispose)
  return made
}

test('time.now in a zone', async () => {
  const there = { ...context([]), clock: testClock(Date.parse('2026-03-29T00:59:59.123Z')) }
  expect(await call(timeNow, { zone: 'Europe/Berlin' }, there)).toEqual({
    iso: '2026-03-29T01:59:59.123+01:00',
    utc: '2026-03-29T00:59:59.123Z',
    zone: 'Europe/Berlin',
    offset: '+01:00',
    date: '2026-03-29',
    time: '01:59:59',
    weekday: 'Sunday',
    week: 13,
    unix: 1_774_745_999,
  })
  there.clock.advance(1_000)
  expect(await call(timeNow, { zone: 'Europe/Berlin' }, there)).toMatchObject({ iso: '2026-03-29T03:00:00.123+02:00', offset: '+02:00' })
  expect(await call(timeNow, {}, there)).toMatchObject({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone })
  expect(await reason(call(timeNow, { zone: 'Middle/Earth' }, there))).toBe('zone_unknown')
})

test('http.request sends its arguments unchanged and hides secrets in the result', async () => {
  const bodies: string[] = []
  const there = await openSite(async (request, response) => {
    for await (const chunk of request) bodies.push(String(chunk))
    response
      .writeHead(201, { 'content-type': 'application/json', 'set-cookie': 'session=canary', 'x-request-id': 'r1', date: 'now' })
      .end('{"id":1}')
  })
  closing.push(there.close)
  const input = {
    url: `${there.origin}/things`,
    method: 'POST' as const,
    headers: { Authorization: 'Bearer canary', 'X-Trace': 't' },
    json: { name: 'x' },
  }
  const output = await call(httpRequest, input, context([there.host]))
  expect(output).toEqual({
    request: {
      method: 'POST',
      url: `${there.origin}/things`,
      headers: { Authorization: '(hidden, 13 characters)', 'X-Trace': 't', 'content-type': 'application/json' },
    },
    url: `${there.origin}/things`,
    status: 201,
    headers: {
      'content-type': 'application/json',
      'set-cookie': '(hidden, 14 characters)',
      'x-request-id': 'r1',
      date: 'now',
      connection: 'close',
      'transfer-encoding': 'chunked',
    },
    bytes: 8,
    truncated: false,
    redirected_from: [],
    body: { kind: 'text', charset: 'utf-8', text: '{"id":1}' },
  })
  expect([bodies, there.requests[0]?.headers.authorization]).toEqual([['{"name":"x"}'], 'Bearer canary'])
})

test('http.request declares its effect on the host', () => {
  const effects = (method?: 'GET' | 'HEAD' | 'POST' | 'DELETE') =>
    httpRequest.effects({ url: 'https://api.example:8443/x', ...(method ? { method } : {}) }, { workspace: '/' })
  expect([effects(), effects('HEAD'), effects('POST'), effects('DELETE')].flat()).toEqual([
    { does: 'fetch', host: 'api.example:8443' },
    { does: 'fetch', host: 'api.example:8443' },
    { does: 'send', host: 'api.example:8443' },
    { does: 'send', host: 'api.example:8443' },
  ])
})

test('http.request fails with a code', async () => {
  const there = await openSite((_, response) => response.end())
  closing.push(there.close)
  const run = (over: object) => reason(call(httpRequest, { url: there.origin, ...over }, context([there.host])))
  expect([
    await run({ body: 'a', json: 1 }),
    await run({ headers: { host: 'evil.test' } }),
    await run({ headers: { 'Proxy-Connection': 'x' } }),
    await run({ url: 'http://169.254.169.254/' }),
    await run({ url: 'http://u:p@127.0.0.1/' }),
  ]).toEqual(['body_ambiguous', 'header_forbidden', 'header_forbidden', 'host_out_of_scope', 'userinfo_forbidden'])
  expect(there.seen).toEqual([])
})

test.each([
  ['authorization', 'x', true],
  ['X-Api-Key', 'x', true],
  ['apikey', 'x', true],
  ['X-Amz-Security-Token', 'x', true],
  ['cookie', 'x', true],
  ['x-custom', 'Bearer abc', true],
  ['x-custom', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig', true],
  ['x-custom', 'sk-abcdefghijklmnop', true],
  ['x-custom', 'AKIAABCDEFGHIJKLMNOP', true],
  ['content-type', 'text/html', false],
  ['www-authenticate', 'Basic realm="x"', false],
  ['etag', '"abc"', false],
  ['keep-alive', 'timeout=5', false],
])('%s: %s is hidden: %s', (name, value, hidden) => {
  expect(maskHeaderValue({ [name]: value })[name] !== value).toBe(hidden)
})

test('http.request with a body is not redirected to another host, and reports the target', async () => {
  const other = await openSite((_, response) => response.end('never'))
  const there = await openSite((_, response) => response.writeHead(308, { location: `${other.origin}/take` }).end())
  closing.push(there.close, other.close)
  const input = { url: there.origin, method: 'POST' as const, body: 'secret' }
  const output = await call(httpRequest, input, context([there.host, other.host]))
  expect(output).toMatchObject({ status: 308, redirect_stopped: `${other.origin}/take` })
  expect(other.seen).toEqual([])
  expect(httpRequest.effects({ url: 'https://a.example/', method: 'GET', body: 'x' }, { workspace: '/' })).toEqual([
    { does: 'send', host: 'a.example' },
  ])
})
