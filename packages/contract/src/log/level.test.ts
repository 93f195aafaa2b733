import { expect, test } from 'vitest'
import { levelsFrom } from './index.ts'

test('a minimum level includes the levels above it', () => {
  expect([levelsFrom('debug'), levelsFrom('warn'), levelsFrom('error')]).toEqual([
    ['debug', 'info', 'warn', 'error'],
    ['warn', 'error'],
    ['error'],
  ])
})
