import { expect, test } from 'vitest'
import { formatBytes } from './bytes.ts'

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1_572_864, '1.5 MiB'],
  [500 * 1024 ** 2, '500 MiB'],
  [2 ** 60, '1048576 TiB'],
])('%d is %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
