import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { transition } from '../transition/index.ts'
import {
  distillers,
  isMemoryExpired,
  memoryExpiry,
  memoryKinds,
  memoryRetention,
  memoryTransitions,
  proceduralPolicyModes,
} from './index.ts'

const kind = fc.constantFrom(...memoryKinds)
const time = fc
  .date({ noInvalidDate: true, min: new Date('1970-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z') })
  .map((date) => date.toISOString())

describe('expiry', () => {
  test.each([
    ['episodic', '2026-04-01T00:00:00.000Z'],
    ['semantic', '2027-01-01T00:00:00.000Z'],
    ['preference', '2028-01-01T00:00:00.000Z'],
    ['decision', '2027-01-01T00:00:00.000Z'],
    ['procedural', '2027-01-01T00:00:00.000Z'],
    ['relationship', '2028-01-01T00:00:00.000Z'],
  ] as const)('a memory that is %s and made on 1 January 2026 is kept until %s', (memoryKind, expires_at) => {
    expect(memoryExpiry(memoryKind, '2026-01-01T00:00:00.000Z')).toBe(expires_at)
  })

  test('every kind has a default', () => {
    expect(Object.keys(memoryRetention)).toEqual([...memoryKinds])
    expect(Object.values(memoryRetention).filter((retention) => retention !== null && retention <= 0)).toEqual([])
  })

  test('is never before the creation, never later than the wire format allows, and preserves order', () => {
    fc.assert(
      fc.property(kind, time, time, (memoryKind, left, right) => {
        const [earlier, later] = left <= right ? [left, right] : [right, left]
        const first = memoryExpiry(memoryKind, earlier)
        const second = memoryExpiry(memoryKind, later)
        if (first === null || second === null) return expect([first, second]).toEqual([null, null])
        expect(first >= earlier).toBe(true)
        expect(first <= second).toBe(true)
        expect(second).toMatch(/^\d{4}-/)
      }),
    )
  })

  test('a memory is expired from its expiry time on, and one without an expiry time never', () => {
    fc.assert(
      fc.property(time, time, (expires_at, now) => {
        expect(isMemoryExpired({ expires_at }, now)).toBe(Date.parse(expires_at) <= Date.parse(now))
        expect(isMemoryExpired({ expires_at: null }, now)).toBe(false)
      }),
    )
  })
})

test('distillation falls back on local rules in every mode', () => {
  const rows = proceduralPolicyModes.flatMap((mode) =>
    [false, true].map((complex) => [mode, complex, distillers(mode, { complex }).join(' then ')]),
  )
  expect(rows).toEqual([
    ['heuristic', false, 'heuristic'],
    ['heuristic', true, 'heuristic'],
    ['adaptive', false, 'heuristic'],
    ['adaptive', true, 'llm then heuristic'],
    ['llm_first', false, 'llm then heuristic'],
    ['llm_first', true, 'llm then heuristic'],
  ])
})

test('a superseded or archived memory can be reinstated', () => {
  expect(transition(memoryTransitions, 'superseded', 'reinstate')).toEqual({ ok: true, state: 'active' })
  expect(transition(memoryTransitions, 'archived', 'reinstate')).toEqual({ ok: true, state: 'active' })
  expect(transition(memoryTransitions, 'archived', 'supersede')).toMatchObject({ ok: false, allowed: ['reinstate'] })
})
