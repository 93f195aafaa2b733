import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { sampleOf } from '../sample.ts'
import type { EntityType } from '../sync/index.ts'
import { toReadSchema, unknownFields, withUnknownFields } from './index.ts'
import { entityPayloads } from './schema.ts'

const types = Object.keys(entityPayloads) as EntityType[]
const reads = new Map(types.map((type) => [type, Compile(toReadSchema(entityPayloads[type]) as TSchema)]))
const fits = (type: EntityType, payload: unknown) => reads.get(type)?.Check(payload)

/** The same value with a field of the next version in each of its objects. */
function later(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(later)
  if (typeof value !== 'object' || value === null) return value
  return { ...Object.fromEntries(Object.entries(value).map(([name, field]) => [name, later(field)])), of_next_version: { a: [1, null] } }
}

test.each(types)('%s: what matches today matches with fields of the next version at every depth', (type) => {
  fc.assert(
    fc.property(sampleOf(entityPayloads[type]), (payload) => {
      expect([fits(type, payload), fits(type, later(payload))]).toEqual([true, true])
    }),
    { numRuns: 30 },
  )
})

test.each(types)('%s: a missing field is still an error', (type) => {
  expect(fits(type, { of_next_version: 1 })).toBe(false)
})

test.each(types)('%s: unknown fields survive a write by a device that does not know them', (type) => {
  fc.assert(
    fc.property(sampleOf(entityPayloads[type]), (payload) => {
      const schema = entityPayloads[type]
      expect(unknownFields(schema, payload)).toBeNull()
      const newer = { ...payload, of_next_version: { a: [1] } }
      expect(withUnknownFields(payload, unknownFields(schema, newer))).toEqual(newer)
    }),
    { numRuns: 30 },
  )
})

const failure = {
  taxonomy: 'none',
  stage: 'dreaming',
  source: 'x',
  reason_code: 'x',
  recoverability: 'terminal',
  details: { message: 'm' },
}
const id = '018f0000-0000-7000-8000-000000000001'
const step = { step_id: id, run_id: id, conversation_id: id, agent_id: 'a', device_id: 'd', seq: 0, ts: '2026-03-01T09:00:00.000Z' }

test.each([
  ['a pause reason', { ...step, kind: 'run.paused', reason: 'weekend' }, true],
  ['a failure stage', { ...step, kind: 'error', failure_contract: failure }, true],
  [
    'an answer',
    { ...step, kind: 'approval.answered', approval_id: id, call_id: 'c', answer: 'this_month', reason: null, edited_arguments: null },
    true,
  ],
  ['a state that is closed by the specification', { ...step, kind: 'child.ended', child_run_id: id, state: 'lost', usage: null }, false],
  ['a kind', { ...step, kind: 'team.vote' }, false],
])('%s that is not known here', (_what, payload, expected) => {
  expect(fits('agent_run_steps', payload)).toBe(expected)
})

test('unknown nested fields are found and restored; the current write takes precedence', () => {
  const schema = entityPayloads.agent_tool_policies
  const kept = { agent_id: 'a', tool: 'fs.read', policy: { enabled: true, only_at_night: true }, remembered: [], note: 'n' }
  const unknown = unknownFields(schema, kept)
  expect(unknown).toEqual({ own: { note: 'n' }, inside: { policy: { own: { only_at_night: true }, inside: {} } } })
  expect(withUnknownFields({ agent_id: 'a', policy: { enabled: false }, note: 'mine' }, unknown)).toEqual({
    agent_id: 'a',
    policy: { enabled: false, only_at_night: true },
    note: 'mine',
  })
})

test('a field that was removed does not return because of unknown fields in it', () => {
  const unknown = unknownFields(entityPayloads.agents, { budget: { tokens: 1, per_day: true }, mood: 'calm' })
  expect(withUnknownFields({ name: 'Mara' }, unknown)).toEqual({ name: 'Mara', mood: 'calm' })
})
