import { expect, test } from 'vitest'
import { levelsFrom } from './index.ts'

test('a minimum level brings those above it', () => {
  expect([levelsFrom('debug'), levelsFrom('warn'), levelsFrom('error')]).toEqual([
    ['debug', 'info', 'warn', 'error'],
    ['warn', 'error'],
    ['error'],
  ])
})
