// Attacks on a real executor over real sockets. Only the holder of the token gets an answer.
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { type IncomingHttpHeaders, request as plainRequest, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectSecure } from 'node:tls'
import { ExecutorCapabilities, ExecutorHealth, HandshakeResponse } from '@tandem/contract/executor/schema'
import { Check } from 'typebox/value'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../../test/support/clock/test-clock.ts'
import { handshakeRequest } from '../handshake-request.ts'
import { type ReferenceExecutor, type ReferenceOptions, startReferenceExecutor } from './reference-executor.ts'

let folder: string
const closing: (() => Promise<unknown>)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-reference-'))
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  rmSync(folder, { recursive: true, force: true })
})

const options = (change: Partial<ReferenceOptions> = {}): ReferenceOptions => ({
  folder,
  listen: '127.0.0.1',
  port: 0,
  hosts: [],
  plain: false,
  capabilities: ['gpu.cuda'],
  renew_token: false,
  allow_root: false,
  environment: { PATH: process.env.PATH },
  uid: 1000,
  ...change,
})

async function started(
  change: Partial<ReferenceOptions> = {},
): Promise<ReferenceExecutor & { readonly port: number; readonly token: string }> {
  const start = await startReferenceExecutor(options(change))
  if (!start.ok) throw new Error(start.problem)
  closing.push(start.executor.stop)
  return { ...start.executor, port: Number(new URL(start.executor.url).port), token: start.executor.new_token ?? '' }
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

/** Without the checks of a well-behaved client. */
function send(url: string, path: string, { body, ...more }: RequestOptions & { readonly body?: string } = {}): Promise<Answer> {
  const { hostname, port, protocol } = new URL(url)
  const request = protocol === 'https:' ? secureRequest : plainRequest
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, rejectUnauthorized: false, agent: false, ...more }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8'), headers: response.headers })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const brief = ({ status, body }: Answer) => [status, body]
const nothing = (status: number) => [status, '']

test('with the token: handshake, capabilities and health match the contract', async () => {
  const { url, token } = await started()
  const headers = bearer(token)
  const body = JSON.stringify(await handshakeRequest(folder, '0.1.0'))
  const handshake = JSON.parse((await send(url, '/handshake', { method: 'POST', headers, body })).body)
  expect([Check(HandshakeResponse, handshake), handshake.verdict, handshake.protocol]).toEqual([true, 'accepted', 'tandem-executor/1'])
  const offer = JSON.parse((await send(url, '/capabilities', { headers })).body)
  expect(Check(ExecutorCapabilities, offer)).toBe(true)
  const names = offer.capabilities.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining([`os.${process.platform}`, `arch.${process.arch}`, 'program.node', 'gpu.cuda']))
  const health = JSON.parse((await send(url, '/health', { headers })).body)
  expect([Check(ExecutorHealth, health), health.status]).toEqual([true, 'ok'])
})

test('a handshake with other protocols is refused with the ones that it supports', async () => {
  const { url, token } = await started()
  const body = JSON.stringify({ ...(await handshakeRequest(folder, '0.1.0')), protocols: ['other/1'] })
  const { body: answer } = await send(url, '/handshake', { method: 'POST', headers: bearer(token), body })
  expect(JSON.parse(answer)).toMatchObject({ verdict: 'refused', protocols: ['tandem-executor/1'] })
})

test('a scan without the token learns nothing: every path and method gets the same empty refusal', async () => {
  const { url } = await started()
  const answers: Answer[] = []
  for (const path of ['/', '/handshake', '/capabilities', '/health', '/jobs', '/../etc/passwd', '/health?token=x', '*']) {
    for (const method of ['GET', 'POST', 'OPTIONS', 'PUT', 'DELETE']) answers.push(await send(url, path, { method }))
  }
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(new Set([JSON.stringify(nothing(401))]))
  for (const { headers } of answers)
    expect(Object.keys(headers).toSorted()).toEqual(['cache-control', 'connection', 'content-length', 'date', 'x-content-type-options'])
})

test('a wrong Host, an Origin, and what a browser page can send get nothing, even with the token', async () => {
  const { url, token, port } = await started()
  const ask = (headers: Record<string, string>, method = 'GET') =>
    send(url, '/health', { method, headers: { ...bearer(token), ...headers } })
  expect(brief(await ask({ host: 'evil.example' }))).toEqual(nothing(421))
  expect(brief(await ask({ host: `127.0.0.1.evil.example:${port}` }))).toEqual(nothing(421))
  expect(brief(await ask({ host: '127.0.0.1' }))).toEqual(nothing(421))
  expect(brief(await ask({ origin: 'https://evil.example' }))).toEqual(nothing(403))
  expect(brief(await ask({ origin: url }))).toEqual(nothing(403))
  const preflight = await ask({ origin: 'https://evil.example', 'access-control-request-headers': 'authorization' }, 'OPTIONS')
  expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([403, undefined])
  expect((await ask({ host: `localhost:${port}` })).status).toBe(200)
})

