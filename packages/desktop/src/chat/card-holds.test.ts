import { expect, test } from 'vitest'
import { openCardHolds } from './card-holds.ts'

function setUp() {
  const told: string[] = []
  const holds = openCardHolds((card_id, held) => told.push(`${card_id} ${held}`))
  return { told, holds }
}

test('a card is held from the first way until the last one ends', () => {
  const { told, holds } = setUp()
  holds.set('pointer', 'one')
  holds.set('focus', 'one')
  holds.set('pointer', null)
  expect(told).toEqual(['one true'])
  holds.set('focus', null)
  expect(told).toEqual(['one true', 'one false'])
})

test('moving to another card releases the first one, unless it is held in another way', () => {
  const { told, holds } = setUp()
  holds.set('pointer', 'one')
  holds.set('pointer', 'two')
  holds.set('selection', 'two')
  holds.set('pointer', 'one')
  holds.set('pointer', 'one')
  expect(told).toEqual(['one true', 'one false', 'two true', 'one true'])
})

test('a card that is no longer shown is released from every way', () => {
  const { told, holds } = setUp()
  holds.set('pointer', 'one')
  holds.set('selection', 'one')
  holds.set('focus', 'two')
  holds.keepOnly((card_id) => card_id === 'two')
  expect(told).toEqual(['one true', 'two true', 'one false'])
  expect([holds.at('pointer'), holds.at('selection'), holds.at('focus')]).toEqual([null, null, 'two'])
})
