import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DeletedState, deletionActions, longest_wait_ms, mostLateRounds, nextAction } from './next-action.ts'

const due = { erase_at: 100, open_runs: false, unsent: false, pulled_at: 101, late_rounds: 0 }
const unheard = { unsent: true, pulled_at: 0 }
const month = 100 + longest_wait_ms

test.each([
  ['a run of this device is open', { ...due, open_runs: true }, 200, 'stop_runs'],
  ['it can still be restored', due, 99, 'wait'],
  ['one of them is not deleted', { ...due, erase_at: Number.POSITIVE_INFINITY }, 200, 'wait'],
  ['other devices do not know of it yet', { ...due, unsent: true }, 200, 'wait'],
  ['another device may have restored it in time', { ...due, pulled_at: 100 }, 200, 'wait'],
  ['nothing was ever received', { ...due, pulled_at: 0 }, 200, 'wait'],
  ['the cloud was not reached for a month', { ...due, ...unheard, late_rounds: mostLateRounds }, month, 'erase'],
  ['the device has just woken up after a month', { ...due, ...unheard, late_rounds: mostLateRounds - 1 }, month, 'wait'],
  [
    'the cloud was not reached for a month, but a run is open',
    { ...due, open_runs: true, late_rounds: mostLateRounds },
    month,
    'stop_runs',
  ],
  ['without an account, nothing can be received', { ...due, pulled_at: null }, 200, 'erase'],
  ['nothing needs it any more', due, 100, 'erase'],
] as const)('%s', (_name, state, now, action) => {
  expect(nextAction(state, now)).toBe(action)
})

test('every row of the table is in these cases', () => {
  expect(deletionActions).toHaveLength(6)
})

test('it is erased only when it is due, nothing runs or waits to be sent, and the cloud was heard since or not for a month', () => {
  const states: fc.Arbitrary<DeletedState> = fc.record({
    erase_at: fc.oneof(fc.nat(1_000), fc.constant(Number.POSITIVE_INFINITY)),
    open_runs: fc.boolean(),
    unsent: fc.boolean(),
    pulled_at: fc.option(fc.nat(1_000)),
    late_rounds: fc.nat(2 * mostLateRounds),
  })
  fc.assert(
    fc.property(
      states,
      fc.oneof(
        fc.nat(1_000),
        fc.nat(2_000).map((late) => longest_wait_ms + late),
      ),
      (state, now) => {
        const heard = state.pulled_at === null || state.pulled_at > state.erase_at
        const isLate = now >= state.erase_at + longest_wait_ms && state.late_rounds >= mostLateRounds
        const may = now >= state.erase_at && !state.open_runs && ((!state.unsent && heard) || isLate)
        expect(nextAction(state, now) === 'erase').toBe(may)
        expect(nextAction(state, now) === 'stop_runs').toBe(state.open_runs)
      },
    ),
  )
})
