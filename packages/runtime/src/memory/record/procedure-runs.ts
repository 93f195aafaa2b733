// Which runs each procedure rests on, which runs followed it, and which runs were not looked at yet.
import { terminalRunStates } from '@tandem/contract/run'
import type { RunRecord } from '../../journal/run-record.ts'
import type { Store } from '../../store/store.ts'

export type ProcedureOutcome = 'success' | 'failure'

export interface ProcedureRuns {
  /** The numbers of runs that ended, are settled and may still lead to a procedure; the newest, in the order of their start. */
  waiting(agent_id: string, limit: number): readonly number[]
  /** Runs that count as a success of a procedure, and changed since they were judged. */
  changed(agent_id: string): readonly number[]
  outcome(memory_id: string, run: number): ProcedureOutcome | undefined
  set(memory_id: string, run: Pick<RunRecord, 'no' | 'next_seq'>, outcome: ProcedureOutcome): void
  /** The newest first. */
  runsOf(memory_id: string, limit: number): readonly number[]
  isDone(run: number): boolean
  done(run: number): void
}

const day_ms = 24 * 60 * 60 * 1_000

export function openProcedureRuns({ sql, clock, device_id }: Pick<Store, 'sql' | 'clock' | 'device_id'>): ProcedureRuns {
  const ended = JSON.stringify(terminalRunStates)
  return {
    // Settled: the user has written again in the conversation, or a day has passed. A restore after that takes the success back.
    waiting: (agent_id, limit) =>
      sql.all<{ no: number }>`
        SELECT r.no FROM runs r JOIN conversations c ON c.no = r.conversation
        WHERE r.agent_id = ${agent_id} AND r.device_id = ${device_id} AND r.ended_at IS NOT NULL AND c.hidden = 0 AND c.deleted_at IS NULL
          AND r.state IN (SELECT value FROM json_each(${ended}))
          AND NOT EXISTS (SELECT 1 FROM distilled_runs d WHERE d.run = r.no)
          AND (r.ended_at <= ${clock.now() - day_ms} OR EXISTS (
            SELECT 1 FROM messages m
            WHERE m.conversation = r.conversation AND m.role = 'user' AND m.set_aside = 0 AND m.created_at > r.ended_at))
        ORDER BY r.no DESC LIMIT ${limit}`
        .map(({ no }) => no)
        .toReversed(),
    changed: (agent_id) =>
      sql.all<{ no: number }>`
        SELECT DISTINCT r.no FROM procedure_runs p JOIN runs r ON r.no = p.run
        WHERE r.agent_id = ${agent_id} AND p.outcome = 'success' AND r.next_seq > p.next_seq ORDER BY r.no`.map(({ no }) => no),
    outcome: (memory_id, run) =>
      sql.get<{ outcome: ProcedureOutcome }>`SELECT outcome FROM procedure_runs WHERE memory_id = ${memory_id} AND run = ${run}`?.outcome,
    set(memory_id, { no, next_seq }, outcome) {
      sql.run`
        INSERT OR REPLACE INTO procedure_runs (memory_id, run, outcome, next_seq) VALUES (${memory_id}, ${no}, ${outcome}, ${next_seq})`
    },
    runsOf: (memory_id, limit) =>
      sql.all<{ run: number }>`SELECT run FROM procedure_runs WHERE memory_id = ${memory_id} ORDER BY run DESC LIMIT ${limit}`.map(
        ({ run }) => run,
      ),
    isDone: (run) => sql.get`SELECT 1 FROM distilled_runs WHERE run = ${run}` !== undefined,
    done(run) {
      sql.run`INSERT OR IGNORE INTO distilled_runs (run) VALUES (${run})`
    },
  }
}
