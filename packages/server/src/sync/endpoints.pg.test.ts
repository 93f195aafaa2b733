import { limits } from '@tandem/contract/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/support/test-app.ts'
import { change, facts } from '../../test/support/test-change.ts'

let test_: TestApp
beforeAll(async () => {
  test_ = await testApp()
})
afterAll(async () => await test_.close())

async function push(headers: object, payload: unknown) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return await test_.app.inject({
    method: 'POST',
    url: '/api/v1/sync/push',
    headers: { ...headers, 'content-type': 'application/json' },
    payload: text,
    remoteAddress: test_.address(),
  })
}

async function pull(headers: object, query: Record<string, string> = {}) {
  return await test_.app.inject({ method: 'GET', url: '/api/v1/sync/pull', query, headers: { ...headers }, remoteAddress: test_.address() })
}

test('a push and the pull that returns it, over HTTP', async () => {
  const { headers, user_id } = await test_.user()
  const pushed = await push(headers, { device_id: 'laptop', changes: [change(), ...facts('m', 2)] })
  expect([pushed.statusCode, pushed.headers['content-type'], pushed.headers['cache-control']]).toEqual([
    200,
    'application/json; charset=utf-8',
    'no-store',
  ])
  const { cursor_ts, epoch } = pushed.json()
  const pulled = await pull(headers, { limit: '10', entity_types: 'agents,messages' })
  expect(pulled.json()).toEqual({
    changes: [change(), ...facts('m', 2)],
    has_more: false,
    cursor_ts,
    snapshot_ts: cursor_ts,
    epoch,
  })
  expect([epoch, pulled.headers['content-type']]).toEqual([test_.services.epoch.current, 'application/json; charset=utf-8'])
  expect(test_.told.filter((one) => one.user_id === user_id)).toHaveLength(1)
  const devices = await test_.app.inject({ method: 'GET', url: '/api/v1/users/devices', headers })
  expect(devices.json().items).toMatchObject([{ device_id: 'laptop' }])
})

test('only an invalid envelope is refused as a whole', async () => {
  const { headers } = await test_.user()
  const codes = async (payload: unknown) => {
    const reply = await push(headers, payload)
    return [reply.statusCode, reply.json().code]
  }
  expect(await codes({ device_id: 'laptop', changes: facts('m', limits.push_changes + 1) })).toEqual([400, 'invalid_request'])
  expect(await codes({ device_id: 'lap top', changes: [] })).toEqual([400, 'invalid_request'])
  expect(await codes({ device_id: 'laptop' })).toEqual([400, 'invalid_request'])
  expect(await codes('{"device_id":')).toEqual([400, 'invalid_request'])
  expect(await codes(`{"device_id":"laptop","changes":[]${' '.repeat(limits.push_bytes)}}`)).toEqual([413, 'payload_too_large'])
  const bad = [{}, { ...change(), entity_type: 'dreams' }, change()]
  const reply = await push(headers, { device_id: 'laptop', changes: bad })
  expect(reply.json().verdicts).toMatchObject([{ code: 'invalid' }, { code: 'unknown_entity_type' }, { verdict: 'applied' }])
})

test('cursors that cannot be served are refused with their code', async () => {
  const { headers } = await test_.user()
  const codes = async (query: Record<string, string>) => {
    const reply = await pull(headers, query)
    return [reply.statusCode, reply.json().code]
  }
  expect(await codes({ cursor_ts: '2026-01-01T00:00:00.000Z' })).toEqual([409, 'cursor_ahead'])
  expect(await codes({ cursor_ts: '2026-02-31T00:00:00.000Z' })).toEqual([400, 'invalid_request'])
  const snapshot = { cursor_ts: '2026-01-01T00:00:00.000Z', snapshot_ts: '2026-02-31T00:00:00.000Z' }
  expect((await pull(headers, snapshot)).json().errors).toEqual([
    { pointer: '/query/snapshot_ts', message: expect.stringContaining('must be a valid UTC timestamp') },
  ])
  expect(await codes({ cursor_ts: 'yesterday' })).toEqual([400, 'invalid_request'])
  expect(await codes({ limit: '1001' })).toEqual([400, 'invalid_request'])
  expect(await codes({ limit: '0' })).toEqual([400, 'invalid_request'])
  expect(await codes({ entity_types: 'agents;' })).toEqual([400, 'invalid_request'])
  expect(await codes({})).toEqual([200, undefined])
})

test("requires a token, and returns only the user's own changes", async () => {
  const [one, other] = [await test_.user(), await test_.user()]
  expect([(await push({}, { device_id: 'a', changes: [] })).statusCode, (await pull({})).statusCode]).toEqual([401, 401])
  await push(one.headers, { device_id: 'laptop', changes: [change()] })
  expect((await pull(other.headers)).json().changes).toEqual([])
})
