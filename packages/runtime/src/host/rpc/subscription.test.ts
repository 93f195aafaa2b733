import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Delta } from '@tandem/contract/command'
import { type RpcNotification, rpcLimits } from '@tandem/contract/command'
import { RpcNotification as NotificationSchema } from '@tandem/contract/command/schema'
import fc from 'fast-check'
import { Errors } from 'typebox/value'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Client, connect, type ReceivedMessage, type TestHost, testHost } from '../../../test/support/host/test-host.ts'
import { isTooDeep } from './message.ts'

let here: TestHost

beforeEach(async () => {
  here = await testHost()
})

afterEach(() => here.stop())

function client(): Promise<Client> {
  const { token } = JSON.parse(readFileSync(join(here.home, 'runtime.json'), 'utf8'))
  return connect(here.port, { authorization: `Bearer ${token}` })
}

function step(run_id: string, turn: number) {
  return here.features.journal.append(run_id, { kind: 'model.called', model: 'm', turn })
}

function notifications(heard: readonly ReceivedMessage[]): RpcNotification[] {
  return heard.filter(({ method }) => method !== undefined) as RpcNotification[]
}

const seqs = (heard: readonly ReceivedMessage[]) =>
  notifications(heard).flatMap((one) => (one.method === 'step' ? [one.params.step.seq] : []))
const nos = (heard: readonly ReceivedMessage[]) => notifications(heard).flatMap((one) => (one.method === 'event' ? [one.params.no] : []))
const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, at) => at + from)

test('new items are delivered immediately, in the shapes of the contract', async () => {
  const { run_id, conversation_id } = here.startRun()
  const one = await client()
  expect(await one.call('subscribe', { topics: ['event', 'step', 'delta'] })).toMatchObject({ result: { subscription_id: 's1' } })
  step(run_id, 1)
  const delta: Delta = { run_id, conversation_id, kind: 'text', id: 'm', offset: 0, text: 'Hel' }
  here.bus.publish('delta', delta)
  await one.until((heard) => notifications(heard).length === 3)
  const came = notifications(one.heard)
  expect(came.map(({ method }) => method)).toEqual(['event', 'step', 'delta'])
  expect(came[2]).toEqual({ jsonrpc: '2.0', method: 'delta', params: { subscription_id: 's1', delta } })
  for (const notification of came) expect(Errors(NotificationSchema, notification)).toEqual([])
})

