import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type HeldHints, holdHint, mergeHints, type SyncHint } from './hint.ts'

const someHint: fc.Arbitrary<SyncHint> = fc.record({
  type: fc.constant('sync.changed' as const),
  cursor_ts: fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }).map((date) => date.toISOString()),
  entity_types: fc
    .uniqueArray(fc.constantFrom('agents' as const, 'todos' as const, 'messages' as const), { minLength: 1 })
    .map((types) => types.toSorted()),
  device_id: fc.constantFrom('a', 'b', 'c'),
})

test('merged hints have the latest cursor and every entity type, in any order', () => {
  fc.assert(
    fc.property(someHint, someHint, someHint, (left, middle, right) => {
      const [one, two, three] = [left, middle, right].map((hint) => ({ ...hint, device_id: 'a' })) as [SyncHint, SyncHint, SyncHint]
      expect(mergeHints(one, two)).toEqual(mergeHints(two, one))
      expect(mergeHints(mergeHints(one, two), three)).toEqual(mergeHints(one, mergeHints(two, three)))
      expect(mergeHints(one, one)).toEqual(one)
    }),
  )
})

test('the held hints cover every hint for every writing device', () => {
  fc.assert(
    fc.property(fc.array(someHint), (hints) => {
      const held: HeldHints = new Map()
      for (const hint of hints) holdHint(held, hint)
      for (const hint of hints) {
        const kept = held.get(hint.device_id)
        expect(kept && kept.cursor_ts >= hint.cursor_ts && hint.entity_types.every((type) => kept.entity_types.includes(type))).toBe(true)
      }
      expect(held.size).toBe(new Set(hints.map((hint) => hint.device_id)).size)
    }),
  )
})
