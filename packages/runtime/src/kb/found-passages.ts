// The passages that searches of a run returned.
import type { KnowledgeHit } from '@tandem/contract/knowledge'
import { timestamp } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'

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
  /** Of a source that is removed. */
  forget(source_id: string): void
}

export function openFoundPassages({ sql, clock }: Pick<Store, 'sql' | 'clock'>): FoundPassages {
  return {
    add(run, hits) {
      const now = timestamp(clock.now())
      for (const { citation, passage_id, name, source_id } of hits) {
        sql.run`INSERT OR REPLACE INTO kb_found (run, citation, passage_id, name, source_id, found_at)
          VALUES (${run}, ${citation}, ${passage_id}, ${name}, ${source_id}, ${now})`
      }
    },
    of: (run) =>
      sql.all<ReturnedPassage>`SELECT citation, passage_id, name, source_id, found_at FROM kb_found WHERE run = ${run} ORDER BY found_at, citation`,
    forget: (source_id) => void sql.run`DELETE FROM kb_found WHERE source_id = ${source_id}`,
  }
}