test('an active run is followed from its start across a reconnect, without gaps or duplicates', async () => {
  const { run_id } = here.startRun()
  const other = here.startRun()
  for (let turn = 1; turn <= 500; turn += 1) step(run_id, turn)
  const first = await client()
  await first.call('subscribe', { topics: ['step', 'event'], run_id, after_seq: -1, after_event: 0 })
  for (let turn = 501; turn <= 520; turn += 1) {
    step(run_id, turn)
    step(other.run_id, turn)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await first.until((heard) => seqs(heard).at(-1) === 520)
  expect(seqs(first.heard)).toEqual(upTo(521))
  const seen = nos(first.heard)
  expect(new Set(seen).size).toBe(seen.length)
  first.socket.terminate()
  for (let turn = 521; turn <= 530; turn += 1) step(run_id, turn)
  const second = await client()
  await second.call('subscribe', { topics: ['step', 'event'], run_id, after_seq: 520, after_event: seen.at(-1) })
  step(run_id, 531)
  await second.until((heard) => seqs(heard).at(-1) === 531)
  expect(seqs(second.heard)).toEqual(upTo(11, 521))
  const recorded = here.features.events.list({ run_id, limit: 10_000 }).map(({ no }) => no)
  await second.until((heard) => nos(heard).length + seen.length >= recorded.length)
  expect([...seen, ...nos(second.heard)]).toEqual(recorded)
})

test('a subscriber that connects in the middle of a response gets the text so far', async () => {
  const { run_id, no, conversation_id } = here.startRun()
  here.features.journal.keepStream(no, 'm-1', 'Half an answ')
  const one = await client()
  await one.call('subscribe', { topics: ['delta'], run_id })
  await one.until((heard) => notifications(heard).length === 1)
  const delta = { run_id, conversation_id, kind: 'text', id: 'm-1', offset: 0, text: 'Half an answ' }
  expect(notifications(one.heard)[0]?.params).toEqual({ subscription_id: 's1', delta })
})

test('a slow reader gets the position where it was stopped, and loses nothing when it reconnects', async () => {
  const { run_id } = here.startRun()
  const slow = await client()
  await slow.call('subscribe', { topics: ['step'], run_id, after_seq: -1 })
  await slow.until((heard) => seqs(heard).length === 1)
  slow.socket.pause()
  const text = 'x'.repeat(60_000)
  for (let no = 1; no <= 500; no += 1) {
    here.features.journal.append(run_id, { kind: 'thinking', thinking_id: `t${no}`, text, complete: true })
    if (no % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  slow.socket.resume()
  await slow.until((heard) => notifications(heard).some(({ method }) => method === 'lagging'))
  const left = notifications(slow.heard).at(-1)
  const last = seqs(slow.heard).at(-1) ?? -1
  expect(left).toEqual({ jsonrpc: '2.0', method: 'lagging', params: { subscription_id: 's1', after_event: null, after_seq: last } })
  expect(last).toBeLessThan(500)
  await slow.call('subscribe', { topics: ['step'], run_id, after_seq: last })
  await slow.until((heard) => seqs(heard).at(-1) === 500)
  expect(seqs(slow.heard)).toEqual(upTo(501))
})

test('a live subscriber that was too slow before its first item does not restart from the beginning', async () => {
  const { run_id, conversation_id } = here.startRun()
  const slow = await client()
  await slow.call('subscribe', { topics: ['event', 'step', 'delta'] })
  slow.socket.pause()
  const text = 'x'.repeat(100_000)
  for (let no = 0; no < 400; no += 1) {
    here.bus.publish('delta', { run_id, conversation_id, kind: 'text', id: 'm', offset: no * text.length, text })
    if (no % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  slow.socket.resume()
  await slow.until((heard) => notifications(heard).some(({ method }) => method === 'lagging'))
  expect(notifications(slow.heard).at(-1)?.params).toEqual({ subscription_id: 's1', after_event: null, after_seq: null })
})

test('an ended subscription delivers nothing more', async () => {
  const { run_id } = here.startRun()
  const one = await client()
  await one.call('subscribe', { topics: ['step'] })
  expect(await one.call('unsubscribe', { subscription_id: 's1' })).toMatchObject({ result: { ended: true } })
  expect(await one.call('unsubscribe', { subscription_id: 's1' })).toMatchObject({ result: { ended: false } })
  step(run_id, 1)
  await one.call('agent_list', {})
  expect(notifications(one.heard)).toEqual([])
})

test.each<[string, unknown, string]>([
  ['no topics', { topics: [] }, 'invalid_params'],
  ['an unknown topic', { topics: ['secrets'] }, 'invalid_params'],
  ['a position of steps without a run', { topics: ['step'], after_seq: 1 }, 'invalid_params'],
  ['a position of events without the topic', { topics: ['step'], after_event: 1 }, 'invalid_params'],
  ['an unknown run', { topics: ['step'], run_id: '01890a5d-ac96-774b-bcce-b302099a8057' }, 'not_found'],
  ['an unknown field', { topics: ['step'], approved: true }, 'invalid_params'],
])('a subscription with %s is refused', async (_what, params, code) => {
  const one = await client()
  expect((await one.call('subscribe', params)).error?.data?.code).toBe(code)
})

test('the number of subscriptions of a socket is limited', async () => {
  const one = await client()
  for (let no = 0; no < rpcLimits.subscriptions; no += 1) await one.call('subscribe', { topics: ['delta'] })
  expect((await one.call('subscribe', { topics: ['delta'] })).error?.data?.code).toBe('limit_reached')
  await one.call('unsubscribe', { subscription_id: 's1' })
  expect((await one.call('subscribe', { topics: ['delta'] })).result).toEqual({ subscription_id: `s${rpcLimits.subscriptions + 1}` })
})

test('calls above the limit wait for their turn', async () => {
  const one = await client()
  const answers = await Promise.all(upTo(500).map(() => one.call('agent_list', {})))
  expect(answers.filter(({ result }) => result !== undefined)).toHaveLength(500)
})

test('the depth is the same as that of a parser', () => {
  const deep = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(deep)) : 0
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), (value, deepest) => {
      expect(isTooDeep(JSON.stringify(value), deepest)).toBe(deep(value) > deepest)
    }),
  )
  expect(isTooDeep('"[[[[\\"[[[["', 1)).toBe(false)
})
