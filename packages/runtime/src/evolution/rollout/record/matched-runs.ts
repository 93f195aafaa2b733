// The runs that a recommendation matches. Decided before the first turn of a run and not changed afterwards; local to this device.
import type { CanaryGroupName, MatchedRun } from '@tandem/contract/skill-recommendation'
import { timestamp } from '../../../clock/clock.ts'
import type { Store } from '../../../store/store.ts'

export type StoredMatch = Omit<MatchedRun, 'outcome'>

export interface MatchedRuns {
  /** Nothing happens if the run is known. */
  add(recommendation_id: string, match: Omit<StoredMatch, 'created_at' | 'closeness'> & { readonly closeness?: number | null }): void
  /** The run has ended. */
  setCloseness(recommendation_id: string, run_id: string, closeness: number | null): void
  /** Newest first. */
  of(recommendation_id: string, limit: number): readonly StoredMatch[]
  /** The canaries that a run gets. */
  given(run_id: string): readonly string[]
}

type MatchRow = Omit<StoredMatch, 'group'> & { readonly recommendation_id: string; readonly in_group: CanaryGroupName | null }

export function openMatchedRuns({ sql, clock, kept }: Pick<Store, 'sql' | 'clock' | 'kept'>): MatchedRuns {
  const given = kept<readonly string[]>('evolution_matched_runs')
  return {
    add(recommendation_id, { run_id, conversation_id, stage, group, score, closeness = null }) {
      sql.run`
        INSERT OR IGNORE INTO evolution_matched_runs (recommendation_id, run_id, conversation_id, stage, in_group, score, closeness, created_at)
        VALUES (${recommendation_id}, ${run_id}, ${conversation_id}, ${stage}, ${group}, ${score}, ${closeness}, ${timestamp(clock.now())})`
    },
    setCloseness: (recommendation_id, run_id, closeness) =>
      void sql.run`
        UPDATE evolution_matched_runs SET closeness = ${closeness} WHERE recommendation_id = ${recommendation_id} AND run_id = ${run_id}`,
    of: (recommendation_id, limit) =>
      sql.all<MatchRow>`
        SELECT * FROM evolution_matched_runs WHERE recommendation_id = ${recommendation_id}
        ORDER BY created_at DESC, run_id DESC LIMIT ${limit}`.map(({ recommendation_id: _id, in_group, ...row }) => ({
        ...row,
        group: in_group,
      })),
    given: (run_id) =>
      given.get(run_id, () =>
        sql.all<{ recommendation_id: string }>`
          SELECT recommendation_id FROM evolution_matched_runs WHERE run_id = ${run_id} AND in_group = 'with' ORDER BY recommendation_id`.map(
          (row) => row.recommendation_id,
        ),
      ),
  }
}
