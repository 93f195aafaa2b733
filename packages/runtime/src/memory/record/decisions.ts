// The user's decisions of conflicts.
import type { MemoryDecision } from '@tandem/contract/memory'
import type { Store } from '../../store/store.ts'

export interface Decisions {
  add(decision: MemoryDecision): void
  has(id: string): boolean
  /** The oldest first. */
  all(): readonly MemoryDecision[]
  /** Those that name one of these memories. */
  of(memory_ids: readonly string[]): readonly MemoryDecision[]
  /** Takes memories out of the decisions; one that decides nothing any more is deleted. */
  eraseOf(memory_ids: readonly string[]): void
}

interface DecisionRow extends Omit<MemoryDecision, 'over_memory_ids'> {
  readonly over_memory_ids: string
}

export function openDecisions({ sql }: Pick<Store, 'sql'>): Decisions {
  const all = () =>
    sql.all<DecisionRow>`SELECT * FROM memory_decisions ORDER BY id`.map(
      (row): MemoryDecision => ({ ...row, over_memory_ids: JSON.parse(row.over_memory_ids) }),
    )
  const of = (memory_ids: readonly string[]) => {
    const wanted = new Set(memory_ids)
    return all().filter(({ kept_memory_id, over_memory_ids }) => [kept_memory_id, ...over_memory_ids].some((id) => wanted.has(id)))
  }
  return {
    add({ id, kept_memory_id, over_memory_ids, created_at }) {
      sql.run`
        INSERT INTO memory_decisions (id, kept_memory_id, over_memory_ids, created_at)
        VALUES (${id}, ${kept_memory_id}, ${JSON.stringify(over_memory_ids)}, ${created_at})`
    },
    has: (id) => sql.get`SELECT 1 FROM memory_decisions WHERE id = ${id}` !== undefined,
    all,
    of,
    eraseOf(memory_ids) {
      const gone = new Set(memory_ids)
      for (const { id, kept_memory_id, over_memory_ids } of of(memory_ids)) {
        const over = over_memory_ids.filter((one) => !gone.has(one))
        if (gone.has(kept_memory_id) || over.length === 0) sql.run`DELETE FROM memory_decisions WHERE id = ${id}`
        else sql.run`UPDATE memory_decisions SET over_memory_ids = ${JSON.stringify(over)} WHERE id = ${id}`
      }
    },
  }
}
