// Reports changes from other devices: the first immediately, the following together, so that a busy run elsewhere causes no flood.
import { type EntityType, entityTypeNames } from '@tandem/contract/sync'
import type { Clock } from '../../clock/clock.ts'
import type { Events } from '../../event/events.ts'
import type { Store } from '../../store/store.ts'
import type { Arrivals } from '../inbox.ts'

export interface ArrivalEvents {
  add(arrivals: Arrivals): void
  stop(): void
}

const gather_ms = 200
const mostNamed = 100

export function openArrivalEvents(store: Pick<Store, 'relaxed'>, clock: Clock, events: Events): ArrivalEvents {
  const types = new Set<EntityType>()
  const conversations = new Set<string>()
  const runs = new Set<string>()
  let cancel: (() => void) | null = null

  function tell(): void {
    cancel = null
    if (types.size === 0) return
    const data = {
      entity_types: entityTypeNames.filter((type) => types.has(type)),
      conversation_ids: [...conversations].slice(0, mostNamed),
      run_ids: [...runs].slice(0, mostNamed),
      all_named: conversations.size <= mostNamed && runs.size <= mostNamed,
    }
    for (const told of [types, conversations, runs]) told.clear()
    // Need not wait for the disk: what it reports is already stored.
    store.relaxed(() => events.emit('sync_changes_arrived', {}, data))
    cancel = clock.after(gather_ms, tell)
  }

  return {
    add({ records, facts, conversation_ids, run_ids }) {
      for (const { entity_type } of records) types.add(entity_type)
      for (const type of facts) types.add(type)
      for (const id of conversation_ids) conversations.add(id)
      for (const id of run_ids) runs.add(id)
      if (cancel === null) tell()
    },
    stop: () => cancel?.(),
  }
}
