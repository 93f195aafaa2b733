import { expect, test } from 'vitest'
import { counted, percent, sizeText } from './quantity.ts'

test.each([
  [0, '0 B'],
  [1_023, '1023 B'],
  [1_024, '1.0 KiB'],
  [1_572_864, '1.5 MiB'],
  [500 * 1_024 ** 2, '500 MiB'],
  [2 ** 60, '1048576 TiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})

test('counts and shares', () => {
  expect([counted(1, 'file'), counted(1_234, 'file'), counted(2, 'memory', 'memories'), percent(0.126)]).toEqual([
    '1 file',
    '1,234 files',
    '2 memories',
    '13%',
  ])
})
