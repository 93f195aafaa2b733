// How many proposals for memories were dropped, and why: no text of them is kept.
import { timestamp } from '../../clock/clock.ts'
import type { Store } from '../../store/store.ts'

export interface DroppedCounts {
  add(reason: string, count: number): void
  /** Of the last days, the most frequent first. */
  recent(): readonly { readonly reason: string; readonly count: number }[]
}

const days = 30
const day_ms = 24 * 60 * 60 * 1_000

export function openDropped({ sql, clock }: Pick<Store, 'sql' | 'clock'>): DroppedCounts {
  const dayOf = (at: number) => timestamp(at).slice(0, 10)
  return {
    add(reason, count) {
      if (count === 0) return
      sql.run`DELETE FROM memory_dropped WHERE day < ${dayOf(clock.now() - days * day_ms)}`
      sql.run`
        INSERT INTO memory_dropped (day, reason, count) VALUES (${dayOf(clock.now())}, ${reason}, ${count})
        ON CONFLICT (day, reason) DO UPDATE SET count = count + excluded.count`
    },
    recent: () =>
      sql.all`
        SELECT reason, sum(count) AS count FROM memory_dropped WHERE day >= ${dayOf(clock.now() - days * day_ms)}
        GROUP BY reason ORDER BY count DESC, reason`,
  }
}
