// The recorded calls that a candidate would have decided differently: all of them, in the order of the test.
import type { PolicyDivergence } from '@tandem/contract/policy-candidate'
import type { Store } from '../../store/store.ts'

export interface Divergences {
  /** Once for each validation. */
  record(validation_id: string, divergences: readonly PolicyDivergence[]): void
  /** Those after the one with this number; they are numbered from 1. */
  list(validation_id: string, after: number, limit: number): readonly NumberedDivergence[]
}

export type NumberedDivergence = PolicyDivergence & { readonly no: number }

export function openDivergences({ sql }: Pick<Store, 'sql'>): Divergences {
  return {
    record(validation_id, divergences) {
      if (divergences.length === 0) return
      // In one statement: there can be as many as recorded calls.
      sql.run`
        INSERT INTO runtime_policy_candidate_divergences (validation_id, no, run_id, call_id, tool, decided, would_decide)
        SELECT ${validation_id}, key + 1, value ->> 'run_id', value ->> 'call_id', value ->> 'tool', value ->> 'decided',
          value ->> 'would_decide'
        FROM json_each(${JSON.stringify(divergences)})`
    },
    list: (validation_id, after, limit) =>
      sql.all<NumberedDivergence>`
        SELECT no, run_id, call_id, tool, decided, would_decide FROM runtime_policy_candidate_divergences
        WHERE validation_id = ${validation_id} AND no > ${after} ORDER BY no LIMIT ${limit}`,
  }
}
