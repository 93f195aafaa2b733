import { expect, test } from 'vitest'
import { type HealthPartName, healthOf, isReady } from './index.ts'

const ok = (name: HealthPartName) => ({ name, status: 'ok' as const })
const failing = (name: HealthPartName) => ({ name, status: 'failing' as const })

test('without the database the service is not ready; without the cache it is only degraded', () => {
  const states = [[ok('database'), ok('cache')], [ok('database'), failing('cache')], [failing('database'), ok('cache')], []]
  expect(states.map((parts) => [healthOf(parts), isReady(parts)])).toEqual([
    ['ok', true],
    ['degraded', true],
    ['degraded', false],
    ['ok', false],
  ])
})
