import { expect, test } from 'vitest'
import { presenceAt } from './index.ts'

test('a device is online for ninety seconds after its last heartbeat', () => {
  const seen = '2026-09-21T07:40:00.000Z'
  expect([presenceAt(seen, '2026-09-21T07:41:29.999Z'), presenceAt(seen, '2026-09-21T07:41:30.000Z')]).toEqual(['online', 'offline'])
})
