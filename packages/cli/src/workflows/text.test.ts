import { expect, test } from 'vitest'
import { durationText, jsonText } from './text.ts'
import { iterationOf } from './workflow-run.ts'

test('JSON stays valid, and every character of it is visible', () => {
  const value = { text: 'a\u001b[2J\u202eb\u009b \u{e0041}\u2028', list: [1, null] }
  const text = jsonText(value)
  expect(JSON.parse(text)).toEqual(value)
  expect(text).toBe('{\n  "text": "a\\u001b[2J\\u202eb\\u009b \\udb40\\udc41\\u2028",\n  "list": [\n    1,\n    null\n  ]\n}')
})

test('rounds are counted from 1', () => {
  expect([iterationOf(undefined), iterationOf('1'), iterationOf('2.13')]).toEqual([[], [0], [1, 12]])
  expect(['', '0', '0.1', '1.', '-1', '1.2.3.4.5', 'x'].map(iterationOf)).toEqual(Array(7).fill(null))
})

test.each([
  ['2026-01-01T00:00:01.250Z', '1.3 s'],
  ['2026-01-01T00:02:05.000Z', '2 min 5 s'],
  ['2026-01-01T03:04:05.000Z', '3 h 4 min'],
  [null, ''],
])('until %s it took %s', (ended_at, text) => {
  expect(durationText({ started_at: '2026-01-01T00:00:00.000Z', ended_at })).toBe(text)
})
