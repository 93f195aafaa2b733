import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestClock, testClock } from '../../../test/support/clock/test-clock.ts'
import { openBus } from '../../event/bus.ts'
import { type Events, openEvents } from '../../event/events.ts'
import { openStore, type Store } from '../../store/store.ts'
import type { Arrivals } from '../inbox.ts'
import { type ArrivalEvents, openArrivalEvents } from './arrival-events.ts'

let home: string
let clock: TestClock
let store: Store
let events: Events
let news: ArrivalEvents

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-news-'))
  clock = testClock()
  store = openStore({ home, clock })
  events = openEvents(
    store,
    openBus(() => undefined),
  )
  news = openArrivalEvents(store, clock, events)
})
afterEach(() => {
  news.stop()
  store.close()
  rmSync(home, { recursive: true })
})

const nothing: Arrivals = { records: [], facts: [], conversation_ids: [], run_ids: [] }
const told = () => events.list({ limit: 100 }).map(({ data }) => data)

test('reports the first immediately, the following together, and nothing if there is nothing', () => {
  news.add({ ...nothing, facts: ['agent_run_steps'], conversation_ids: ['c1'], run_ids: ['r1'] })
  news.add({ ...nothing, records: [{ entity_type: 'agents', entity_id: 'a' }] })
  news.add({ ...nothing, facts: ['messages'], conversation_ids: ['c1', 'c2'], run_ids: ['r2'] })
  const first = { entity_types: ['agent_run_steps'], conversation_ids: ['c1'], run_ids: ['r1'], all_named: true }
  expect(told()).toEqual([first])
  clock.advance(200)
  const then = { entity_types: ['messages', 'agents'], conversation_ids: ['c1', 'c2'], run_ids: ['r2'], all_named: true }
  expect(told()).toEqual([first, then])
  clock.advance(10_000)
  expect(told()).toEqual([first, then])
})

test('of very many, only some are named, and that is reported', () => {
  news.add({ ...nothing, facts: ['messages'], conversation_ids: Array.from({ length: 101 }, (_, no) => `c${no}`) })
  expect(told()).toMatchObject([{ all_named: false }])
  expect(told().map((data) => ('conversation_ids' in data ? data.conversation_ids.length : 0))).toEqual([100])
})
