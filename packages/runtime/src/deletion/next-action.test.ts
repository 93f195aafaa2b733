import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DeletedState, deletionActions, nextAction } from './next-action.ts'

const due = { erase_at: 100, open_runs: false, is_read: false, unsent: false }

test.each([
  ['a run of this device is open', { ...due, open_runs: true }, 200, 'stop_runs'],
  ['it can still be restored', due, 99, 'wait'],
  ['a branch that is not deleted reads it', { ...due, is_read: true }, 200, 'wait'],
  ['other devices do not know of it yet', { ...due, unsent: true }, 200, 'wait'],
  ['nothing needs it any more', due, 100, 'erase'],
] as const)('%s', (_name, state, now, action) => {
  expect(nextAction(state, now)).toBe(action)
})

test('every row of the table is one of these cases', () => {
  expect(deletionActions).toHaveLength(5)
})

test('it is erased only when it is due, and nothing runs, reads or waits to be sent', () => {
  const states: fc.Arbitrary<DeletedState> = fc.record({
    erase_at: fc.nat(1_000),
    open_runs: fc.boolean(),
    is_read: fc.boolean(),
    unsent: fc.boolean(),
  })
  fc.assert(
    fc.property(states, fc.nat(1_000), (state, now) => {
      const may = now >= state.erase_at && !state.open_runs && !state.is_read && !state.unsent
      expect(nextAction(state, now) === 'erase').toBe(may)
      expect(nextAction(state, now) === 'stop_runs').toBe(state.open_runs)
    }),
  )
})
