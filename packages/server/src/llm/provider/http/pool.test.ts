// The client of providers against correct and faulty servers, over real sockets.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitFor } from '../../../../test/support/test-wait.ts'
import { wholeText } from '../../flow.ts'
import { CallAbort } from '../../stop.ts'
import { type ConnectionPool, openConnectionPool } from './pool.ts'

type PoolAnswer = (socket: Socket, request: string) => void

let server: Server
let pool: ConnectionPool
let sockets: Socket[]
let requests: string[]
let answer: PoolAnswer
let clock: number

const whole = (text: string, more = '') => `HTTP/1.1 200 OK\r\n${more}content-length: ${text.length}\r\n\r\n${text}`

beforeEach(async () => {
  sockets = []
  requests = []
  clock = 0
  answer = (socket, request) => socket.write(whole(`to ${request}`))
  server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      const request = data.toString('latin1').replace('\r\n\r\n', '')
      requests.push(request)
      answer(socket, request)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  pool = openConnectionPool({
    connect: () => connect(address.port, '127.0.0.1'),
    connected: 'connect',
    connect_ms: 10_000,
    now: () => clock,
  })
})
afterEach(() => {
  pool.close()
  for (const socket of sockets) socket.destroy()
  server.close()
})

async function ask(request: string, signal = new CallAbort()): Promise<string> {
  const { status, body } = await pool.send({ head: `${request}\r\n\r\n`, body: undefined }, signal)
  return `${status} ${await wholeText(body, 10_000_000)}`
}

test('one connection serves sequential requests, and several serve concurrent ones', async () => {
  expect([await ask('a'), await ask('b')]).toEqual(['200 to a', '200 to b'])
  expect(sockets).toHaveLength(1)
  expect(await Promise.all(['c', 'd', 'e'].map((request) => ask(request)))).toEqual(['200 to c', '200 to d', '200 to e'])
  expect(sockets).toHaveLength(3)
})

test.each(['connection: close\r\n', 'keep-alive: timeout=1\r\n'])('after %j another connection is opened', async (line) => {
  answer = (socket, request) => socket.write(whole(`to ${request}`, line))
  expect([await ask('a'), await ask('b')]).toEqual(['200 to a', '200 to b'])
  expect(sockets).toHaveLength(2)
})

test('unsolicited data closes the connection before it is used', async () => {
  answer = (socket, request) => socket.write(`${whole(`to ${request}`)}${whole('evil')}`)
  expect([await ask('a'), await ask('b')]).toEqual(['200 to a', '200 to b'])
  expect(sockets).toHaveLength(2)
  answer = (socket, request) => socket.write(whole(`to ${request}`))
  expect(await ask('c')).toBe('200 to c')
  sockets.at(-1)?.write(whole('evil'))
  await waitFor(() => sockets.at(-1)?.destroyed === true)
  expect(await ask('d')).toBe('200 to d')
})

test('a kept connection that was closed meanwhile is replaced once, silently; a new one that breaks is an error', async () => {
  expect(await ask('a')).toBe('200 to a')
  answer = (socket) => socket.resetAndDestroy()
  await expect(ask('b')).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(requests).toEqual(['a', 'b', 'b'])
  await expect(ask('c')).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(requests).toEqual(['a', 'b', 'b', 'c'])
})

test('a kept connection that breaks after a second may have processed the request: it is not resent silently', async () => {
  expect(await ask('a')).toBe('200 to a')
  answer = (socket) => {
    clock += 1_001
    socket.resetAndDestroy()
  }
  await expect(ask('b')).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(requests).toEqual(['a', 'b'])
})

test('a connection is used as long as the other side keeps it open', async () => {
  answer = (socket, request) => socket.write(whole(`to ${request}`, 'keep-alive: timeout=30\r\n'))
  expect([await ask('a'), await ask('b')]).toEqual(['200 to a', '200 to b'])
  expect(sockets).toHaveLength(1)
  clock += 30_000
  expect(await ask('c')).toBe('200 to c')
  expect(sockets).toHaveLength(2)
})

test('a request with a partial response is not sent again', async () => {
  expect(await ask('a')).toBe('200 to a')
  answer = (socket) => socket.write('HTTP/1.1 200 OK\r\nconte', () => socket.resetAndDestroy())
  await expect(ask('b')).rejects.toMatchObject({ code: 'ECONNRESET' })
  answer = (socket) => socket.end(`${whole('half of it').slice(0, -3)}`)
  await expect(ask('c')).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(requests).toEqual(['a', 'b', 'c'])
})

test('an invalid response is an error, and its connection is closed', async () => {
  answer = (socket) => socket.write('hello\r\n\r\n')
  await expect(ask('a')).rejects.toMatchObject({ code: 'EPROTO' })
  await waitFor(() => sockets[0]?.destroyed === true)
})

test('a stop ends the request in progress, and no other on the same connection', async () => {
  const first = new CallAbort()
  expect(await ask('a', first)).toBe('200 to a')
  answer = (socket, request) => void setTimeout(() => socket.write(whole(`to ${request}`)), 20)
  const second = ask('b')
  first.abort(new Error('too late'))
  expect(await second).toBe('200 to b')

  answer = () => undefined
  const third = new CallAbort()
  const asked = ask('c', third)
  await waitFor(() => requests.includes('c'))
  third.abort(new Error('the caller left'))
  await expect(asked).rejects.toThrow('the caller left')
  await waitFor(() => sockets[0]?.destroyed === true)
  await expect(ask('d', third)).rejects.toThrow('the caller left')
  expect(requests).toEqual(['a', 'b', 'c'])
})

test('without a listener little data is read, and a late listener misses nothing', async () => {
  const text = 'x'.repeat(30_000_000)
  answer = (socket) => socket.write(whole(text))
  const { body } = await pool.send({ head: 'a\r\n\r\n', body: undefined }, new CallAbort())
  await waitFor(() => body.paused)
  expect(sockets[0]?.writableLength).toBeGreaterThan(10_000_000)
  expect(await wholeText(body, text.length)).toHaveLength(text.length)
})

test('a late listener that stops immediately gets no more', async () => {
  const size = 3_000_000
  answer = (socket) => socket.write(whole('x'.repeat(size)))
  const { body } = await pool.send({ head: 'a\r\n\r\n', body: undefined }, new CallAbort())
  await waitFor(() => body.paused)
  let taken = 0
  const { promise: ended, resolve: end, reject: cut } = Promise.withResolvers<void>()
  const data = (bytes: Buffer) => {
    taken += bytes.length
    body.pause()
  }
  body.listen({ data, end, cut })
  const held = taken
  expect([body.paused, held > 0, held < size]).toEqual([true, true, true])
  // Another response of that size completes: by then this one would have received its next bytes.
  await ask('b')
  expect(taken).toBe(held)
  for (; taken < size; await new Promise((resolve) => setImmediate(resolve))) body.resume()
  await ended
  expect(taken).toBe(size)
})

test('a large body arrives unchanged', async () => {
  const body = Buffer.alloc(5_000_000, 'abc')
  const arrived: Buffer[] = []
  let left = body.length + 5
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    sockets.push(socket)
    socket.on('data', (data: Buffer) => {
      arrived.push(data)
      left -= data.length
      if (left === 0) socket.write(whole('ok'))
    })
  })
  const reply = await pool.send({ head: 'a\r\n\r\n', body }, new CallAbort())
  expect([reply.status, Buffer.concat(arrived).subarray(5).equals(body)]).toEqual([200, true])
  reply.body.destroy()
})
