import type { HandshakeResponse } from '@tandem/contract/executor'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFallback, readHandshake } from './reading.ts'

const executor = { name: 'build', version: '0.1.0', os: 'linux', arch: 'x64' }
const accepted: HandshakeResponse = {
  verdict: 'accepted',
  protocol: 'tandem-executor/1',
  session_id: 'one',
  executor,
  capabilities: [
    { name: 'gpu', version: '1' },
    { name: 'os.linux', version: null },
    { name: 'gpu', version: '2' },
  ],
  workspace: null,
  expires_at: '2026-03-01T09:05:00.000Z',
}
const offer = { protocols: ['other/1', 'tandem-executor/1'], executor, capabilities: [{ name: 'gpu', version: null }] }
const health = { status: 'ok', running_jobs: 0, ts: '2026-03-01T09:00:00.000Z' }
const ok = (value: unknown) => ({ status: 200, body: JSON.stringify(value) })
const reasonIn = (reading: unknown) => Object(reading).problem?.reason ?? Object(reading).outcome ?? reading

test('an accepted handshake has what the executor offers, each capability once', () => {
  expect(readHandshake(ok(accepted))).toEqual({
    outcome: 'negotiated',
    value: {
      method: 'handshake',
      protocol: 'tandem-executor/1',
      executor,
      capabilities: [
        { name: 'gpu', version: '1' },
        { name: 'os.linux', version: null },
      ],
      health: null,
      session_id: 'one',
      expires_at: '2026-03-01T09:05:00.000Z',
    },
  })
})

test.each([
  ['refused for its own reasons', { verdict: 'refused', protocols: ['tandem-executor/1'], message: 'busy' }, 'refused'],
  ['refused for the protocol', { verdict: 'refused', protocols: ['tandem-executor/2'], message: 'old' }, 'protocol_mismatch'],
  ['refused without protocols', { verdict: 'refused', protocols: [], message: 'no' }, 'protocol_mismatch'],
  ['a protocol that was not offered', { ...accepted, protocol: 'tandem-executor/2' }, 'protocol_mismatch'],
  ['another field', { ...accepted, run: 'rm -rf /' }, 'malformed_response'],
  ['a field of the prototype', JSON.parse(`{"__proto__": {}, ${JSON.stringify(accepted).slice(1)}`), 'malformed_response'],
  ['too many capabilities', { ...accepted, capabilities: new Array(501).fill({ name: 'a', version: null }) }, 'malformed_response'],
  ['a capability that is not a name', { ...accepted, capabilities: [{ name: 'A B', version: null }] }, 'malformed_response'],
  ['no object', [], 'malformed_response'],
])('a handshake with %s', (_, value, reason) => {
  expect(reasonIn(readHandshake(ok(value)))).toBe(reason)
})

test.each([
  [404, 'unsupported'],
  [405, 'unsupported'],
  [501, 'unsupported'],
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [421, 'refused'],
  [429, 'refused'],
  [301, 'redirected'],
  [308, 'redirected'],
  [500, 'unhealthy'],
  [503, 'unhealthy'],
  [204, 'malformed_response'],
  [418, 'malformed_response'],
])('status %i of a handshake means %s', (status, meaning) => {
  expect(reasonIn(readHandshake({ status, body: '' }))).toBe(meaning)
})

test.each([
  ['everything', ok(offer), ok(health), 'negotiated'],
  ['degraded health', ok(offer), ok({ ...health, status: 'degraded', message: 'slow' }), 'negotiated'],
  ['unavailable', ok(offer), ok({ ...health, status: 'unavailable', message: 'full' }), 'unhealthy'],
  ['other protocols', ok({ ...offer, protocols: ['other/1'] }), ok(health), 'protocol_mismatch'],
  ['no capabilities', { status: 404, body: '' }, ok(health), 'malformed_response'],
  ['no health', ok(offer), { status: 404, body: '' }, 'malformed_response'],
  ['garbage', { status: 200, body: '<html>' }, ok(health), 'malformed_response'],
  ['garbage as health', ok(offer), { status: 200, body: 'ok' }, 'malformed_response'],
  ['a wrong token', { status: 401, body: '' }, { status: 401, body: '' }, 'unauthorized'],
])('capabilities and health: %s', (_, capabilities, state, meaning) => {
  expect(reasonIn(readFallback(capabilities, state))).toBe(meaning)
})

test('no response, however strange, throws', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999 }), fc.oneof(fc.string(), fc.json()), (status, body) => {
      expect(reasonIn(readHandshake({ status, body }))).toEqual(expect.any(String))
      expect(reasonIn(readFallback({ status, body }, { status, body }))).toEqual(expect.any(String))
    }),
  )
})
