// What a runtime lets go by itself, soon after it was started.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { testClock } from '../src/clock/test-clock.ts'
import { openBus } from '../src/event/bus.ts'
import { openEvents } from '../src/event/events.ts'
import { openRuntime } from '../src/runtime.ts'
import { openStore } from '../src/store/store.ts'

const minute_ms = 60_000
const day_ms = 24 * 60 * minute_ms

test('all old events and old outputs go within minutes of a start', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-keeping-')))
  const clock = testClock()
  const logged: string[] = []
  const home = join(folder, 'home')
  const options = { home, workspace: folder, environment: {}, log: (line: string) => void logged.push(line), clock }
  const store = openStore({ home, clock })
  const events = openEvents(
    store,
    openBus(() => undefined),
  )
  store.transaction(() => {
    for (let no = 0; no < 2_500; no += 1)
      events.emit('checkpoint_expired', {}, { checkpoint_id: `${no}`, reason: 'outlived', freed_bytes: 0 })
  })
  store.close()

  const output = join(home, 'outputs', 'call_1-output.txt')
  mkdirSync(join(home, 'outputs'), { recursive: true })
  writeFileSync(output, 'long')
  clock.set(clock.now() + 50 * day_ms)
  const written = (clock.now() - 46 * day_ms) / 1_000
  utimesSync(output, written, written)

  const runtime = openRuntime(options)
  expect(runtime.events.list({ limit: -1 })).toHaveLength(2_500)
  clock.advance(minute_ms)
  await vi.waitFor(() => expect(runtime.events.list({ limit: -1 })).toEqual([]), 10_000)
  clock.advance(minute_ms)
  await vi.waitFor(() => expect(existsSync(output)).toBe(false), 10_000)
  await runtime.stop()
  rmSync(folder, { recursive: true })
  expect(logged).toEqual([])
})
