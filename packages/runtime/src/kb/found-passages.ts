// The passages that searches of a run returned.
import type { KnowledgeHit } from '@tandem/contract/knowledge'
import { timestamp } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import { type Fingerprint, fingerprintOf } from './rule/fingerprint.ts'

export interface ReturnedPassage {
  readonly citation: string
  readonly passage_id: string
  readonly name: string
  readonly source_id: string
  readonly found_at: string
}

export interface FoundPassages {
  /** A citation that was returned before stands for what was returned last. */
  add(run: number, hits: readonly KnowledgeHit[]): void
  of(run: number): readonly ReturnedPassage[]
  /** How to recognize a passage that was returned to the run; null if it was not. */
  fingerprint(run: number, passage_id: string): Fingerprint | null
  /** Of a source that is removed. */
  forget(source_id: string): void
}

export function openFoundPassages({ sql, clock }: Pick<Store, 'sql' | 'clock'>): FoundPassages {
  return {
    add(run, hits) {
      const now = timestamp(clock.now())
      // The best one last: of two on one page, it is cited.
      for (const { citation, passage_id, name, source_id, text } of hits.toReversed()) {
        sql.run`INSERT OR REPLACE INTO kb_found (run, citation, passage_id, name, source_id, fingerprint, found_at)
          VALUES (${run}, ${citation}, ${passage_id}, ${name}, ${source_id}, ${JSON.stringify(fingerprintOf(text))}, ${now})`
      }
    },
    of: (run) =>
      sql.all<ReturnedPassage>`SELECT citation, passage_id, name, source_id, found_at FROM kb_found WHERE run = ${run} ORDER BY found_at, citation`,
    fingerprint(run, passage_id) {
      const row = sql.get<{
        fingerprint: string
      }>`SELECT fingerprint FROM kb_found WHERE run = ${run} AND passage_id = ${passage_id} LIMIT 1`
      return row ? (JSON.parse(row.fingerprint) as Fingerprint) : null
    },
    forget: (source_id) => void sql.run`DELETE FROM kb_found WHERE source_id = ${source_id}`,
  }
}
