// Opens what every feature of a runtime gets: the store, the records, the bus, the settings and the scheduler.
import { homedir } from 'node:os'
import { openBus } from '../event/bus.ts'
import { deleteOldEvents } from '../event/event-retention.ts'
import { openEvents } from '../event/events.ts'
import { openLifecycle } from '../event/lifecycle/lifecycle.ts'
import { openJournal } from '../journal/journal.ts'
import { lifecycleHistory } from '../journal/step.ts'
import { openScheduler } from '../scheduler/scheduler.ts'
import { openSettings } from '../settings/settings.ts'
import { pruneOutputs } from '../store/outputs.ts'
import { openRecords } from '../store/records.ts'
import { openStore } from '../store/store.ts'
import type { FeatureContext } from './feature-context.ts'

const minute_ms = 60_000
const day_ms = 24 * 60 * minute_ms
const eventsKept_ms = 30 * day_ms

/** Throws `FolderInUseError` while another runtime uses the folder. */
export function openFeatureContext(options: Pick<FeatureContext, 'home' | 'environment' | 'clock' | 'life' | 'log'>): FeatureContext {
  const { home, environment, clock, log } = options
  const user_home = environment.HOME ?? homedir()
  const store = openStore({ home, user_home, clock })
  const bus = openBus((error) => log(`a listener failed: ${String(error)}`))
  const events = openEvents(store, bus)
  const lifecycle = openLifecycle({ store, history: () => lifecycleHistory(store), log })
  const scheduler = openScheduler(clock, (job, error) => log(`${job}: ${String(error)}`))
  scheduler.add({
    name: 'forget_events',
    every_ms: day_ms,
    first_ms: minute_ms,
    run: async (signal) => void (await deleteOldEvents(events, clock.now() - eventsKept_ms, signal)),
  })
  scheduler.add({ name: 'tidy_store', every_ms: minute_ms / 2, run: store.tidy })
  scheduler.add({ name: 'prune_outputs', every_ms: day_ms, first_ms: 2 * minute_ms, run: async () => void (await pruneOutputs(store)) })
  const journal = openJournal(store, events, bus, lifecycle)
  return {
    ...options,
    user_home,
    store,
    records: openRecords(store),
    bus,
    events,
    lifecycle,
    journal,
    scheduler,
    settings: openSettings(home),
  }
}
