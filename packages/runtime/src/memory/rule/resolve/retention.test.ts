import { type Memory, memoryExpiry, memoryKinds } from '@tandem/contract/memory'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expiryOf, isDue } from './retention.ts'

const created_at = '2026-01-01T00:00:00.000Z'
const now = '2026-12-01T00:00:00.000Z'
const kept = {
  memory_kind: 'semantic',
  created_at,
  last_used_at: null,
  confirmed_by_user: false,
  expires_at: memoryExpiry('semantic', created_at),
  quotes: [],
  state: 'active',
} satisfies Partial<Memory>

/** Kind, plain, used on 1 June 2026, confirmed, used and confirmed. */
const rows = [
  ['episodic', '2026-04-01', '2026-08-30', '2026-06-30', '2026-11-28'],
  ['semantic', '2027-01-01', '2027-06-01', '2028-01-01', '2028-05-31'],
  ['preference', '2028-01-01', '2028-05-31', '2029-12-31', '2030-05-31'],
  ['decision', '2027-01-01', '2027-06-01', '2028-01-01', '2028-05-31'],
  ['procedural', '2027-01-01', '2027-06-01', '2028-01-01', '2028-05-31'],
  ['relationship', '2028-01-01', '2028-05-31', '2029-12-31', '2030-05-31'],
] as const

test('every kind has a row', () => {
  expect(rows.map(([kind]) => kind)).toEqual([...memoryKinds])
})

describe.each(rows)('a memory that is %s', (memory_kind, ...dates) => {
  const used = { last_used_at: '2026-06-01T00:00:00.000Z' }
  const memories = [{}, used, { confirmed_by_user: true }, { ...used, confirmed_by_user: true }].map((rest) => ({
    ...kept,
    memory_kind,
    expires_at: memoryExpiry(memory_kind, created_at),
    ...rest,
  }))

  test('is kept for its period, extended by use, doubled by confirmation', () => {
    expect(memories.map((memory) => expiryOf(memory, now))).toEqual(dates.map((date) => `${date}T00:00:00.000Z`))
  })

  test('is due from that time on, and only while it is active', () => {
    for (const [index, memory] of memories.entries()) {
      const at = `${dates[index]}T00:00:00.000Z`
      const before = new Date(Date.parse(at) - 1).toISOString()
      expect([isDue(memory, before), isDue(memory, at)]).toEqual([false, true])
      expect(isDue({ ...memory, state: 'superseded' }, at)).toBe(false)
      expect(isDue({ ...memory, state: 'archived' }, at)).toBe(false)
    }
  })
})

test('an earlier time of its own stays, and a later one too', () => {
  const own = { ...kept, last_used_at: '2026-02-01T00:00:00.000Z', confirmed_by_user: true }
  expect(expiryOf({ ...own, expires_at: '2026-03-01T00:00:00.000Z' }, now)).toBe('2026-03-01T00:00:00.000Z')
  expect(expiryOf({ ...own, expires_at: '2040-03-01T00:00:00.000Z' }, now)).toBe('2040-03-01T00:00:00.000Z')
  expect(isDue({ ...own, expires_at: '2026-03-01T00:00:00.000Z' }, now)).toBe(true)
})

test('one that never expires still never expires after it was used and confirmed', () => {
  const used = { ...kept, expires_at: null, last_used_at: '2026-06-01T00:00:00.000Z', confirmed_by_user: true }
  expect([expiryOf(used, now), isDue(used, '9999-12-31T23:59:59.999Z')]).toEqual([null, false])
})

test('stating it again extends it: the ids of merged quotes contain their times', () => {
  const message_id = `${Date.parse('2026-06-01T00:00:00.000Z')
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}-7000-8000-000000000001`
  expect(expiryOf({ ...kept, quotes: [{ message_id, excerpt: 'again' }] }, now)).toBe('2027-06-01T00:00:00.000Z')
  expect(expiryOf({ ...kept, quotes: [{ message_id: message_id.replace('-7000-', '-4000-'), excerpt: 'again' }] }, now)).toBe(
    '2027-01-01T00:00:00.000Z',
  )
})

test('times in the future of a wrong clock do not extend it', () => {
  expect(expiryOf({ ...kept, last_used_at: '2200-01-01T00:00:00.000Z' }, now)).toBe('2027-01-01T00:00:00.000Z')
})

test('use and confirmation never shorten it, and it never ends after the wire format does', () => {
  const time = fc
    .date({ noInvalidDate: true, min: new Date('1970-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z') })
    .map((date) => date.toISOString())
  fc.assert(
    fc.property(fc.constantFrom(...memoryKinds), time, time, time, (memory_kind, created, used, at) => {
      const memory = { ...kept, memory_kind, created_at: created, expires_at: memoryExpiry(memory_kind, created) }
      const expiry = expiryOf(memory, at) ?? ''
      expect(expiry >= created).toBe(true)
      for (const more of [{ last_used_at: used }, { confirmed_by_user: true }, { expires_at: expiry }]) {
        const extended = expiryOf({ ...memory, ...more }, at) ?? ''
        expect(extended >= expiry && extended.length === 24).toBe(true)
      }
    }),
  )
})
