import { expect, test } from 'vitest'
import { activeTime } from './active-time.ts'

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
