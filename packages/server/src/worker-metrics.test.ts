import { expect, test, vi } from 'vitest'
import { metricsOfWorkers, relayMetrics, type WorkerChannel } from './worker-metrics.ts'

/** Workers and the first process, connected by functions. Those in `silent` never answer. */
function node(names: readonly string[], silent: readonly string[] = []) {
  const channels: WorkerChannel[] = []
  const relay = relayMetrics(() => channels)
  const gathers = names.map((name, id) => {
    const listeners: ((message: unknown) => void)[] = []
    const channel: WorkerChannel = {
      id,
      isConnected: () => true,
      send: (message) => {
        if (!silent.includes(name)) for (const listener of listeners) listener(message)
      },
    }
    channels.push(channel)
    const join = metricsOfWorkers({
      on: (_event, listener) => listeners.push(listener),
      send: (message) => {
        relay(channel, message)
        return true
      },
    })
    return join(() => `of ${name}`)
  })
  return { gathers, channels }
}

test('every worker returns the figures of all, also when several are asked at once', async () => {
  const { gathers } = node(['a', 'b', 'c'])
  const all = await Promise.all(gathers.map((gather) => gather()))
  expect(all.map((texts) => texts.toSorted())).toEqual(Array.from({ length: 3 }, () => ['of a', 'of b', 'of c']))
})

test('a worker that hangs is left out, and without the first process the worker returns its own figures', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { gathers } = node(['a', 'b', 'c'], ['b'])
    const gathering = gathers[0]?.()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await gathering).toEqual(['of a', 'of c'])

    const alone = metricsOfWorkers({ on: () => undefined, send: () => false })(() => 'of one')()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await alone).toEqual(['of one'])
  } finally {
    vi.useRealTimers()
  }
})
