import { expect, test } from 'vitest'
import { testClock } from '../../test/support/connection/test-clock.ts'
import { type ChannelNotification, type ConnectionState, openChannel, type SocketEvents } from './channel.ts'

interface Wire {
  readonly on: SocketEvents
  readonly sent: { readonly id: number; readonly method: string; readonly params: unknown }[]
}

function setUp(isHostReachable = false) {
  const clock = testClock()
  const wires: Wire[] = []
  const states: ConnectionState[] = []
  const channel = openChannel({
    clock,
    isHostReachable: async () => isHostReachable,
    onState: (state) => states.push(state),
    open(on) {
      const wire: Wire = { on, sent: [] }
      wires.push(wire)
      return { send: (text) => wire.sent.push(JSON.parse(text)), close: () => on.closed() }
    },
  })
  const wire = (index: number): Wire => {
    const found = wires[index]
    if (!found) throw new Error(`there are only ${wires.length} sockets`)
    return found
  }
  const answer = (index: number, id: number, result: unknown) => wire(index).on.message(JSON.stringify({ jsonrpc: '2.0', id, result }))
  const notify = (index: number, method: string, params: object) =>
    wire(index).on.message(JSON.stringify({ jsonrpc: '2.0', method, params }))
  return { clock, wires, wire, states, channel, answer, notify }
}

const run_id = '01900000-0000-7000-8000-000000000001'

test('a call gets the response with its id', async () => {
  const { wire, channel, answer } = setUp()
  wire(0).on.opened()
  const first = channel.call('runtime_get_settings', {})
  const second = channel.call('agent_run_get', { run_id })
  answer(0, 2, { run: 'b' })
  wire(0).on.message(
    JSON.stringify({ id: 1, error: { code: -32000, message: 'no', data: { code: 'not_found', message: 'no', remedy: 'look' } } }),
  )
  expect(await first).toEqual({ ok: false, error: { code: 'not_found', message: 'no', remedy: 'look' } })
  expect(await second).toEqual({ ok: true, value: { run: 'b' } })
})

test('calls in flight when the connection breaks and calls made while it is down get an error', async () => {
  const { wire, channel } = setUp()
  wire(0).on.opened()
  const cut = channel.call('runtime_get_settings', {})
  wire(0).on.closed()
  const down = channel.call('runtime_get_settings', {})
  expect([await cut, await down].map((one) => one.ok || one.error.code)).toEqual(['disconnected', 'disconnected'])
})

test('calls made while the connection is opening are sent when it is open, once', async () => {
  const { clock, wire, channel, answer } = setUp()
  const early = channel.call('agent_run_get', { run_id })
  expect(wire(0).sent).toEqual([])
  wire(0).on.opened()
  expect(wire(0).sent).toEqual([{ jsonrpc: '2.0', id: 1, method: 'agent_run_get', params: { run_id } }])
  answer(0, 1, { run: 'a' })
  expect(await early).toEqual({ ok: true, value: { run: 'a' } })
  wire(0).on.closed()
  clock.pass(250)
  wire(1).on.opened()
  expect(wire(1).sent).toEqual([])
})

test('calls on a connection that cannot be opened get an error and are not sent later', async () => {
  const { clock, wire, channel } = setUp()
  const early = channel.call('runtime_get_settings', {})
  wire(0).on.closed()
  expect(await early).toMatchObject({ ok: false, error: { code: 'disconnected' } })
  clock.pass(250)
  wire(1).on.opened()
  expect(wire(1).sent).toEqual([])
})

test('a subscription continues after its last notification, on the next socket', () => {
  const { clock, wire, wires, channel, answer, notify, states } = setUp()
  const heard: ChannelNotification[] = []
  wire(0).on.opened()
  channel.subscribe({ topics: ['step'], run_id, after_seq: -1 }, (one) => heard.push(one))
  answer(0, 1, { subscription_id: 's1' })
  notify(0, 'step', { subscription_id: 's1', step: { seq: 0 } })
  notify(0, 'step', { subscription_id: 's1', step: { seq: 1 } })
  wire(0).on.closed()
  clock.pass(249)
  expect(wires).toHaveLength(1)
  clock.pass(1)
  wire(1).on.opened()
  expect(wire(1).sent).toEqual([{ jsonrpc: '2.0', id: 2, method: 'subscribe', params: { topics: ['step'], run_id, after_seq: 1 } }])
  notify(1, 'step', { subscription_id: 's1', step: { seq: 9 } })
  expect(heard.map((one) => one.method === 'step' && one.params.step.seq)).toEqual([0, 1])
  expect(states).toEqual(['connecting', 'online', 'offline', 'connecting', 'online'])
})

test('a subscription that lags subscribes again from its last position', () => {
  const { wire, channel, answer, notify } = setUp()
  wire(0).on.opened()
  channel.subscribe({ topics: ['event'], after_event: 0 }, () => undefined)
  answer(0, 1, { subscription_id: 's1' })
  notify(0, 'event', { subscription_id: 's1', no: 7, event: {} })
  notify(0, 'lagging', { subscription_id: 's1', after_event: 7, after_seq: null })
  expect(wire(0).sent.at(-1)).toEqual({ jsonrpc: '2.0', id: 2, method: 'subscribe', params: { topics: ['event'], after_event: 7 } })
})

test('a subscription ended before its response is unsubscribed when the response arrives', () => {
  const { wire, channel, answer } = setUp()
  wire(0).on.opened()
  const end = channel.subscribe({ topics: ['event'] }, () => undefined)
  end()
  answer(0, 1, { subscription_id: 's4' })
  expect(wire(0).sent.at(-1)).toEqual({ jsonrpc: '2.0', id: 2, method: 'unsubscribe', params: { subscription_id: 's4' } })
})

test('reconnects with increasing delays up to a limit, and immediately on request', () => {
  const { clock, wires, wire, channel } = setUp()
  const waits: number[] = []
  for (let round = 0; round < 8; round += 1) {
    wire(wires.length - 1).on.closed()
    const before = wires.length
    let waited = 0
    while (wires.length === before) {
      clock.pass(250)
      waited += 250
    }
    waits.push(waited)
  }
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000])
  wire(wires.length - 1).on.closed()
  const before = wires.length
  channel.reconnect()
  expect(wires.length).toBe(before + 1)
})

test('distinguishes a runtime that refuses the window from one that is not running', async () => {
  const { wire, states } = setUp(true)
  wire(0).on.closed()
  await Promise.resolve()
  expect(states).toEqual(['connecting', 'offline', 'refused'])
})
