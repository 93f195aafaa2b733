import type { EventName } from '@tandem/contract/event'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutStepFields, withStepFields } from './events.ts'

const name = fc.constantFrom<EventName>('run_started', 'model_call_completed', 'tool_call_completed', 'run_canceled', 'mcp_state_changed')
const field = fc.constantFrom('title', 'model', 'turn', 'usage', 'tool', 'call_id', 'duration_ms', 'reason', 'output_bytes')
const facts = fc.dictionary(field, fc.oneof(fc.constant(null), fc.nat(2), fc.constantFrom('a', 'b'), fc.record({ tokens: fc.nat(1) })))

test('an event is read as it was emitted, whatever fields it shares with its step', () => {
  fc.assert(
    fc.property(name, facts, facts, (event, data, said) => {
      // Every field that a step can contribute is required in the event's data.
      const told = { ...withStepFields(event, {}, said), ...data }
      const kept = withoutStepFields(event, told, said)
      expect(withStepFields(event, JSON.parse(JSON.stringify(kept)), said)).toEqual(told)
    }),
  )
})

test('stores only the fields that differ from the step', () => {
  const said = { title: 'Paint', model: 'm', sandbox_mode: 'strict', device_id: 'd', message_id: 'x' }
  expect(withoutStepFields('run_started', { title: 'Paint', device_id: 'd', model: 'm', sandbox_mode: 'strict' }, said)).toEqual({})
  expect(withoutStepFields('run_started', { title: 'Paint', device_id: 'e', model: 'm', sandbox_mode: 'strict' }, said)).toEqual({
    device_id: 'e',
  })
  expect(withoutStepFields('mcp_state_changed', { model: 'm' }, said)).toEqual({ model: 'm' })
})
