import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dueOf, grace_ms, nextStart, nextStarts, scheduleProblem } from './schedule.ts'

const at = (text: string) => Date.parse(text)
const berlin = 'Europe/Berlin'
const starts = (cron: string, zone: string, from: string, count: number) => {
  const times: string[] = []
  for (let time: number | null = at(from); times.length < count; ) {
    time = nextStart(cron, zone, time)
    if (time === null) break
    times.push(new Date(time).toISOString())
  }
  return times
}

test('the same time of day on both sides of a change of the clock', () => {
  expect(starts('0 7 * * *', berlin, '2026-03-27T12:00:00Z', 4)).toEqual([
    '2026-03-28T06:00:00.000Z',
    '2026-03-29T05:00:00.000Z',
    '2026-03-30T05:00:00.000Z',
    '2026-03-31T05:00:00.000Z',
  ])
  expect(starts('0 7 * * *', berlin, '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T06:00:00.000Z', '2026-10-26T06:00:00.000Z'])
})

test('a time that exists twice starts once, and one that does not exist starts after the gap, once', () => {
  const autumn = starts('30 2 * * *', berlin, '2026-10-24T12:00:00Z', 2)
  expect(autumn.map((time) => time.slice(0, 10))).toEqual(['2026-10-25', '2026-10-26'])
  const spring = starts('30 2 * * *', berlin, '2026-03-28T12:00:00Z', 2)
  expect(spring.map((time) => time.slice(0, 10))).toEqual(['2026-03-29', '2026-03-30'])
})

test.each([
  ['0 7 * * *', 'Europe/Berlin', null],
  ['not a time', 'Europe/Berlin', /^it needs five fields: minute, hour, day of the month, month, day of the week$/],
  ['0 7 * * *', 'Mars/Olympus', /^there is no time zone Mars\/Olympus$/],
  ['0 0 31 2 *', 'UTC', /never comes/],
  ['61 7 * * *', 'UTC', /^61 is not a valid minute$/],
  ['0 7 * * someday', 'UTC', /^someday is not a valid day of the week$/],
  ['*/0 7 * * *', 'UTC', /^Syntax error, illegal stepping: 0$/],
])('%s in %s', (cron, zone, problem) => {
  const found = scheduleProblem(cron, zone)
  if (problem === null) expect(found).toBeNull()
  else expect(found).toMatch(problem)
})

const daily = { cron: '0 7 * * *', time_zone: 'UTC', missed: 'skip', next_at: at('2026-05-02T07:00:00Z'), last_at: null } as const

test.each([
  ['a minute before', daily, '2026-05-02T06:59:00Z', null],
  ['at the time', daily, '2026-05-02T07:00:00Z', { starts: true, next_at: at('2026-05-03T07:00:00Z') }],
  ['a little late', daily, '2026-05-02T07:04:00Z', { starts: true, next_at: at('2026-05-03T07:00:00Z') }],
  ['after three days of sleep, skipped', daily, '2026-05-05T12:00:00Z', { starts: false, next_at: at('2026-05-06T07:00:00Z') }],
  [
    'after three days of sleep, once',
    { ...daily, missed: 'run_once' } as const,
    '2026-05-05T12:00:00Z',
    { starts: true, next_at: at('2026-05-06T07:00:00Z') },
  ],
  ['never again', { ...daily, next_at: null }, '2026-05-05T12:00:00Z', null],
  [
    'the clock was set back by an hour: not twice',
    { ...daily, next_at: at('2026-05-03T07:00:00Z'), last_at: at('2026-05-02T07:00:00Z') },
    '2026-05-02T06:30:00Z',
    null,
  ],
  [
    'the clock was years ahead',
    { ...daily, next_at: at('2030-05-03T07:00:00Z'), last_at: at('2030-05-02T07:00:00Z') },
    '2026-05-02T06:30:00Z',
    { starts: false, next_at: at('2026-05-02T07:00:00Z') },
  ],
])('%s', (_title, schedule, now, due) => {
  expect(dueOf(schedule, at(now))).toEqual(due)
})

test('the next start is always later, and nothing starts twice for one time', () => {
  fc.assert(
    fc.property(fc.integer({ min: at('2026-01-01'), max: at('2027-01-01') }), fc.nat(7 * 86_400_000), (from, sleep) => {
      const next_at = nextStart('*/15 * * * *', berlin, from) ?? 0
      const now = next_at + sleep
      const due = dueOf({ cron: '*/15 * * * *', time_zone: berlin, missed: 'skip', next_at, last_at: null }, now)
      expect(due?.starts).toBe(sleep <= grace_ms)
      expect(due?.next_at).toBeGreaterThan(now)
    }),
    { numRuns: 50 },
  )
})

test('the next times, as many as there are', () => {
  const after = at('2026-11-17T12:00:00Z')
  const shown = (cron: string) => nextStarts(cron, berlin, after, 2).map((time) => new Date(time).toISOString())
  expect(shown('0 7 * * *')).toEqual(['2026-11-18T06:00:00.000Z', '2026-11-19T06:00:00.000Z'])
  expect(shown('0 0 31 2 *')).toEqual([])
})
