import { expect, test } from 'vitest'
import { isShortcut, shortcuts } from './shortcuts.ts'

const pressed = (key: string, more: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {}) => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
  ...more,
})

test.each([
  ['palette', pressed('k', { ctrlKey: true }), true],
  ['palette', pressed('K', { metaKey: true }), true],
  ['palette', pressed('k'), false],
  ['palette', pressed('k', { ctrlKey: true, shiftKey: true }), false],
  ['palette', pressed('k', { ctrlKey: true, altKey: true }), false],
  ['help', pressed('?', { shiftKey: true }), true],
  ['help', pressed('?'), true],
  ['help', pressed('?', { ctrlKey: true }), false],
  ['send', pressed('Enter'), true],
  ['send', pressed('Enter', { shiftKey: true }), false],
  ['line', pressed('Enter', { shiftKey: true }), true],
  ['next', pressed('j'), true],
  ['next', pressed('J', { shiftKey: true }), false],
] as const)('%s: %j is %s', (name, event, is) => expect(isShortcut(event, name)).toBe(is))

test('in one place, no key means two things', () => {
  const named = Object.values(shortcuts).map((one) => `${one.group}: ${'command' in one} ${'shift' in one} ${one.key}`)
  expect(new Set(named).size).toBe(named.length)
})
