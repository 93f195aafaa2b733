import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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
  ['zoomIn', pressed('+', { shiftKey: true }), true],
  ['zoomIn', pressed('='), true],
  ['select', pressed(' '), true],
] as const)('%s: %j is %s', (name, event, is) => expect(isShortcut(event, name)).toBe(is))

test('in one place, no key means two things', () => {
  const named = Object.values(shortcuts).map((one) => `${one.group}: ${'command' in one} ${'shift' in one} ${one.key}`)
  expect(new Set(named).size).toBe(named.length)
})

const sources = join(import.meta.dirname, '..')
const lines = globSync('**/*.{ts,tsx}', { cwd: sources })
  .filter((file) => !/\.test\.ts$|^part.shortcuts\.ts$/.test(file))
  .flatMap((file) => readFileSync(join(sources, file), 'utf8').split('\n'))
/** How fields, menus and dialogs work everywhere. */
const standard = new Set(['Escape', 'Enter', 'Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'])

test('every key that is handled and not standard is a shortcut of the table', () => {
  const other = lines.filter((line) => {
    const keys = [...line.matchAll(/\.key(?:\.toLowerCase\(\))? [!=]== '([^']+)'/g)].map(([, key = '']) => key)
    const isWithModifier = /\.key\b/.test(line) && /\b(?:ctrl|meta)Key\b/.test(line)
    return keys.some((key) => !standard.has(key)) || isWithModifier
  })
  expect(other).toEqual([])
})
