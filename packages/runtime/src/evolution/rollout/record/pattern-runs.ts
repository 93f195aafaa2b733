// What is known of a repeated behavior by its signature: the runs in which it occurred and the shapes that they share.
import type { Store } from '../../../store/store.ts'

export interface PatternRun {
  readonly run_id: string
  readonly day: string
  readonly request: string | null
}

export interface PatternRuns {
  /** The latest first. */
  runs(signature: string, limit: number): readonly PatternRun[]
  /** Empty for what is no sequence. */
  steps(signature: string): readonly string[]
  /** Of a run that was mined. */
  shapesOf(run_id: string): ReadonlySet<string>
}

export function openPatternRuns({ sql }: Pick<Store, 'sql'>): PatternRuns {
  return {
    runs: (signature, limit) =>
      sql.all<PatternRun & Record<string, unknown>>`
        SELECT r.run_id AS run_id, r.day AS day, r.request AS request FROM evolution_pattern_runs m
          JOIN evolution_patterns p ON p.no = m.pattern JOIN evolution_runs r ON r.no = m.run
        WHERE p.signature = ${signature} ORDER BY m.run DESC LIMIT ${limit}`.map(({ run_id, day, request }) => ({
        ...{ run_id, day },
        request: request || null,
      })),
    steps: (signature) =>
      sql.all<{ key: string }>`
        SELECT k.key AS key FROM evolution_pattern_keys k JOIN evolution_patterns p ON p.no = k.pattern
        WHERE p.signature = ${signature} AND p.what = 'sequence' ORDER BY k.key`.map(({ key }) => key),
    shapesOf(run_id) {
      const rows = sql.all<{ shape: string }>`
        SELECT s.shape AS shape FROM evolution_run_shapes r JOIN evolution_shapes s ON s.no = r.shape
        WHERE r.run = (SELECT no FROM evolution_runs WHERE run_id = ${run_id})`
      return new Set(rows.map(({ shape }) => shape))
    },
  }
}
