import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { openStore, type Store } from '../store/store.ts'
import { openBus } from './bus.ts'
import { deleteOldEvents } from './event-retention.ts'
import { type Events, openEvents } from './events.ts'

const clock = testClock()
let home: string
let store: Store
let events: Events

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-events-'))
  store = openStore({ home, clock })
  events = openEvents(
    store,
    openBus(() => undefined),
  )
})

afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

function record(count: number, ts: number): void {
  store.transaction(() => {
    for (let no = 0; no < count; no += 1) {
      store.sql.run`INSERT INTO events (event_id, event, ts, data) VALUES (${`${ts}-${no}`}, 'run_started', ${ts}, '{}')`
    }
  })
}
const left = () => events.list({ limit: -1 }).length

test('deletes everything old, however much there is, and nothing else', async () => {
  record(4_321, 1_000)
  record(7, 2_000)
  expect([await deleteOldEvents(events, 2_000, new AbortController().signal), left()]).toEqual([4_321, 7])
})

test('yields to others in between, and stops when it is aborted', async () => {
  record(3_000, 1_000)
  const stopping = new AbortController()
  setImmediate(() => stopping.abort())
  expect([await deleteOldEvents(events, 2_000, stopping.signal), left()]).toEqual([1_000, 2_000])
})
