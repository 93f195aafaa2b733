// Who can get another window, how many windows are open, and where they are found again.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ask, type TestHost, testHost } from '../../test/support/host/test-host.ts'
import { systemClock } from '../clock/clock.ts'
import { openCommands } from '../commands/layer.ts'
import { openHost } from './host.ts'

let here: TestHost

beforeAll(async () => {
  here = await testHost()
})

afterAll(() => here.stop())

test('programs of the same user can get another window; pages cannot', async () => {
  const token = JSON.parse(readFileSync(join(here.home, 'runtime.json'), 'utf8')).token as string
  const host = `127.0.0.1:${here.port}`
  const authorization = `Bearer ${token}`
  const given = await ask(here.port, '/window', 'POST', { host, authorization })
  const code = new URL(JSON.parse(given.body).url).hash.slice('#code='.length)
  const redeemed = await ask(
    here.port,
    '/session',
    'POST',
    { host, origin: here.origin, 'content-type': 'application/json' },
    JSON.stringify({ code }),
  )
  expect([given.status, redeemed.status]).toEqual([200, 204])
  const asked = (headers: Record<string, string>) => ask(here.port, '/window', 'POST', headers).then(({ status }) => status)
  expect([
    await asked({ host }),
    await asked({ host, authorization: `Bearer ${'a'.repeat(43)}` }),
    await asked({ host, authorization, origin: here.origin }),
    await asked({ host, authorization, origin: 'https://evil.example' }),
    await asked({ host, authorization, 'sec-fetch-site': 'cross-site' }),
    await asked({ host: 'evil.example', authorization }),
  ]).toEqual([401, 401, 403, 403, 403, 421])
})

test('windows are counted, programs are not, and the port stays the same after a restart', async () => {
  const counts: number[] = []
  const { journal, events } = here.features
  const commands = openCommands(here.features, { log: () => undefined })
  const behind = { home: here.home, clock: systemClock, commands, journal, events, bus: here.bus }
  const open = () =>
    openHost({
      windowDir: join(here.home, '..', 'window'),
      behind,
      onWindows: (now) => counts.push(now),
      log: () => undefined,
    })
  const first = await open()
  const { origin, port } = new URL(first.url)
  const code = new URL(first.windowUrl()).hash.slice('#code='.length)
  const headers = { host: `127.0.0.1:${port}`, origin, 'content-type': 'application/json' }
  const { headers: answered } = await ask(Number(port), '/session', 'POST', headers, JSON.stringify({ code }))
  const cookie = String(answered['set-cookie']).split(';', 1)[0] ?? ''
  const token = JSON.parse(readFileSync(join(here.home, 'runtime.json'), 'utf8')).token as string
  const program = new WebSocket(`ws://127.0.0.1:${port}/rpc`, { headers: { authorization: `Bearer ${token}` } })
  await once(program, 'open')
  const window = new WebSocket(`ws://127.0.0.1:${port}/rpc`, { headers: { cookie, origin } })
  await once(window, 'open')
  program.close()
  await once(program, 'close')
  window.close()
  await vi.waitFor(() => expect(counts).toEqual([1, 0]), { timeout: 60_000 })
  await first.stop()
  const second = await open()
  expect(second.url).toBe(first.url)
  await second.stop()
})
