// A store with what entities need, for outgoing and incoming changes.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Change } from '@tandem/contract/sync'
import { openBus } from '../../../src/event/bus.ts'
import { openEvents } from '../../../src/event/events.ts'
import { type Journal, openJournal } from '../../../src/journal/journal.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { arrivalOf } from '../../../src/sync/entity/arrival.ts'
import { type Entities, openEntities } from '../../../src/sync/entity/entities.ts'
import { type Inbox, openInbox } from '../../../src/sync/inbox.ts'
import { openOutbox } from '../../../src/sync/outbox.ts'
import type { TestClock } from '../clock/test-clock.ts'

export interface EntityDevice {
  readonly home: string
  readonly store: Store
  readonly journal: Journal
  readonly entities: Entities
  readonly inbox: Inbox
  changes(): Change[]
}

/** Its user is Mara, whose home is `/home/mara`. */
export function openEntityDevice(clock: TestClock): EntityDevice {
  const home = mkdtempSync(join(tmpdir(), 'tandem-entities-'))
  const store = openStore({ home, user_home: '/home/mara', clock })
  const bus = openBus((error) => {
    throw error
  })
  const entities = openEntities(store)
  const outbox = openOutbox(store, entities)
  return {
    home,
    store,
    journal: openJournal(store, openEvents(store, bus), bus),
    entities,
    inbox: openInbox(store, entities, outbox, {
      arrivalOf,
      stepArrived: () => undefined,
      arrived: () => undefined,
      fileWanted: () => undefined,
    }),
    changes: () => outbox.batch({ changes: 500, bytes: 5_000_000 }).map(({ change }) => change),
  }
}
