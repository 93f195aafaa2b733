import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestClock, testClock } from '../../../test/support/clock/test-clock.ts'
import { type HintConnection, type Hints, openHints } from './hints.ts'

interface TestLine extends HintConnection {
  readonly sent: string[]
  closed: boolean
}

let clock: TestClock
let lines: TestLine[]
let news: string[]
/** Which connection was open, each time one was reported. */
let opened: number[]
let address: string | null
let token: string | null
let hints: Hints

beforeEach(() => {
  clock = testClock()
  lines = []
  news = []
  opened = []
  address = 'https://cloud.example.org'
  token = 'token-1'
  hints = openHints({
    clock,
    random: () => 0.5,
    device_id: 'me',
    address: () => address,
    token: async () => token,
    open(url, subprotocol) {
      news.push(`opens ${url} ${subprotocol}`)
      const line: TestLine = {
        sent: [],
        closed: false,
        send: (text) => line.sent.push(text),
        close() {
          line.closed = true
        },
        onopen: null,
        onmessage: null,
        onclose: null,
        onerror: null,
      }
      lines.push(line)
      return line
    },
    changed: () => news.push('changed'),
    task: (task_id) => news.push(`task ${task_id}`),
    opened: () => opened.push(lines.length),
  })
})
afterEach(() => hints.stop())

const settled = () => new Promise((resolve) => setImmediate(resolve))
const last = () => {
  const line = lines.at(-1)
  if (!line) throw new Error('no line')
  return line
}
const hear = (message: unknown) => last().onmessage?.({ data: typeof message === 'string' ? message : JSON.stringify(message) })

test('the token is sent in the first message; hello and the writes of others are hints, our own are not', async () => {
  hints.refresh()
  await settled()
  last().onopen?.()
  expect(last().sent).toEqual(['{"type":"auth","token":"token-1","device_id":"me"}'])
  for (const message of [
    { type: 'hello' },
    { type: 'sync.changed', device_id: 'me' },
    { type: 'sync.changed', device_id: 'other' },
    { type: 'task.created', task_id: 't' },
    'no JSON',
    { type: 'of a newer cloud' },
  ])
    hear(message)
  expect(news).toEqual(['opens wss://cloud.example.org/ws tandem.v1', 'changed', 'changed', 'task t'])
  expect(opened).toEqual([1])
})

test('sends each new token before the old one expires', async () => {
  hints.refresh()
  await settled()
  last().onopen?.()
  hear({ type: 'hello' })
  token = 'token-2'
  for (let at = 0; at < 20; at += 1) {
    clock.advance(30_000)
    hear({ type: 'pong' })
  }
  await settled()
  expect(last().sent.filter((text) => text.includes('auth'))).toEqual([
    '{"type":"auth","token":"token-1","device_id":"me"}',
    '{"type":"auth","token":"token-2","device_id":"me"}',
  ])
  expect(lines.length).toBe(1)
})

test('notices a connection that is dead but not closed: it does not respond to a ping, and another one is opened', async () => {
  hints.refresh()
  await settled()
  last().onopen?.()
  hear({ type: 'hello' })
  clock.advance(29_999)
  hear({ type: 'sync.changed', device_id: 'me' })
  clock.advance(29_999)
  expect(last().sent.length).toBe(1)
  clock.advance(1)
  expect(last().sent.at(-1)).toBe('{"type":"ping"}')
  clock.advance(9_999)
  expect(last().closed).toBe(false)
  hear({ type: 'pong' })
  clock.advance(39_999)
  expect(last().closed).toBe(false)
  clock.advance(1)
  expect(last().closed).toBe(true)
  clock.advance(1_000)
  await settled()
  expect(lines.length).toBe(2)
  // One that never opens is given up too.
  clock.advance(40_000)
  expect(last().closed).toBe(true)
  clock.advance(2_000)
  await settled()
  expect(lines.length).toBe(3)
  hints.stop()
  clock.advance(3_600_000)
  await settled()
  expect(lines.length).toBe(3)
})

test('reopens a broken connection with growing delays, but not a forbidden one', async () => {
  hints.refresh()
  await settled()
  last().onclose?.({ code: 1006 })
  clock.advance(749)
  await settled()
  expect(lines.length).toBe(1)
  clock.advance(1)
  await settled()
  expect(lines.length).toBe(2)
  last().onclose?.({ code: 4403 })
  clock.advance(3_600_000)
  await settled()
  expect(lines.length).toBe(2)
})

test('signing out closes the connection, and nothing is opened without a token', async () => {
  hints.refresh()
  await settled()
  const [first] = lines
  address = null
  hints.refresh()
  await settled()
  expect([first?.closed, lines.length]).toEqual([true, 1])
  address = 'https://cloud.example.org'
  token = null
  hints.refresh()
  await settled()
  expect(lines.length).toBe(1)
})

test.each([
  [4409, ['changed']],
  [1006, []],
  [4403, []],
])('a connection that is closed with %i: the cloud is asked immediately only if the session has ended', async (code, expected) => {
  hints.refresh()
  await settled()
  news = []
  last().onclose?.({ code })
  expect(news).toEqual(expected)
})
