// What calls wait for, and how each wait ended. A wait ends once: ending it again has no effect.
import type { waitOutcomes, waitSubjects } from '@tandem/contract/run'
import type { Store } from '../store/store.ts'

type WaitSubject = (typeof waitSubjects)[number]

export interface WaitRecord {
  readonly wait_id: string
  readonly run: number
  readonly call_id: string
  readonly tool: string
  readonly for: WaitSubject
  readonly id: string
  readonly until: number | null
  readonly started_at: number
  /** Null while it is pending. */
  readonly outcome: (typeof waitOutcomes)[number] | null
  /** How the subject of the wait ended. */
  readonly value: unknown
}

export type NewWait = Pick<WaitRecord, 'run' | 'call_id' | 'tool' | 'for' | 'id' | 'until'>

export interface Waits {
  begin(wait: NewWait): WaitRecord
  /** The latest wait of a call. */
  of(run: number, call_id: string): WaitRecord | undefined
  /** What calls of a run are waiting for now. */
  open(run: number): readonly WaitRecord[]
  /** All waits for one subject. */
  openFor(subject: { readonly for: WaitSubject; readonly id: string }): readonly WaitRecord[]
  /** Waits whose time has come. */
  due(now: number): readonly WaitRecord[]
  /** False if it had already ended. */
  end(wait_id: string, outcome: NonNullable<WaitRecord['outcome']>, value?: unknown): boolean
}

interface WaitRow extends Omit<WaitRecord, 'for' | 'id' | 'value'> {
  readonly waits_for: WaitSubject
  readonly subject_id: string
  readonly value: string | null
}

export function openWaits({ sql, clock, newId }: Store): Waits {
  return {
    begin({ run, call_id, tool, for: waits_for, id, until }) {
      const started_at = clock.now()
      const wait_id = newId()
      sql.run`
        INSERT INTO waits (wait_id, run, call_id, tool, waits_for, subject_id, until, started_at)
        VALUES (${wait_id}, ${run}, ${call_id}, ${tool}, ${waits_for}, ${id}, ${until}, ${started_at})`
      return { wait_id, run, call_id, tool, for: waits_for, id, until, started_at, outcome: null, value: null }
    },
    of(run, call_id) {
      const row = sql.get<WaitRow>`SELECT * FROM waits WHERE run = ${run} AND call_id = ${call_id} ORDER BY no DESC LIMIT 1`
      return row && toRecord(row)
    },
    open: (run) => sql.all<WaitRow>`SELECT * FROM waits WHERE run = ${run} AND outcome IS NULL ORDER BY no`.map(toRecord),
    openFor: ({ for: waits_for, id }) =>
      sql.all<WaitRow>`SELECT * FROM waits WHERE waits_for = ${waits_for} AND subject_id = ${id} AND outcome IS NULL ORDER BY no`.map(
        toRecord,
      ),
    due: (now) => sql.all<WaitRow>`SELECT * FROM waits WHERE outcome IS NULL AND until <= ${now} ORDER BY until, no`.map(toRecord),
    end(wait_id, outcome, value = null) {
      const { changes } = sql.run`
        UPDATE waits SET outcome = ${outcome}, value = ${JSON.stringify(value)}, ended_at = ${clock.now()}
        WHERE wait_id = ${wait_id} AND outcome IS NULL`
      return Number(changes) === 1
    },
  }
}

function toRecord({ waits_for, subject_id, value, ...row }: WaitRow): WaitRecord {
  const { wait_id, run, call_id, tool, until, started_at, outcome } = row
  return {
    ...{ wait_id, run, call_id, tool, until, started_at, outcome },
    for: waits_for,
    id: subject_id,
    value: value === null ? null : JSON.parse(value),
  }
}
