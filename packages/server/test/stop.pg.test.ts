import { expect, test, vi } from 'vitest'
import { startPlatform } from './support/platforms.ts'

const retention = vi.hoisted(() => ({ stop: () => Promise.resolve() }))
vi.mock('../src/retention/schedule.ts', () => ({ scheduleRetention: () => () => retention.stop() }))

test('a node that stops refuses requests before it waits for retention', async () => {
  const platform = await startPlatform('postgres')
  const answer = async () => {
    const reply = await fetch(`${platform.url}/health`).catch(() => undefined)
    return reply?.status
  }
  const seen = [await answer()]
  retention.stop = async () => {
    seen.push(await answer())
  }
  await platform[Symbol.asyncDispose]()
  expect(seen).toEqual([200, undefined])
})
