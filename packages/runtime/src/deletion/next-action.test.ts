import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DeletedState, deletionActions, nextAction } from './next-action.ts'

const due = { erase_at: 100, open_runs: false, read_until: 100, unsent: false, pulled_at: 101 }

test.each([
  ['a run of this device is open', { ...due, open_runs: true }, 200, 'stop_runs'],
  ['it can still be restored', due, 99, 'wait'],
  ['a branch that is not deleted reads it', { ...due, read_until: Number.POSITIVE_INFINITY }, 200, 'wait'],
  ['a branch of it was deleted later, and can still be restored', { ...due, read_until: 201 }, 200, 'wait'],
  ['other devices do not know of it yet', { ...due, unsent: true }, 200, 'wait'],
  ['another device may have restored it in time', { ...due, pulled_at: 100 }, 200, 'wait'],
  ['nothing was ever received', { ...due, pulled_at: 0 }, 200, 'wait'],
  ['without an account, nothing can be received', { ...due, pulled_at: null }, 200, 'erase'],
  ['nothing needs it any more', due, 100, 'erase'],
] as const)('%s', (_name, state, now, action) => {
  expect(nextAction(state, now)).toBe(action)
})

test('every row of the table is in these cases', () => {
  expect(deletionActions).toHaveLength(6)
})

test('it is erased only when it is due, nothing runs, reads or waits to be sent, and the cloud was heard since', () => {
  const states: fc.Arbitrary<DeletedState> = fc.record({
    erase_at: fc.nat(1_000),
    open_runs: fc.boolean(),
    read_until: fc.oneof(fc.nat(1_000), fc.constant(Number.POSITIVE_INFINITY)),
    unsent: fc.boolean(),
    pulled_at: fc.option(fc.nat(1_000)),
  })
  fc.assert(
    fc.property(states, fc.nat(1_000), (state, now) => {
      const heard = state.pulled_at === null || state.pulled_at > state.erase_at
      const may = now >= Math.max(state.erase_at, state.read_until) && !state.open_runs && !state.unsent && heard
      expect(nextAction(state, now) === 'erase').toBe(may)
      expect(nextAction(state, now) === 'stop_runs').toBe(state.open_runs)
    }),
  )
})
