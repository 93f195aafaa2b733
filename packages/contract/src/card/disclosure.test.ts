import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runStates, terminalRunStates } from '../run/index.ts'
import { type Disclosure, type DisclosureEvent, disclose, initialDisclosure, isExpanded, nextTick } from './index.ts'

const open: Disclosure = { mode: 'auto_open', collapse_at: null, held: false }
const play = (start: Disclosure, ...events: DisclosureEvent[]) => events.reduce(disclose, start)

describe('a card', () => {
  test.each(['running', 'paused'] as const)('is expanded while its run is %s', (state) => {
    expect(isExpanded(initialDisclosure(state))).toBe(true)
    expect(nextTick(initialDisclosure(state))).toBeNull()
  })

  test.each(terminalRunStates)('collapses 800 ms after %s, not before', (state) => {
    const ended = disclose(open, { type: 'run_state', state, at: 1_000 })
    expect(nextTick(ended)).toBe(1_800)
    expect(isExpanded(disclose(ended, { type: 'tick', at: 1_799 }))).toBe(true)
    expect(disclose(ended, { type: 'tick', at: 1_800 })).toEqual({ mode: 'auto_closed', collapse_at: null, held: false })
  })

  test.each(terminalRunStates)('of a thread that is loaded after its run was %s is collapsed, with no timer', (state) => {
    expect(initialDisclosure(state)).toEqual({ mode: 'auto_closed', collapse_at: null, held: false })
    expect(nextTick(initialDisclosure(state))).toBeNull()
  })

  test('that is pinned never collapses, and once unpinned it does', () => {
    const pinned = play(open, { type: 'pin' }, { type: 'run_state', state: 'completed', at: 0 }, { type: 'tick', at: 10_000 })
    expect(pinned).toEqual({ mode: 'pinned', collapse_at: null, held: false })
    const unpinned = disclose(pinned, { type: 'unpin', state: 'completed', at: 20_000 })
    expect(nextTick(unpinned)).toBe(20_800)
  })

  test('that the user toggled is not changed automatically', () => {
    const closed = play(open, { type: 'toggle' }, { type: 'run_state', state: 'running', at: 5 })
    expect(closed).toEqual({ mode: 'user_closed', collapse_at: null, held: false })
    const reopened = play(closed, { type: 'toggle' }, { type: 'run_state', state: 'failed', at: 9 }, { type: 'tick', at: 99_999 })
    expect(reopened).toEqual({ mode: 'user_open', collapse_at: null, held: false })
  })

  test('under the pointer does not collapse, and gets the full delay afterwards', () => {
    const held = play(
      open,
      { type: 'hold', held: true, at: 0 },
      { type: 'run_state', state: 'completed', at: 100 },
      { type: 'tick', at: 5_000 },
    )
    expect(isExpanded(held)).toBe(true)
    expect(nextTick(held)).toBeNull()
    expect(nextTick(disclose(held, { type: 'hold', held: false, at: 6_000 }))).toBe(6_800)
  })

  test('that is unpinned under the pointer stays until the pointer leaves', () => {
    const unpinned = play(open, { type: 'hold', held: true, at: 0 }, { type: 'pin' }, { type: 'unpin', state: 'completed', at: 100 })
    expect([isExpanded(unpinned), nextTick(unpinned)]).toEqual([true, null])
    expect(nextTick(disclose(unpinned, { type: 'hold', held: false, at: 5_000 }))).toBe(5_800)
  })

  test('expands again when a restore resumes its run', () => {
    expect(play({ mode: 'auto_closed', collapse_at: null, held: false }, { type: 'run_state', state: 'paused', at: 1 })).toEqual(open)
  })
})

const state = fc.constantFrom(...runStates)
const at = fc.nat(10_000)
const event: fc.Arbitrary<DisclosureEvent> = fc.oneof(
  fc.record({ type: fc.constant('run_state' as const), state, at }),
  fc.record({ type: fc.constant('tick' as const), at }),
  fc.record({ type: fc.constant('toggle' as const) }),
  fc.record({ type: fc.constant('pin' as const) }),
  fc.record({ type: fc.constant('unpin' as const), state, at }),
  fc.record({ type: fc.constant('hold' as const), held: fc.boolean(), at }),
)

test('after a manual toggle only the user changes a card', () => {
  fc.assert(
    fc.property(fc.array(event), fc.array(event), (before, after) => {
      const toggled = play(play(open, ...before), { type: 'toggle' })
      const automatic = after.filter((one) => one.type === 'run_state' || one.type === 'tick' || one.type === 'hold')
      expect(play(toggled, ...automatic).mode).toBe(toggled.mode)
    }),
  )
})

test('a card that waits for a tick is collapsed by that tick, and only an expanded card waits', () => {
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const disclosure = play(open, ...events)
      const due = nextTick(disclosure)
      if (due === null) return
      expect(isExpanded(disclosure)).toBe(true)
      expect(isExpanded(disclose(disclosure, { type: 'tick', at: due }))).toBe(false)
    }),
  )
})