test('ten wrong tokens block their address for a minute; another address is served meanwhile', async () => {
  const clock = testClock()
  const { url, token, port } = await started({ clock, listen: '0.0.0.0', hosts: ['127.0.0.1'] })
  expect(new URL(url).host).toBe(`127.0.0.1:${port}`)
  const from = (localAddress: string, said: string) => send(url, '/health', { localAddress, headers: bearer(said) })
  // A page can cause requests without a token: these block no one.
  for (let count = 0; count < 20; count += 1) expect((await send(url, '/health', { localAddress: '127.0.0.2' })).status).toBe(401)
  expect((await from('127.0.0.2', token)).status).toBe(200)
  for (let count = 0; count < 10; count += 1) expect(brief(await from('127.0.0.2', `wrong-${count}`))).toEqual(nothing(401))
  expect(brief(await from('127.0.0.2', token))).toEqual(nothing(429))
  expect((await from('127.0.0.3', token)).status).toBe(200)
  clock.advance(60_000)
  expect((await from('127.0.0.2', token)).status).toBe(200)
})

test('a recorded connection that is sent again gets nothing, nor does a token that was replaced', async () => {
  const { url, token, port, stop } = await started()
  const recorded: Buffer[] = []
  const proxy = createServer((client: Socket) => {
    const server = connect(port, '127.0.0.1')
    client.on('data', (chunk: Buffer) => recorded.push(chunk))
    client.pipe(server).pipe(client)
    for (const socket of [client, server]) socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => proxy.close(resolve)))
  const through = `https://127.0.0.1:${Object(proxy.address()).port}`
  const headers = { ...bearer(token), host: `127.0.0.1:${port}` }
  expect((await send(through, '/health', { headers })).status).toBe(200)
  const replayed = await new Promise<Buffer>((resolve) => {
    const answer: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.concat(recorded)))
    socket.on('data', (chunk: Buffer) => answer.push(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(Buffer.concat(answer)))
  })
  expect(replayed.toString('latin1')).not.toMatch(/HTTP|running_jobs/)
  await stop()
  closing.length = 0
  const renewed = await started({ renew_token: true })
  expect(renewed.certificate_sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(brief(await send(renewed.url, '/health', { headers: bearer(token) }))).toEqual(nothing(401))
  expect((await send(renewed.url, '/health', { headers: bearer(renewed.token) })).status).toBe(200)
  expect(url).toContain('https://127.0.0.1')
})

test('the body of a handshake is read only with the token, and only up to its limit', async () => {
  const { url, token } = await started()
  const post = (body: string, headers: Record<string, string>) => send(url, '/handshake', { method: 'POST', headers, body })
  const long = 'x'.repeat(300_000)
  expect(await post(long, {}).then(brief, () => nothing(401))).toEqual(nothing(401))
  expect(await post(long, bearer(token)).then(brief, () => nothing(413))).toEqual(nothing(413))
  expect(brief(await post('{"protocols": []}', bearer(token)))).toEqual(nothing(400))
  expect(brief(await post('garbage', bearer(token)))).toEqual(nothing(400))
  expect(brief(await send(url, '/handshake', { headers: bearer(token) }))).toEqual(nothing(405))
  expect(brief(await send(url, '/jobs', { headers: bearer(token) }))).toEqual(nothing(404))
})

/** Bytes as they are, over TLS; what comes back until the end of the connection. */
function say(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const answer: Buffer[] = []
    const socket = connectSecure({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => socket.write(text))
    socket.on('data', (chunk: Buffer) => answer.push(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(Buffer.concat(answer).toString('latin1')))
  })
}
const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

test('nothing is answered before the checks: neither an expectation, nor a request without a host', async () => {
  const { port, token } = await started()
  const post = 'POST /handshake HTTP/1.1\r\nContent-Length: 2\r\n'
  const host = `Host: 127.0.0.1:${port}\r\n`
  const authorization = `Authorization: Bearer ${token}\r\n`
  for (const expectation of ['100-continue', 'something-else']) {
    const expects = `Expect: ${expectation}\r\n`
    expect(statuses(await say(port, `${post}${host}${expects}\r\n`))).toEqual([401])
    expect(statuses(await say(port, `${post}Host: evil.example\r\n${authorization}${expects}\r\n`))).toEqual([421])
    expect(statuses(await say(port, `${post}${authorization}${expects}\r\n`))).toEqual([421])
  }
  expect(statuses(await say(port, `GET /health HTTP/1.1\r\n${authorization}\r\n`))).toEqual([421])
  expect(statuses(await say(port, `${post}${host}${authorization}Expect: 100-continue\r\n\r\n{}`))).toEqual([100, 400])
})

