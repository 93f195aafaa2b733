// Requests of attackers and broken clients: the server refuses them, keeps answering, and its memory stays bounded.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { subprotocolsWithToken } from '@tandem/contract/ws'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callRoute } from '../packages/server/test/support/contract-client.ts'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { change } from '../packages/server/test/support/user-with-data.ts'
import { emptyDatabase, type TestDatabase } from './server-database.ts'
import { type Account, openAccount } from './server-load.ts'
import { endServers, residentMegabytes, type ServerProcess, startServerProcess } from './server-process.ts'

let folder: string
let database: TestDatabase
let server: ServerProcess
let account: Account
let before: number
const sockets = new Set<Socket>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-flood-'))
  database = await emptyDatabase()
  server = await startServerProcess({ LOG_LEVEL: 'warn', DATA_DIR: folder, BAAS_URL: database.url, BAAS_KEY: database.password })
  account = await openAccount(server.url)
  before = await residentMegabytes(server.pid)
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await expectWell()
})
afterAll(async () => {
  await endServers()
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** It answers, its memory has not grown, and no error escaped its handlers. */
async function expectWell(): Promise<void> {
  expect((await callRoute(server.url, 'health')).body.status).toBe('ok')
  expect((await residentMegabytes(server.pid)) - before).toBeLessThan(300)
  expect(server.output()).not.toMatch(/unhandled|uncaught|request failed|Maximum call stack|heap/i)
}

const json = { 'content-type': 'application/json' }
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const nestedList = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const manyKeys = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":${at}`).join(',')}}`
const pushOf = (payload: string) => {
  const text = JSON.stringify({ device_id: 'laptop', changes: [change('agents', randomBytes(8).toString('hex'), { text: 'here' })] })
  return text.replace('{"text":"here"}', payload)
}

const bodies: readonly (readonly [name: string, raw: () => string, status: number])[] = [
  ['a body of two million brackets', () => nestedList(2_000_000), 400],
  ['a body of half a million nested objects', () => nested(500_000), 400],
  ['a body of 100,000 keys', () => manyKeys(100_000), 400],
  ['changes nested 100,000 deep', () => `{"device_id":"laptop","changes":${nestedList(100_000)}}`, 200],
  ['a payload nested 40,000 deep', () => pushOf(nested(40_000)), 200],
  ['a payload nested 40,000 deep, next to a string like a number', () => pushOf(`{"text":"3e12","a":${nested(40_000)}}`), 200],
  ['a payload nested 40,000 deep around a number that cannot be stored', () => pushOf(nested(40_000).replace('1', '1e999')), 200],
  ['a payload that is a list 120,000 deep', () => pushOf(`{"a":${nestedList(120_000)}}`), 200],
  ['a payload of 20,000 keys', () => pushOf(manyKeys(20_000)), 200],
  ['a payload with prototype keys', () => pushOf('{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}}}'), 200],
  ['a body with a prototype key', () => '{"__proto__":{"changes":[]},"device_id":"laptop"}', 400],
  ['two million invalid changes', () => `{"device_id":"laptop","changes":[${'1,'.repeat(2_000_000)}1]}`, 400],
  ['a number of 200,000 digits', () => pushOf(`{"a":${'9'.repeat(200_000)}}`), 200],
]
test.each(bodies)('%s', async (_name, raw, status) => {
  const reply = await callRoute(server.url, 'sync_push', { token: account.token, raw: raw(), headers: json })
  expect([reply.status, reply.problem?.code]).toEqual([status, status === 200 ? undefined : 'invalid_request'])
})

test('a decompression bomb is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024))
  const response = await fetch(`${server.url}/api/v1/sync/push`, {
    method: 'POST',
    headers: { ...json, 'content-encoding': 'gzip', authorization: `Bearer ${account.token}` },
    body: bomb,
  })
  expect(response.status).toBe(415)
})

test('an upload of 20,000 parts', async () => {
  const part = '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n'
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const reply = await callRoute(server.url, 'files_upload', { token: account.token, raw: `${part.repeat(20_000)}--b--\r\n`, headers })
  expect([reply.status, reply.problem?.code]).toEqual([400, 'invalid_request'])
})

test('a giant frame and garbage on /ws end that socket only', async () => {
  for (const message of ['x'.repeat(5 * 1024 * 1024), nestedList(10_000)]) {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, subprotocolsWithToken(account.token))
    let code: number | undefined
    socket.addEventListener('close', (event) => {
      code = event.code
    })
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    for (let time = 0; time < 20; time += 1) socket.send(message)
    await waitFor(() => code !== undefined)
    expect([1006, 1008, 4413]).toContain(code)
  }
})

