// How far each run was read for memories. A restore moves its mark back.
import type { RunCheckpoint } from '@tandem/contract/checkpoint'
import { timestamp } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'

export type FlushMark = RunCheckpoint['memory_flush_markers']

export interface FlushMarks {
  of(run: number): FlushMark
  /** Never moves back. */
  advance(run: number, through_seq: number): void
  moveBack(run: number, through_seq: number): void
}

export function openFlushMarks({ sql, clock }: Pick<Store, 'sql' | 'clock'>): FlushMarks {
  return {
    of: (run) =>
      sql.get<FlushMark>`SELECT flushed_through_seq, last_flush_at FROM memory_flush_marks WHERE run = ${run}` ?? {
        flushed_through_seq: 0,
        last_flush_at: null,
      },
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
