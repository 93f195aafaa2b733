import { limits } from '@tandem/contract/limits'
import { expect, test } from 'vitest'
import { monthEnd, monthOf } from './month.ts'
import { dayRange } from './range.ts'

const now = Date.parse('2026-03-01T00:00:00.000Z')
const range = (since?: string, until?: string) =>
  dayRange({ ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) }, now)

test('the last 30 days by default, both ends inclusive', () => {
  expect(range()).toEqual({ ok: true, since: '2026-01-31', until: '2026-03-01' })
  expect(range(undefined, '2026-01-30')).toEqual({ ok: true, since: '2026-01-01', until: '2026-01-30' })
  expect(range('2026-02-10')).toEqual({ ok: true, since: '2026-02-10', until: '2026-03-01' })
  expect(range('2024-02-29', '2024-02-29')).toEqual({ ok: true, since: '2024-02-29', until: '2024-02-29' })
  expect(range('2026-03-01', '2026-04-01')).toEqual({ ok: true, since: '2026-03-01', until: '2026-04-01' })
})

test('days that do not exist, are reversed or too many are faults with their pointers', () => {
  const fault = (pointer: string, message: string) => ({ pointer, message })
  const noDay = 'must be a valid date, in 1970 or later'
  expect(range('2026-02-30', '2025-02-29')).toEqual({ ok: false, faults: [fault('/query/since', noDay), fault('/query/until', noDay)] })
  expect(range('1969-12-31', '1970-01-01')).toEqual({ ok: false, faults: [fault('/query/since', noDay)] })
  expect(range('0000-01-01', '0000-01-01')).toMatchObject({ ok: false })
  expect(range('2026-02-02', '2026-02-01')).toEqual({ ok: false, faults: [fault('/query/since', 'must not be after `until`')] })
  expect(range('2026-03-02')).toEqual({ ok: false, faults: [fault('/query/since', 'must not be after today')] })
  expect(range('2025-12-01')).toMatchObject({ ok: true })
  const tooMany = fault('/query/since', `is too early: a report can cover at most ${limits.usage_days} days`)
  expect(range('2025-11-01')).toEqual({ ok: false, faults: [tooMany] })
})

test('a month is in UTC and ends where the next starts', () => {
  expect(monthOf(Date.parse('2026-12-31T23:59:59.999Z'))).toBe('2026-12')
  expect(new Date(monthEnd(Date.parse('2026-12-31T23:59:59.999Z'))).toISOString()).toBe('2027-01-01T00:00:00.000Z')
  expect(new Date(monthEnd(Date.parse('2026-02-01T00:00:00.000Z'))).toISOString()).toBe('2026-03-01T00:00:00.000Z')
})
