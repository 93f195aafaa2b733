// What every feature gets: the store, the bus, events and the settings.

import type { Clock } from '../clock/clock.ts'
import type { Bus } from '../event/bus.ts'
import type { Events } from '../event/events.ts'
import type { Lifecycle } from '../event/lifecycle/lifecycle.ts'
import type { Journal } from '../journal/journal.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'
import type { DeviceSettings } from '../settings/settings.ts'
import type { Records } from '../store/records.ts'
import type { Store } from '../store/store.ts'

export interface FeatureContext {
  /** Tandem's own folder. */
  readonly home: string
  readonly user_home: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** `errand`: the process lives for one command, and does nothing by itself. */
  readonly life: 'resident' | 'errand'
  readonly store: Store
  readonly records: Records
  readonly bus: Bus
  readonly events: Events
  readonly lifecycle: Lifecycle
  readonly journal: Journal
  readonly scheduler: Scheduler
  readonly settings: DeviceSettings
  log(line: string): void
}
