import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffRows, pairedRows } from './diff-rows.ts'

const diff =
  '--- a.js\n+++ a.js\n@@ -3,4 +3,5 @@\n one\n-two\n--- three\n+2\n+3\n+++ 4\n five\n@@ -20 +21 @@\n-x\n\\ No newline at end of file\n+y\n'

test('has the numbers of both sides, and a line that looks like a header is a line', () => {
  expect(diffRows(diff)).toEqual([
    { kind: 'gap' },
    { kind: 'same', left: { number: 3, text: 'one' }, right: { number: 3, text: 'one' } },
    { kind: 'removed', left: { number: 4, text: 'two' } },
    { kind: 'removed', left: { number: 5, text: '-- three' } },
    { kind: 'added', right: { number: 4, text: '2' } },
    { kind: 'added', right: { number: 5, text: '3' } },
    { kind: 'added', right: { number: 6, text: '++ 4' } },
    { kind: 'same', left: { number: 6, text: 'five' }, right: { number: 7, text: 'five' } },
    { kind: 'gap' },
    { kind: 'removed', left: { number: 20, text: 'x' } },
    { kind: 'note', text: 'No newline at end of file' },
    { kind: 'added', right: { number: 21, text: 'y' } },
  ])
  expect(diffRows('')).toEqual([])
})

test('side by side, removed lines are next to added lines', () => {
  expect(pairedRows(diffRows(diff)).slice(2, 6)).toEqual([
    { left: { number: 4, text: 'two' }, right: { number: 4, text: '2' }, changed: true },
    { left: { number: 5, text: '-- three' }, right: { number: 5, text: '3' }, changed: true },
    { left: null, right: { number: 6, text: '++ 4' }, changed: true },
    { left: { number: 6, text: 'five' }, right: { number: 7, text: 'five' }, changed: false },
  ])
})

test('for any change, the right side has every added line and the left side every removed one, in order', () => {
  const text = fc.constantFrom('a', 'b', '-- c', '++ d', '@@ -1 +1 @@', '\\ e', '')
  const lines = fc.array(fc.tuple(fc.constantFrom(' ', '+', '-'), text), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(lines, (all) => {
      const rows = pairedRows(diffRows(`--- x\n+++ x\n@@ -1,1 +1,1 @@\n${all.map(([sign, line]) => `${sign}${line}\n`).join('')}`))
      const side = (name: 'left' | 'right') => rows.flatMap((row) => ('changed' in row && row[name] ? [row[name]] : []))
      const meant = (gone: string) => all.filter(([sign]) => sign !== gone).map(([, line], at) => ({ number: at + 1, text: line }))
      expect([side('left'), side('right')]).toEqual([meant('+'), meant('-')])
    }),
  )
})
