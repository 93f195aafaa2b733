import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestCandidates, type TestCandidates } from '../../../test/support/learning/test-candidates.ts'
import { openTurnCanaries } from './turn-canaries.ts'

let here: TestCandidates
beforeEach(() => {
  here = openTestCandidates()
})
afterEach(() => here.remove())

/** Turns with these canaries. The number of the step of each, after that of the start. */
function runWith(...turns: readonly (readonly string[])[]): string {
  const run_id = here.start()
  for (const [at, canaries] of turns.entries())
    here.journal.append(run_id, { kind: 'model.called', model: 'm', turn: at + 1 }, canaries.length > 0 ? { canaries } : {})
  return run_id
}

test('the canaries of a call are those of the latest turn', () => {
  const { latest } = openTurnCanaries(here.store)
  expect([latest(runWith()), latest(runWith(['a'], ['a', 'b'])), latest(runWith(['a'], []))]).toEqual([[], ['a', 'b'], []])
})

test('a failure concerns the canaries of all turns before it', () => {
  const { concernedBy } = openTurnCanaries(here.store)
  const run_id = runWith(['a'], ['b'], [])
  const { step_id } = here.end(run_id, 'failed')
  expect(concernedBy(run_id, step_id, 'failed')).toEqual(['a', 'b'])
  expect(concernedBy(run_id, 'another step', 'failed')).toEqual([])
})

// The steps of the turns are 1, 2 and 3.
test.each([
  [0, ['a', 'b']],
  [1, ['a', 'b']],
  [2, ['b']],
  [3, ['b']],
])('a restore to step %i concerns canaries whose time had not ended there', (cursor_seq, concerned) => {
  const { concernedBy } = openTurnCanaries(here.store)
  const run_id = runWith(['a'], [], ['b'])
  const { step_id } = here.restore(run_id, cursor_seq)
  expect(concernedBy(run_id, step_id, 'restored')).toEqual(concerned)
})
