// `apply_memory_resolution_cycle()`: conflicts and replaced values, after each flush, review, correction and edit.
import type { MemoryDecision, MemoryResolution } from '@tandem/contract/memory'
import { timestamp } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import type { Memories, MemoryEdit } from './record/memories.ts'
import { resolveMemories } from './rule/resolve/resolve.ts'
import { similarPairs } from './rule/similar.ts'

export interface ResolutionCycle {
  /** For the subjects of these memories, which are new or were changed. In one transaction. */
  apply(touched: readonly { readonly id: string; readonly subject: string; readonly agent_id: string | null }[]): MemoryResolution
  decide(kept_memory_id: string, over_memory_ids: readonly string[]): MemoryDecision
  decisions(memory_ids: readonly string[]): readonly MemoryDecision[]
}

interface DecisionRow extends Omit<MemoryDecision, 'over_memory_ids'> {
  readonly over_memory_ids: string
}

export function openResolutionCycle(store: Pick<Store, 'sql' | 'transaction' | 'newId' | 'clock'>, memories: Memories): ResolutionCycle {
  const { sql, transaction, newId, clock } = store

  function decisions(memory_ids: readonly string[]): readonly MemoryDecision[] {
    const wanted = new Set(memory_ids)
    return sql.all<DecisionRow>`SELECT * FROM memory_decisions ORDER BY id`
      .map((row): MemoryDecision => ({ ...row, over_memory_ids: JSON.parse(row.over_memory_ids) }))
      .filter(({ kept_memory_id, over_memory_ids }) => [kept_memory_id, ...over_memory_ids].some((id) => wanted.has(id)))
  }

  return {
    decisions,
    decide(kept_memory_id, over_memory_ids) {
      const decision: MemoryDecision = {
        id: newId(),
        kept_memory_id,
        over_memory_ids: [...over_memory_ids],
        created_at: timestamp(clock.now()),
      }
      sql.run`
        INSERT INTO memory_decisions (id, kept_memory_id, over_memory_ids, created_at)
        VALUES (${decision.id}, ${kept_memory_id}, ${JSON.stringify(over_memory_ids)}, ${decision.created_at})`
      return decision
    },
    apply(touched) {
      const groups = new Map(touched.map(({ subject, agent_id }) => [JSON.stringify([subject, agent_id]), { subject, agent_id }]))
      const changed = new Set(touched.map(({ id }) => id))
      return transaction(() => {
        const all: MemoryResolution = { conflicting: [], superseded: [], archived: [] }
        for (const { subject, agent_id } of groups.values()) {
          const list = memories.ofSubject(subject, agent_id)
          const ids = list.map(({ id }) => id)
          // Words end what was there before them. Earlier ones have ended it already, unless something older has arrived.
          const sinceTouched = ids.slice(
            Math.max(
              0,
              ids.findIndex((id) => changed.has(id)),
            ),
          )
          const { changes, resolution } = resolveMemories({
            memories: list,
            decisions: decisions(ids),
            revokes: memories.revokes(sinceTouched),
            similar: similarPairs(list, changed),
          })
          for (const { id, trigger, reason, ...edit } of changes) {
            if (trigger !== null) memories.move(id, trigger, reason)
            const fields = { ...edit, ...(trigger === null && reason !== null ? { state_reason: reason } : {}) }
            if (Object.keys(fields).length > 0) memories.edit(id, fields as MemoryEdit)
          }
          all.conflicting.push(...resolution.conflicting)
          all.superseded.push(...resolution.superseded)
          all.archived.push(...resolution.archived)
        }
        return all
      })
    },
  }
}
