import { expect, test } from 'vitest'
import { testClock } from '../../test/support/connection/test-clock.ts'
import { openCardModeStore } from './card-modes.ts'
import { openDisclosures } from './card-states.ts'

function keeping() {
  let text: string | null = null
  const storage = {
    getItem: () => text,
    setItem(_: string, value: string) {
      text = value
    },
  }
  return openCardModeStore(() => storage)
}

function setUp(kept = keeping()) {
  const clock = testClock(1_000)
  const cards = openDisclosures(clock, kept)
  const modes = (...ids: string[]) => ids.map((id) => cards.get(id, 'running').mode)
  return { clock, cards, modes }
}

test('all cards of a run close 800 ms after its end and not before, with one timer', () => {
  const { clock, cards, modes } = setUp()
  for (const id of ['a', 'b']) cards.track(id, 'r1', 'running')
  cards.track('c', 'r2', 'running')
  cards.setRunState('r1', 'completed')
  expect(clock.waiting).toBe(1)
  clock.pass(799)
  expect(modes('a', 'b', 'c')).toEqual(['auto_open', 'auto_open', 'auto_open'])
  clock.pass(1)
  expect(modes('a', 'b', 'c')).toEqual(['auto_closed', 'auto_closed', 'auto_open'])
  expect(clock.waiting).toBe(0)
})

test('pinned, held and toggled cards stay as they are', () => {
  const { clock, cards, modes } = setUp()
  for (const id of ['pinned', 'held', 'toggled', 'plain']) cards.track(id, 'r1', 'running')
  cards.send('pinned', { type: 'pin' })
  cards.send('held', { type: 'hold', held: true, at: clock.now() })
  cards.send('toggled', { type: 'toggle' })
  cards.send('toggled', { type: 'toggle' })
  cards.setRunState('r1', 'failed')
  clock.pass(60_000)
  expect(modes('pinned', 'held', 'toggled', 'plain')).toEqual(['pinned', 'auto_open', 'user_open', 'auto_closed'])
  cards.send('held', { type: 'hold', held: false, at: clock.now() })
  clock.pass(800)
  expect(modes('held')).toEqual(['auto_closed'])
})

test('a card first rendered after its run has ended closes like the others', () => {
  const { clock, cards, modes } = setUp()
  cards.setRunState('r1', 'completed')
  // Rendered slightly earlier.
  cards.track('late', 'r1', 'running')
  expect(modes('late')).toEqual(['auto_open'])
  clock.pass(800)
  expect([modes('late'), clock.waiting]).toEqual([['auto_closed'], 0])
})

test('the cards of a stored thread are closed and start no timer', () => {
  const { clock, cards } = setUp()
  expect(cards.get('old', 'completed').mode).toBe('auto_closed')
  cards.track('old', 'r1', 'completed')
  cards.setRunState('r1', 'completed')
  expect([cards.get('old', 'completed').mode, clock.waiting]).toEqual(['auto_closed', 0])
})

test('only the user’s decisions survive a reload', () => {
  const kept = keeping()
  const before = setUp(kept).cards
  for (const id of ['pinned', 'closed', 'opened', 'unpinned', 'plain']) before.track(id, 'r1', 'running')
  for (const id of ['pinned', 'unpinned']) before.send(id, { type: 'pin' })
  before.send('unpinned', { type: 'unpin', state: 'running', at: 1_000 })
  for (const id of ['closed', 'opened', 'opened']) before.send(id, { type: 'toggle' })
  before.send('plain', { type: 'hold', held: true, at: 1_000 })

  const { cards, clock } = setUp(kept)
  const all = ['pinned', 'closed', 'opened', 'unpinned', 'plain']
  const modes = () => all.map((id) => cards.get(id, 'completed').mode)
  expect(modes()).toEqual(['pinned', 'user_closed', 'user_open', 'auto_closed', 'auto_closed'])
  expect(cards.get('pinned', 'completed')).toBe(cards.get('pinned', 'completed'))
  for (const id of all) cards.track(id, 'r1', 'completed')
  clock.pass(60_000)
  expect(modes()).toEqual(['pinned', 'user_closed', 'user_open', 'auto_closed', 'auto_closed'])
})

test('a card that was scrolled out of view keeps its state', () => {
  const { cards, modes } = setUp()
  cards.track('a', 'r1', 'running')
  cards.send('a', { type: 'toggle' })
  cards.track('a', 'r1', 'running')
  expect(modes('a')).toEqual(['user_closed'])
})

test('subscribers are notified of each change and get the same object until the next', () => {
  const { cards } = setUp()
  let told = 0
  cards.subscribe(() => {
    told += 1
  })
  cards.track('a', 'r1', 'running')
  expect(cards.get('a', 'running')).toBe(cards.get('a', 'running'))
  expect(cards.get('never met', 'paused')).toBe(cards.get('nor this', 'paused'))
  cards.send('a', { type: 'pin' })
  cards.send('unknown', { type: 'pin' })
  expect(told).toBe(1)
})
