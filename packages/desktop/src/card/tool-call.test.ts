import { expect, test } from 'vitest'
import { argumentLine } from './tool-call.tsx'

test.each([
  [{ path: 'notes.md', depth: 2 }, 'notes.md'],
  [{ todos: [{ title: 'Buy milk' }, { title: 'Call Ada' }] }, 'Buy milk, Call Ada'],
  [{}, ''],
  [{ role: 'combobox', name: 'Color', values: ['red', 'blue'] }, 'role: combobox, name: Color, values: red, blue'],
  [{ language: 'python3', source: 'import sys\nprint(1)' }, 'language: python3, source: import sys'],
  [{ after: 3, filter: { level: 'error' } }, 'after: 3, filter: {"level":"error"}'],
])('the line of %j', (value, line) => {
  expect(argumentLine(JSON.stringify(value))).toBe(line)
})

test('what is not JSON is shown unchanged', () => {
  expect(argumentLine('{"path": "no')).toBe('{"path": "no')
})