const smuggled = 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'
const chunkedBody = '0\r\n\r\n'
const post = (headers: string, body: string) =>
  `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`
const raws: readonly (readonly [name: string, text: string, statuses: readonly number[]])[] = [
  ['both length headers', post(`Content-Length: ${chunkedBody.length}\r\nTransfer-Encoding: chunked`, chunkedBody + smuggled), [400]],
  ['both length headers, in reverse order', post('Transfer-Encoding: chunked\r\nContent-Length: 100', chunkedBody + smuggled), [400]],
  ['two lengths', post('Content-Length: 2\r\nContent-Length: 40', `{}${smuggled}`), [400]],
  ['a signed length', post('Content-Length: +2', `{}${smuggled}`), [400]],
  ['an unknown coding', post('Transfer-Encoding: xchunked', chunkedBody + smuggled), [400]],
  ['a coding after chunked', post('Transfer-Encoding: chunked, identity', chunkedBody + smuggled), [400]],
  ['a space before the colon', post('Transfer-Encoding : chunked\r\nContent-Length: 5', chunkedBody + smuggled), [400]],
  ['a folded header', post('Transfer-Encoding:\r\n chunked\r\nContent-Length: 5', chunkedBody + smuggled), [400]],
  ['a chunk whose size is too long', post('Transfer-Encoding: chunked', `fffffffffffffffff\r\n${smuggled}`), [400, 401, 413]],
  ['a line feed alone', `GET /health HTTP/1.1\nHost: x\nX: y\n\n${smuggled}`, [400]],
  ['no host', 'GET /health HTTP/1.1\r\n\r\n', [400]],
  ['headers of 100 KB', `GET /health HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`, [431]],
  ['5,000 headers', `GET /health HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(5_000)}\r\n`, [431]],
  ['an address of 100 KB', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, [431]],
  ['a NUL in the address', 'GET /health%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', [400, 404]],
  ['a broken escape', 'GET /api/v1/files/%E0%A4%A HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', [400]],
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', [400]],
]
test.each(raws)('%s is refused once, and the smuggled request behind it is ignored', async (_name, text, statuses) => {
  const heard = await talk(text)
  const answers = [...heard.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))
  expect(answers).toHaveLength(1)
  expect(statuses).toContain(answers[0])
  expect(heard).not.toContain('tandem_')
})

test('pipelined garbage on 50 connections', async () => {
  const noise = Array.from({ length: 50 }, () => talk(randomBytes(200_000)))
  for (const heard of await Promise.all(noise)) expect(heard).toMatch(/^(HTTP\/1\.1 400|$)/)
})

test('2,000 idle and 300 slow connections: all others are served', async () => {
  const { hostname, port } = new URL(server.url)
  const open = (said: string) =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket))
      socket.once('error', reject)
      if (said !== '') socket.write(said)
      sockets.add(socket)
    })
  for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 100 }, () => open('')))
  const slow = await Promise.all(
    Array.from({ length: 300 }, (_, at) =>
      open(at % 2 ? 'GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ' : post('Content-Length: 1000', '{"email":"')),
    ),
  )
  for (let round = 0; round < 5; round += 1) {
    for (const socket of slow) socket.write('a')
    await expectWell()
    const body = { device_id: 'laptop', changes: [change('agents', `a-${round}`, { name: 'x' })] }
    expect((await callRoute(server.url, 'sync_push', { token: account.token, body })).status).toBe(200)
    await sleep(200)
  }
})

/** Everything the server sends after `text` until it closes the connection, or one second after its last byte. */
async function talk(text: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ host: hostname, port: Number(port) })
  sockets.add(socket)
  let heard = ''
  let ended = false
  let last = performance.now()
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString('latin1')
    last = performance.now()
  })
  // The server closes the connection while it is still receiving: that is what is tested.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    ended = true
  })
  socket.write(text)
  await waitFor(() => ended || (heard !== '' && performance.now() - last > 1_000), 40_000)
  socket.destroy()
  return heard
}
