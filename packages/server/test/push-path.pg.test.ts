// How many files of the server a push passes through, from the socket to the reply and the message to other devices (docs/decisions/0049).
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openCache } from '../src/cache/cache.ts'
import { openHub } from '../src/realtime/hub.ts'
import { testApp } from './support/test-app.ts'
import { facts } from './support/test-change.ts'

const sources = `${import.meta.dirname}/../src/`
const filesAtMost = 26

test(`a push passes through at most ${filesAtMost} files`, async () => {
  const cache = await openCache({ kind: 'in_process' }, () => undefined)
  const hub = openHub(cache, () => undefined)
  await using node = await testApp({ services: { cache, hub } })
  const url = await node.app.listen({ host: '127.0.0.1', port: 0 })
  const { headers } = await node.user()

  async function push(round: number): Promise<void> {
    const reply = await fetch(`${url}/api/v1/sync/push`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ device_id: 'laptop', changes: facts(`round-${round}`, 3) }),
    })
    expect([reply.status, Object(await reply.json()).verdicts.map((one: { verdict: string }) => one.verdict)]).toEqual([
      200,
      ['applied', 'applied', 'applied'],
    ])
  }

  const files = await filesOfEvery(5, push)
  expect(files).toEqual(
    expect.arrayContaining(['http/endpoint.ts', 'sync/push.ts', 'sync/store.ts', 'database/pool.ts', 'realtime/hub.ts']),
  )
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(filesAtMost)
})

/** The files of which a function ran in each of `rounds` pushes, which excludes the work of timers. */
async function filesOfEvery(rounds: number, push: (round: number) => Promise<void>): Promise<string[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const seen: Set<string>[] = []
  for (let round = 0; round <= rounds; round += 1) {
    await session.post('Profiler.takePreciseCoverage')
    await push(round)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const ran = result.filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    // The first one loads and compiles.
    if (round > 0) seen.push(new Set(ran.map(({ url }) => relative(sources, url.startsWith('file:') ? fileURLToPath(url) : url))))
  }
  session.disconnect()
  const [first = new Set<string>(), ...others] = seen
  return [...others.reduce((common, one) => common.intersection(one), first)]
    .filter((path) => !/^\.\.|^test-|\/test-|^node:/.test(path))
    .sort()
}
