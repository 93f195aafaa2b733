// Whether other devices wrote something of this kind: another number each time they did.
import type { EntityType } from '@tandem/contract/sync'
import { useWindow } from './use-desk.ts'

export function useArrivals(type: EntityType): number {
  return useWindow(({ events }) => {
    const last = events.findLast(({ event }) => event.event === 'sync_changes_arrived' && event.data.entity_types.includes(type))
    return last?.no ?? 0
  })
}
