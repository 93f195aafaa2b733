// The terms by which memories are found that may concern each other. They follow from the memories and are written together with them.
import type { Memory } from '@tandem/contract/memory'
import type { Store } from '../../store/store.ts'
import { type Termed, termsOf } from '../rule/concern/terms.ts'

export interface MemoryTerms {
  add(memory: Memory): void
  change(before: Memory, after: Memory): void
  remove(memories: readonly Memory[]): void
  /** The ids of memories that have all of these terms. */
  withAll(terms: readonly number[]): readonly string[]
  /** How many have each term; counted up to `most`. */
  counts(terms: readonly number[], most: number): ReadonlyMap<number, number>
  /** Whether every memory has its terms. Those of an earlier version get them a moment after the start. */
  isComplete(): boolean
  /** Memories without terms, in the order of their ids. */
  missing(after: string, limit: number): readonly string[]
}

export function openMemoryTerms({ sql }: Pick<Store, 'sql'>): MemoryTerms {
  let isComplete = false
  const count = (row: { readonly count: number } | undefined) => row?.count ?? 0

  function insert(no: number, terms: readonly number[]): void {
    sql.run`INSERT OR IGNORE INTO memory_terms (term, no) SELECT value, ${no} FROM json_each(${JSON.stringify(terms)})`
  }

  function drop(no: number, terms: readonly number[]): void {
    sql.run`DELETE FROM memory_terms WHERE no = ${no} AND term IN (SELECT value FROM json_each(${JSON.stringify(terms)}))`
  }

  const numberOf = (id: string) => sql.get<{ no: number }>`SELECT no FROM memory_numbers WHERE memory_id = ${id}`?.no

  return {
    add(memory) {
      const { lastInsertRowid } = sql.run`INSERT INTO memory_numbers (memory_id) VALUES (${memory.id})`
      insert(Number(lastInsertRowid), termsOf(memory))
    },
    change(before, after) {
      if (hasSameTerms(before, after)) return
      const no = numberOf(before.id)
      if (no === undefined) return
      const [old, fresh] = [new Set(termsOf(before)), new Set(termsOf(after))]
      drop(no, [...old.difference(fresh)])
      insert(no, [...fresh.difference(old)])
    },
    remove(memories) {
      for (const memory of memories) {
        const no = numberOf(memory.id)
        if (no !== undefined) drop(no, termsOf(memory))
      }
    },
    withAll(terms) {
      const wanted = [...new Set(terms)]
      return sql.all<{ memory_id: string }>`
        SELECT memory_id FROM memory_numbers WHERE no IN (
          SELECT no FROM memory_terms WHERE term IN (SELECT value FROM json_each(${JSON.stringify(wanted)}))
          GROUP BY no HAVING count(*) = ${wanted.length})`.map(({ memory_id }) => memory_id)
    },
    counts(terms, most) {
      const rows = sql.all<{ term: number; count: number }>`
        SELECT value AS term, (SELECT count(*) FROM (SELECT 1 FROM memory_terms WHERE term = value LIMIT ${most})) AS count
        FROM json_each(${JSON.stringify(terms)})`
      return new Map(rows.map((row) => [row.term, row.count]))
    },
    isComplete() {
      if (!isComplete)
        isComplete =
          count(sql.get<{ count: number }>`SELECT count(*) AS count FROM memories`) ===
          count(sql.get<{ count: number }>`SELECT count(*) AS count FROM memory_numbers`)
      return isComplete
    },
    missing: (after, limit) =>
      sql.all<{ id: string }>`
        SELECT id FROM memories WHERE id > ${after} AND NOT EXISTS (SELECT 1 FROM memory_numbers WHERE memory_id = memories.id)
        ORDER BY id LIMIT ${limit}`.map(({ id }) => id),
  }
}

function hasSameTerms(before: Termed, after: Termed): boolean {
  return (
    before.content === after.content &&
    before.subject === after.subject &&
    before.agent_id === after.agent_id &&
    JSON.stringify([before.procedure, before.supersedes]) === JSON.stringify([after.procedure, after.supersedes])
  )
}
