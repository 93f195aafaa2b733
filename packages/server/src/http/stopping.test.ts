// What happens to requests when a node stops.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitFor } from '../../test/support/test-wait.ts'
import { registerErrorHandler } from './failure.ts'
import { setTransport } from './transport.ts'

let app: FastifyInstance
let port: number
/** The client ports of all accepted connections. */
let accepted: Set<number>

beforeEach(async () => {
  app = Fastify({ bodyLimit: 2 ** 23, forceCloseConnections: 'idle', return503OnClosing: false })
  registerErrorHandler(app)
  await setTransport(app)
  app.post('/', async () => {
    await sleep(3)
    return { done: true }
  })
  accepted = new Set()
  app.server.on('connection', (socket) => accepted.add(socket.remotePort ?? 0))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  port = address !== null && typeof address === 'object' ? address.port : 0
})
afterEach(() => app.close())

const small = Buffer.from('{"text":"small"}')
const large = Buffer.from(JSON.stringify({ text: 'x'.repeat(3_000_000) }))

test('accepted requests are answered completely, even if their body is still arriving', async () => {
  // Accepted before the stop, and sending a request after it has started.
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const calls = Array.from({ length: 3 }, () => callOnce(small, begun))
  await waitFor(() => accepted.size === calls.length)
  const opening = setInterval(() => calls.push(callOnce(calls.length % 5 === 0 ? large : small)), 2)
  await waitFor(() => accepted.size > 20)
  const closed = app.close()
  begin()
  await closed
  clearInterval(opening)
  // And on a closed listener.
  calls.push(callOnce(small))

  const ended = await Promise.all(calls)
  const let_in = ended.filter((call) => accepted.has(call.port))
  expect(let_in.filter((call) => !['200 whole', '503 whole'].includes(call.answer))).toEqual([])
  // Proof that the stop happened in between: some were served, some refused.
  expect(new Set(let_in.map((call) => call.answer))).toEqual(new Set(['200 whole', '503 whole']))
  // Never accepted: the system refused them, or left them in the queue of a closed listener. No response was started.
  const outside = ended.filter((call) => !accepted.has(call.port))
  expect(outside.filter((call) => call.answer !== 'none' || !/^ECONN(REFUSED|RESET)$/.test(call.error ?? ''))).toEqual([])
  expect(outside.length).toBeGreaterThan(0)
})

test('a caller with a busy connection is told to close it, and loses nothing', async () => {
  const callers = Array.from({ length: 20 }, () => callAgainAndAgain())
  await waitFor(() => callers.every(({ answered }) => answered() > 3))
  await app.close()
  const ended = await Promise.all(callers.map(({ end }) => end))
  expect(ended).toEqual(ended.map(() => ({ unanswered: 0, last: 'close' })))
})

test('an idle connection is closed', async () => {
  const idle = open()
  await new Promise((resolve) => idle.once('connect', resolve))
  idle.write(requestHead(small))
  idle.write(small)
  await new Promise((resolve) => idle.once('data', resolve))
  const gone = new Promise((resolve) => idle.once('close', resolve))
  const since = performance.now()
  await Promise.all([app.close(), gone])
  // Otherwise it would stay open for this long.
  expect(performance.now() - since).toBeLessThan(app.server.keepAliveTimeout)
})

interface Call {
  readonly port: number
  readonly answer: string
  readonly error: string | undefined
}

function open(): Socket {
  return connect({ host: '127.0.0.1', port, noDelay: true })
}

function requestHead(body: Buffer): string {
  return `POST / HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
}

/** A connection of its own, the body in two halves; nothing is sent on it before `when`. */
function callOnce(body: Buffer, when = Promise.resolve()): Promise<Call> {
  const socket = open()
  let own = 0
  let text = ''
  let error: string | undefined
  socket.once('connect', async () => {
    own = socket.localPort ?? 0
    await when
    socket.write(requestHead(body))
    socket.write(body.subarray(0, body.length / 2))
    setTimeout(() => socket.write(body.subarray(body.length / 2)), 5)
  })
  socket.on('data', (chunk) => {
    text += chunk
    if (answerOf(text).endsWith('whole')) socket.end()
  })
  socket.once('error', (failure: NodeJS.ErrnoException) => {
    error = failure.code
  })
  return new Promise((resolve) => socket.once('close', () => resolve({ port: own, answer: answerOf(text), error })))
}

/** Sequential calls on one connection, until a response announces that it was the last. */
function callAgainAndAgain(): { answered(): number; end: Promise<{ unanswered: number; last: string }> } {
  const socket = open()
  let text = ''
  let answered = 0
  let asked = 0
  let last = 'none'
  const ask = () => {
    asked += 1
    socket.write(requestHead(small))
    socket.write(small)
  }
  socket.once('connect', ask)
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    text += chunk
    if (!answerOf(text).endsWith('whole')) return
    answered += 1
    last = /^connection: (\S+)/im.exec(text)?.[1] ?? 'none'
    text = ''
    if (last !== 'close') setTimeout(ask, 2)
  })
  const end = new Promise<{ unanswered: number; last: string }>((resolve) => {
    socket.once('close', () => resolve({ unanswered: asked - answered, last }))
  })
  return { answered: () => answered, end }
}

function answerOf(text: string): string {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const status = /^HTTP\/1\.1 (\d+)/.exec(head)?.[1]
  if (status === undefined) return text === '' ? 'none' : 'broken'
  return `${status} ${body.length === Number(/^content-length: (\d+)/im.exec(head)?.[1]) ? 'whole' : 'cut'}`
}
