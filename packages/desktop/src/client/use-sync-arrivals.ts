// A number that changes each time other devices wrote entities of this type.
import type { EntityType } from '@tandem/contract/sync'
import { useWindowState } from './use-client.ts'

export function useSyncArrivals(type: EntityType): number {
  return useWindowState(({ events }) => {
    const last = events.findLast(({ event }) => event.event === 'sync_changes_arrived' && event.data.entity_types.includes(type))
    return last?.no ?? 0
  })
}
