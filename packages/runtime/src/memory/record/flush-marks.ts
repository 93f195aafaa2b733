// How far each run was read for memories; `journal.flushMark` reads it. A restore moves its mark back.
import { timestamp } from '../../clock/clock.ts'
import type { Store } from '../../store/store.ts'

export interface FlushMarks {
  /** Never moves back. */
  advance(run: number, through_seq: number): void
  moveBack(run: number, through_seq: number): void
}

export function openFlushMarks({ sql, clock }: Pick<Store, 'sql' | 'clock'>): FlushMarks {
  return {
    advance(run, through_seq) {
      sql.run`
        INSERT INTO memory_flush_marks (run, flushed_through_seq, last_flush_at) VALUES (${run}, ${through_seq}, ${timestamp(clock.now())})
        ON CONFLICT (run) DO UPDATE SET flushed_through_seq = max(flushed_through_seq, excluded.flushed_through_seq),
          last_flush_at = excluded.last_flush_at`
    },
    moveBack(run, through_seq) {
      sql.run`UPDATE memory_flush_marks SET flushed_through_seq = min(flushed_through_seq, ${through_seq}) WHERE run = ${run}`
    },
  }
}
