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

export interface FoundPlace {
  /** By which it is recognized when its document has changed. */
  readonly fingerprint: Fingerprint
  /** How far the cited line is below its beginning. */
  readonly lines_below: number
}

export interface FoundPassages {
  /** A citation that was returned before stands for what was returned last. */
  add(run: number, hits: readonly KnowledgeHit[]): void
  of(run: number): readonly ReturnedPassage[]
  /** What is known of a passage that was returned to the run; null if it was not. */
  get(run: number, passage_id: string): FoundPlace | null
  /** Of a source that is removed. */
  forget(source_id: string): void
}

export function openFoundPassages({ sql, clock }: Pick<Store, 'sql' | 'clock'>): FoundPassages {
  return {
    add(run, hits) {
      const now = timestamp(clock.now())
      // The best one last: of two on one page, it is cited.
      for (const { citation, passage_id, name, source_id, text, position } of hits.toReversed()) {
        sql.run`INSERT OR REPLACE INTO kb_found (run, citation, passage_id, name, source_id, fingerprint, lines_below, found_at)
          VALUES (${run}, ${citation}, ${passage_id}, ${name}, ${source_id}, ${JSON.stringify(fingerprintOf(text))}, ${linesBelow(citation, position.first_line)}, ${now})`
      }
    },
    of: (run) =>
      sql.all<ReturnedPassage>`SELECT citation, passage_id, name, source_id, found_at FROM kb_found WHERE run = ${run} ORDER BY found_at, citation`,
    get(run, passage_id) {
      const row = sql.get<{ fingerprint: string; lines_below: number }>`
        SELECT fingerprint, lines_below FROM kb_found WHERE run = ${run} AND passage_id = ${passage_id} ORDER BY lines_below LIMIT 1`
      return row ? { fingerprint: JSON.parse(row.fingerprint) as Fingerprint, lines_below: row.lines_below } : null
    },
    forget: (source_id) => void sql.run`DELETE FROM kb_found WHERE source_id = ${source_id}`,
  }
}

function linesBelow(citation: string, first_line: number | null): number {
  const line = /:(\d+)\]$/.exec(citation)?.[1]
  return line === undefined || first_line === null ? 0 : Math.max(0, Number(line) - first_line)
}
