// `apply_memory_resolution_cycle()`: conflicts and replaced values, after each flush, review, correction and edit.
import type { MemoryDecision, MemoryResolution } from '@tandem/contract/memory'
import { timestamp } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import { concernedBy } from './concerned.ts'
import type { Decisions } from './record/decisions.ts'
import type { Memories, MemoryEdit } from './record/memories.ts'
import type { MemoryTerms } from './record/terms.ts'
import { type ResolutionInput, resolveMemories } from './rule/resolve/resolve.ts'
import { similarPairs } from './rule/similar.ts'

export interface ResolutionCycle {
  /** For the subjects of these memories, which are new or were changed. In one transaction. */
  apply(touched: readonly { readonly id: string; readonly subject: string; readonly agent_id: string | null }[]): MemoryResolution
  decide(kept_memory_id: string, over_memory_ids: readonly string[]): MemoryDecision
}

interface Owned {
  readonly subject: string
  readonly agent_id: string | null
}

export interface CyclePorts {
  readonly store: Pick<Store, 'transaction' | 'newId' | 'clock'>
  readonly memories: Memories
  readonly terms: MemoryTerms
  readonly decisions: Decisions
}

export function openResolutionCycle({ store, memories, terms, decisions }: CyclePorts): ResolutionCycle {
  const { transaction, newId, clock } = store

  /** Everything about the subject, while not every memory can be found by its terms. */
  function allAbout({ subject, agent_id }: Owned, changed: ReadonlySet<string>): ResolutionInput {
    const list = memories.ofSubject(subject, agent_id)
    const ids = list.map(({ id }) => id)
    // Words end what was there before them. Earlier ones have ended it already, unless something older has arrived.
    const sinceTouched = ids.slice(
      Math.max(
        0,
        ids.findIndex((id) => changed.has(id)),
      ),
    )
    return {
      memories: list,
      decisions: decisions.of(ids),
      revokes: memories.revokes(sinceTouched),
      similar: similarPairs(list, changed),
    }
  }

  return {
    decide(kept_memory_id, over_memory_ids) {
      const decision: MemoryDecision = {
        id: newId(),
        kept_memory_id,
        over_memory_ids: [...over_memory_ids],
        created_at: timestamp(clock.now()),
      }
      decisions.add(decision)
      return decision
    },
    apply(touched) {
      const groups = Map.groupBy(touched, ({ subject, agent_id }) => JSON.stringify([subject, agent_id]))
      const changed = new Set(touched.map(({ id }) => id))
      return transaction(() => {
        const all: MemoryResolution = { conflicting: [], superseded: [], archived: [] }
        for (const group of groups.values()) {
          const [first] = group
          if (!first) continue
          const current = memories.all(group.map(({ id }) => id))
          const isFindable = current.length === group.length && terms.isComplete()
          const input = isFindable ? concernedBy({ memories, terms }, current, decisions.all()) : allAbout(first, changed)
          const { changes, resolution } = resolveMemories(input)
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
