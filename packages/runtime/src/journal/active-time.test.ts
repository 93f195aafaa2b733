import { expect, test } from 'vitest'
import { activeTime, timedStep } from './active-time.ts'

const at = (seconds: number) => new Date(seconds * 1_000).toISOString()

test('only the time in which a run was running counts', () => {
  const steps = [
    { kind: 'run.started', ts: at(10) },
    { kind: 'model.called', ts: at(12) },
    { kind: 'run.paused', ts: at(15) },
    { kind: 'run.resumed', ts: at(1_000) },
  ] as const
  expect(activeTime(steps.slice(0, 2), 14_000)).toBe(4_000)
  expect(activeTime(steps.slice(0, 3), 900_000)).toBe(5_000)
  expect(activeTime(steps, 1_007_000)).toBe(12_000)
  expect(activeTime([...steps, { kind: 'run.completed', ts: at(1_003) }], 5_000_000)).toBe(8_000)
})

test('a clock that is set back does not count backwards', () => {
  expect(
    activeTime(
      [
        { kind: 'run.started', ts: at(10) },
        { kind: 'run.paused', ts: at(5) },
      ],
      20_000,
    ),
  ).toBe(0)
  expect(activeTime([], 20_000)).toBe(0)
})

test('a pause for one of the given reasons counts', () => {
  const steps = [
    { kind: 'run.started', ts: '2026-01-01T00:00:00.000Z' },
    { kind: 'run.paused', ts: '2026-01-01T00:00:10.000Z', reason: 'child' },
    { kind: 'run.resumed', ts: '2026-01-01T00:00:30.000Z' },
    { kind: 'run.paused', ts: '2026-01-01T00:00:40.000Z', reason: 'user' },
  ] as const
  expect(activeTime(steps, Date.parse('2026-01-01T01:00:00.000Z'), ['child'])).toBe(40_000)
  expect(activeTime(steps, Date.parse('2026-01-01T01:00:00.000Z'))).toBe(20_000)
})

test('a run that was killed stopped then, and not when the next process noticed it', () => {
  const [started, noticed] = ['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z']
  const stopped_at = Date.parse('2026-01-01T00:00:05.000Z')
  const place = { step_id: 's', run_id: 'r', conversation_id: 'c', agent_id: 'a', device_id: 'd', seq: 0 }
  const steps = [
    {
      step: {
        ...place,
        kind: 'run.started' as const,
        ts: started,
        title: 't',
        model: 'm',
        sandbox_mode: 'workspace' as const,
        message_id: null,
      },
      here: {},
    },
    { step: { ...place, kind: 'run.paused' as const, ts: noticed, reason: 'crash' as const }, here: { stopped_at } },
  ]
  expect(activeTime(steps.map(timedStep), Date.parse(noticed))).toBe(5_000)
})
