// Which parts of what follows from memories must be computed again. Written together with the memories, so that nothing stays outdated after
// a crash.
import type { Store } from '../../store/store.ts'

export type LearnedPart = 'graph' | 'user_model' | 'identity'

export interface OutdatedPart {
  readonly part: LearnedPart
  readonly agent_id: string
  /** Only of graphs; null for what was learned in no conversation. */
  readonly conversation_id: string | null
}

export interface Outdated {
  add(part: OutdatedPart): void
  remove(part: OutdatedPart): void
  first(part?: LearnedPart): OutdatedPart | undefined
}

export function openOutdated({ sql, kept }: Pick<Store, 'sql' | 'kept'>): Outdated {
  const known = kept<OutdatedPart | undefined>('memory_outdated')
  return {
    add({ part, agent_id, conversation_id }) {
      sql.run`
        INSERT INTO memory_outdated (part, agent_id, conversation_id) VALUES (${part}, ${agent_id}, ${conversation_id ?? ''})
        ON CONFLICT DO NOTHING`
    },
    remove({ part, agent_id, conversation_id }) {
      sql.run`
        DELETE FROM memory_outdated
        WHERE part = ${part} AND agent_id = ${agent_id} AND conversation_id = ${conversation_id ?? ''}`
    },
    first: (part) =>
      known.get(
        part ?? 'any',
        () =>
          sql.get<OutdatedPart>`
          SELECT part, agent_id, nullif(conversation_id, '') AS conversation_id FROM memory_outdated
          WHERE ${part ?? null} IS NULL OR part = ${part ?? null} LIMIT 1`,
      ),
  }
}
