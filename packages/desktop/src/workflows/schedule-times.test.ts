import { expect, test } from 'vitest'
import { choiceOf, cronOf, type ScheduleChoice, scheduleText } from './schedule-times.ts'

const choice: ScheduleChoice = { preset: 'hourly', minute: ' 5', time: '08:30', weekday: 1, cron: ' */10 9-17 * * 1-5 ' }

test.each([
  [{}, '5 * * * *', 'Every hour at minute 5'],
  [{ preset: 'daily' }, '30 8 * * *', 'Every day at 08:30'],
  [{ preset: 'weekly' }, '30 8 * * 1', 'Every Monday at 08:30'],
  [{ preset: 'weekly', time: '00:00', weekday: 0 }, '0 0 * * 0', 'Every Sunday at 00:00'],
  [{ preset: 'daily', time: '' }, '', null],
  [{ preset: 'custom' }, '*/10 9-17 * * 1-5', null],
] as const)('%j', (changed, cron, text) => {
  const made = cronOf({ ...choice, ...changed })
  expect([made, scheduleText(made)]).toEqual([cron, text])
})

test.each([
  ['5 * * * *', { preset: 'hourly', minute: '5' }],
  ['30 8 * * *', { preset: 'daily', time: '08:30' }],
  ['0 0 * * 0', { preset: 'weekly', time: '00:00', weekday: 0 }],
  ['*/10 9-17 * * 1-5', { preset: 'custom', cron: '*/10 9-17 * * 1-5' }],
] as const)('%s is edited as it is', (cron, fields) => {
  const edited = choiceOf(cron)
  expect([edited, cronOf(edited)]).toEqual([{ minute: '0', time: '08:00', weekday: 1, cron: '', ...fields }, cron])
})