test.each([
  ['both lengths', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde'],
  ['an unknown encoding', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
  ['chunks twice', 'Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n'],
  ['broken chunks', 'Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n'],
  ['a folded header', 'X: a\r\n b\r\n\r\n'],
  ['headers over the limit', `X: ${'a'.repeat(20_000)}\r\n\r\n`],
])('a request with %s, which others may read differently, gets nothing, nor does what follows it', async (_, rest) => {
  const { port, token } = await started()
  const admitted = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`
  expect(await say(port, `POST /handshake HTTP/1.1\r\n${admitted}${rest}GET /health HTTP/1.1\r\n${admitted}\r\n`)).toBe('')
})

test('requests that are sent at once get one answer, and the connection ends', async () => {
  const { port, token } = await started()
  const refused = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
  const admitted = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`
  expect(statuses(await say(port, `${refused}${admitted}`))).toEqual([401])
  expect(statuses(await say(port, admitted.repeat(1_000)))).toEqual([200])
})

test('what is not HTTP or not TLS is closed without an answer', async () => {
  const { port } = await started()
  const sayPlainly = (text: string) =>
    new Promise<string>((resolve) => {
      const answer: Buffer[] = []
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      socket.on('data', (chunk: Buffer) => answer.push(chunk))
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(Buffer.concat(answer).toString('latin1')))
    })
  expect(await sayPlainly('GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')).not.toContain('HTTP/1.1')
  expect(await sayPlainly('SSH-2.0-scanner\r\n')).not.toMatch(/SSH|HTTP/)
})

test('many open connections of one address leave room for another', async () => {
  const { url, token, port } = await started({ listen: '0.0.0.0', hosts: ['127.0.0.1'] })
  const open = Array.from({ length: 200 }, () => connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }))
  for (const socket of open) socket.on('error', () => undefined)
  await expect.poll(() => open.filter(({ destroyed }) => destroyed).length).toBeGreaterThanOrEqual(168)
  expect((await send(url, '/health', { localAddress: '127.0.0.3', headers: bearer(token) })).status).toBe(200)
  for (const socket of open) socket.destroy()
})

test('connections of many addresses leave room for another', async () => {
  const { url, token, port } = await started({ listen: '0.0.0.0', hosts: ['127.0.0.1'] })
  const open = Array.from({ length: 1_100 }, (_, at) =>
    connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${Math.floor(at / 25) + 1}` }),
  )
  const settled = open.map((socket) => new Promise((resolve) => socket.on('connect', resolve).on('error', resolve)))
  await Promise.all(settled)
  expect((await send(url, '/health', { localAddress: '127.0.0.3', headers: bearer(token) })).status).toBe(200)
  for (const socket of open) socket.destroy()
})

test('two executors do not use one folder: a token that was replaced would still work at the other one', async () => {
  const { url, token, stop } = await started()
  expect(await startReferenceExecutor(options({ renew_token: true }))).toEqual({
    ok: false,
    problem: `another executor already uses ${folder}`,
    remedy: 'Stop it first, or set TANDEM_HOME to another folder.',
  })
  expect((await send(url, '/health', { headers: bearer(token) })).status).toBe(200)
  await stop()
  closing.length = 0
  expect((await started()).new_token).toBe(null)
})

test('its folder is for its owner alone, also if it existed before', async () => {
  chmodSync(folder, 0o777)
  await started()
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('its address is the one that clients use, however it was spelled', async () => {
  const { url, token } = await started({ listen: '0:0:0:0:0:0:0:1' })
  expect(url).toMatch(/^https:\/\/\[::1\]:/)
  const { port } = new URL(url)
  const answer = await send(url, '/health', { hostname: '::1', headers: { ...bearer(token), host: `[::1]:${port}` } })
  expect(answer.status).toBe(200)
})

test.each<[string, Partial<ReferenceOptions>, string]>([
  ['as root', { uid: 0 }, 'an executor must not run as root'],
  [
    'without TLS on another address than loopback',
    { plain: true, listen: '0.0.0.0', hosts: ['build.example'] },
    'plain http is allowed only on loopback',
  ],
  ['on all addresses without a name', { listen: '0.0.0.0' }, 'on 0.0.0.0, the executor does not know the address that clients use'],
  [
    'on an address with a zone, without a name',
    { listen: 'fe80::1%lo' },
    'on fe80::1%lo, the executor does not know the address that clients use',
  ],
  ['on a name', { listen: 'localhost' }, '--listen localhost is not an IP address'],
  ['on an address of another machine', { listen: '192.0.2.1' }, 'it cannot listen on 192.0.2.1:0 (EADDRNOTAVAIL)'],
  ['with a host that has a port', { hosts: ['build.example:1'] }, '"build.example:1" is not a host'],
  ['with a capability that is not a name', { capabilities: ['GPU'] }, '"GPU" is not a capability'],
])('it does not start %s', async (_, change, problem) => {
  expect(await startReferenceExecutor(options(change))).toMatchObject({ ok: false, problem })
})

test('a start that fails because the port is in use does not use up the token', async () => {
  const first = await started({ folder: join(folder, 'first') })
  const start = await startReferenceExecutor(options({ port: first.port }))
  expect(start).toMatchObject({ ok: false, problem: `it cannot listen on 127.0.0.1:${first.port} (EADDRINUSE)` })
  expect((await started()).new_token).not.toBe(null)
})

test('it starts as root only if that is allowed, and without TLS on loopback', async () => {
  const { url, token, certificate_sha256 } = await started({ uid: 0, allow_root: true, plain: true })
  expect([new URL(url).protocol, certificate_sha256]).toEqual(['http:', null])
  expect((await send(url, '/health', { headers: bearer(token) })).status).toBe(200)
})
