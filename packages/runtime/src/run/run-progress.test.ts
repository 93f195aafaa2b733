import { expect, test } from 'vitest'
import type { JournaledStep } from '../journal/recorded-step.ts'
import type { NewStep } from '../journal/step.ts'
import { completedRounds } from './call/repetition.ts'
import { callSignature, runProgressOf } from './run-progress.ts'

/** The same call several times, each with this result. */
function repeated(times: number, result: object): readonly JournaledStep[] {
  return Array.from({ length: times }, (_, at) => [
    { kind: 'tool.call', call_id: `call-${at}`, tool: 'fs.write', arguments: '{"path":"a"}' } as NewStep,
    { kind: 'tool.result', call_id: `call-${at}`, ...result } as unknown as NewStep,
  ])
    .flat()
    .map((step, seq) => ({ step: { ...step, seq, run_id: 'run', step_id: `step-${seq}`, ts: '' }, here: {} }) as unknown as JournaledStep)
}

const rounds = (steps: readonly JournaledStep[]) => completedRounds(runProgressOf(steps).ended, callSignature('fs.write', '{"path":"a"}'))

test.each([
  ['succeeded', { outcome: 'succeeded', output: { bytes: 1 } }, 4],
  ['failed', { outcome: 'failed', output: null }, 4],
  // A run that was killed again and again in the middle of a call may call it again.
  ['interrupted', { outcome: 'interrupted', output: null }, 1],
])('four calls that were %s', (_outcome, result, expected) => {
  expect(rounds(repeated(4, result))).toBe(expected)
})
