// Which ends of runs are still to be told. Written in the transaction of the end, so that no crash can swallow one.
import type { Store } from '../store/store.ts'

export interface UntoldEnd {
  readonly run_id: string
  /** How often telling it began. */
  readonly tries: number
}

export interface Ends {
  add(run: number): void
  /** In the order in which the runs began. */
  untold(): readonly UntoldEnd[]
  /** Counted before it is told: what takes the runtime down with it is not tried for ever. */
  trying(run_id: string): void
  told(run_id: string): void
}

export function openEnds({ sql }: Pick<Store, 'sql'>): Ends {
  return {
    add(run) {
      sql.run`INSERT OR REPLACE INTO untold_ends (run) VALUES (${run})`
    },
    untold() {
      return sql.all<UntoldEnd>`SELECT r.run_id, u.tries FROM untold_ends u JOIN runs r ON r.no = u.run ORDER BY u.run`
    },
    trying(run_id) {
      sql.run`UPDATE untold_ends SET tries = tries + 1 WHERE run = (SELECT no FROM runs WHERE run_id = ${run_id})`
    },
    told(run_id) {
      sql.run`DELETE FROM untold_ends WHERE run = (SELECT no FROM runs WHERE run_id = ${run_id})`
    },
  }
}
