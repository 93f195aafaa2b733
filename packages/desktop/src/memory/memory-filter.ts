// What the list of memories shows, as the parameters of its command. Pure.
import type { CommandParams } from '@tandem/contract/command'
import type { MemoryKind, MemoryState } from '@tandem/contract/memory'

export const memoryViews = ['all', 'review', 'conflicts', 'expiring'] as const
export type MemoryView = (typeof memoryViews)[number]

export interface MemoryFilter {
  readonly view: MemoryView
  readonly kind: MemoryKind | ''
  /** Only for the view of all: the others show active memories. */
  readonly state: MemoryState | ''
}

export const everyMemory: MemoryFilter = { view: 'all', kind: '', state: 'active' }

/** As `memory_status` counts them. */
const soon_ms = 14 * 24 * 60 * 60 * 1_000
const hour_ms = 60 * 60 * 1_000

/** `now` counts by the hour: the list is not read again with every second. */
export function listParams({ view, kind, state }: MemoryFilter, agent_id: string | null, now: number): CommandParams<'memory_list'> {
  return {
    ...(agent_id === null ? {} : { agent_id }),
    ...(kind === '' ? {} : { memory_kinds: [kind] }),
    ...statesOf(view, state),
    ...(view === 'review' ? { to_review: true } : {}),
    ...(view === 'conflicts' ? { has_conflict: true } : {}),
    ...(view === 'expiring' ? { expires_before: new Date(Math.floor(now / hour_ms) * hour_ms + soon_ms).toISOString() } : {}),
  }
}

function statesOf(view: MemoryView, state: MemoryState | ''): Pick<CommandParams<'memory_list'>, 'states'> {
  if (view !== 'all') return { states: ['active'] }
  return state === '' ? {} : { states: [state] }
}

/** Whether an empty list means that there are no memories at all. `inactive`: how many are replaced or archived. */
export function isUnfiltered({ view, kind, state }: MemoryFilter, agent_id: string | null, inactive: number): boolean {
  return view === 'all' && kind === '' && (state === '' || (state === 'active' && inactive === 0)) && agent_id === null
}
