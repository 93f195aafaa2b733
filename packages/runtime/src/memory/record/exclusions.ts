// What the user does not want to be remembered.
import type { Store } from '../../store/store.ts'

export type ExclusionKind = 'agent' | 'conversation'

export interface Exclusions {
  has(kind: ExclusionKind, id: string): boolean
  set(kind: ExclusionKind, id: string, excluded: boolean): void
  list(kind: ExclusionKind): readonly string[]
}

export function openExclusions({ sql, kept }: Pick<Store, 'sql' | 'kept'>): Exclusions {
  const known = kept<boolean>('memory_exclusions')
  return {
    has: (kind, id) =>
      known.get(`${kind} ${id}`, () => sql.get`SELECT 1 AS found FROM memory_exclusions WHERE kind = ${kind} AND id = ${id}` !== undefined),
    set(kind, id, excluded) {
      if (excluded) sql.run`INSERT OR IGNORE INTO memory_exclusions (kind, id) VALUES (${kind}, ${id})`
      else sql.run`DELETE FROM memory_exclusions WHERE kind = ${kind} AND id = ${id}`
    },
    list: (kind) => sql.all<{ id: string }>`SELECT id FROM memory_exclusions WHERE kind = ${kind} ORDER BY id`.map(({ id }) => id),
  }
}
