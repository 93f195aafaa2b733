// What was mined from runs: one trace for each.
import type { BehaviorTrace } from '@tandem/contract/learning'
import { timestamp } from '../../clock/clock.ts'
import type { Store } from '../../store/store.ts'

export type NewTrace = Omit<BehaviorTrace, 'id' | 'created_at'>

export interface Traces {
  /** Whether this learning cycle of the run, or a later one, was mined. */
  isMined(run_id: string, cycle_id: string): boolean
  /** A run that continued after a restore keeps its trace, with what is known now. */
  put(trace: NewTrace, cycle_id: string): BehaviorTrace
  /** Newest first. */
  page(filter: { readonly agent_id?: string; readonly run_id?: string }, before: string | null, limit: number): readonly BehaviorTrace[]
}

type TraceRow = Omit<BehaviorTrace, 'tool_sequences' | 'repeated_constraints' | 'manual_remediations'> & {
  readonly tool_sequences: string
  readonly repeated_constraints: string
  readonly manual_remediations: string
  readonly cycle_id: string
}

export function openTraces({ sql, newId, clock }: Pick<Store, 'sql' | 'newId' | 'clock'>): Traces {
  const ofRun = (run_id: string) => sql.get<TraceRow>`SELECT * FROM runtime_behavior_traces WHERE run_id = ${run_id}`
  return {
    isMined(run_id, cycle_id) {
      const known = ofRun(run_id)
      return known !== undefined && known.cycle_id >= cycle_id
    },
    put(trace, cycle_id) {
      const known = ofRun(trace.run_id)
      const stored: BehaviorTrace = { ...trace, id: known?.id ?? newId(), created_at: known?.created_at ?? timestamp(clock.now()) }
      sql.run`
        INSERT INTO runtime_behavior_traces (id, run_id, agent_id, conversation_id, tool_sequences, repeated_constraints, manual_remediations,
          created_at, cycle_id)
        VALUES (${stored.id}, ${stored.run_id}, ${stored.agent_id}, ${stored.conversation_id}, ${JSON.stringify(stored.tool_sequences)},
          ${JSON.stringify(stored.repeated_constraints)}, ${JSON.stringify(stored.manual_remediations)}, ${stored.created_at}, ${cycle_id})
        ON CONFLICT (run_id) DO UPDATE SET tool_sequences = excluded.tool_sequences, repeated_constraints = excluded.repeated_constraints,
          manual_remediations = excluded.manual_remediations, cycle_id = excluded.cycle_id`
      return stored
    },
    page: ({ agent_id = null, run_id = null }, before, limit) =>
      sql.all<TraceRow>`
        SELECT * FROM runtime_behavior_traces
        WHERE (${agent_id} IS NULL OR agent_id = ${agent_id}) AND (${run_id} IS NULL OR run_id = ${run_id})
          AND (${before} IS NULL OR id < ${before})
        ORDER BY id DESC LIMIT ${limit}`.map(toTrace),
  }
}

function toTrace({ cycle_id: _, ...row }: TraceRow): BehaviorTrace {
  return {
    ...row,
    tool_sequences: JSON.parse(row.tool_sequences),
    repeated_constraints: JSON.parse(row.repeated_constraints),
    manual_remediations: JSON.parse(row.manual_remediations),
  }
}
