// Changes for tests.
import type { Change } from '@tandem/contract/sync'

export function change(changes: Partial<Change> = {}): Change {
  const time = '2026-01-01T00:00:00.000Z'
  return {
    entity_type: 'agents',
    entity_id: 'agent-1',
    op: 'upsert',
    version: 1,
    updated_at: time,
    source_ts: time,
    payload: { name: 'Researcher' },
    ...changes,
  }
}

/** `count` new facts. */
export function facts(prefix: string, count: number, text = ''): Change[] {
  return Array.from({ length: count }, (_, index) =>
    change({ entity_type: 'messages', entity_id: `${prefix}-${index}`, payload: { text: `${prefix} ${index}${text}` } }),
  )
}

export function idsOf(changes: readonly Change[]): string[] {
  return changes.map(({ entity_id }) => entity_id)
}
