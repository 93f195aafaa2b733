// Which canaries applied to which turns of a run, as recorded with each call of the model.
import type { DeviceOnlyFields } from '../../journal/step.ts'
import type { Store } from '../../store/store.ts'

export interface TurnCanaries {
  /** Of the latest turn; none if there was no turn. */
  latest(run_id: string): readonly string[]
  /** Those of a run that end at, or a restore at, this step concerns: `failed` concerns all of them. */
  concernedBy(run_id: string, step_id: string, trigger: 'failed' | 'restored'): readonly string[]
}

interface TurnRow {
  readonly seq: number
  readonly here: string | null
}

export function openTurnCanaries({ sql }: Pick<Store, 'sql'>): TurnCanaries {
  return {
    latest(run_id) {
      const row = sql.get<TurnRow>`
        SELECT s.seq, s.here FROM agent_run_steps s JOIN runs r ON r.no = s.run
        WHERE r.run_id = ${run_id} AND s.kind = 'model.called' ORDER BY s.seq DESC LIMIT 1`
      return row ? canariesOf(row) : []
    },
    concernedBy(run_id, step_id, trigger) {
      const end = sql.get<{ seq: number; cursor_seq: number | null }>`
        SELECT s.seq, s.body ->> 'cursor_seq' AS cursor_seq FROM agent_run_steps s JOIN runs r ON r.no = s.run
        WHERE r.run_id = ${run_id} AND s.step_id = ${step_id}`
      if (!end) return []
      const turns = sql.all<TurnRow>`
        SELECT s.seq, s.here FROM agent_run_steps s JOIN runs r ON r.no = s.run
        WHERE r.run_id = ${run_id} AND s.kind = 'model.called' AND s.seq < ${end.seq} ORDER BY s.seq`
      const all = [...new Set(turns.flatMap(canariesOf))]
      const { cursor_seq } = end
      if (trigger === 'failed' || cursor_seq === null) return all
      // A point after the last turn with it is not a point before or during its time.
      return all.filter((id) => {
        const last = turns.findLastIndex((turn) => canariesOf(turn).includes(id))
        const next = turns[last + 1]
        return next === undefined || cursor_seq < next.seq
      })
    },
  }
}

function canariesOf({ here }: TurnRow): readonly string[] {
  return here === null ? [] : ((JSON.parse(here) as DeviceOnlyFields).canaries ?? [])
}
