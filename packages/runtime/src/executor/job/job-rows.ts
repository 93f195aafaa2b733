// The jobs that calls of this device have started, on disk before they are sent.
import { createHash } from 'node:crypto'
import { timestamp } from '../../clock/clock.ts'
import type { Store } from '../../store/store.ts'

export interface JobRow {
  readonly job_id: string
  readonly call_id: string
  readonly run_id: string
  readonly executor_id: string
  readonly request_sha256: string
}

export interface JobRows {
  /** The one of the call that has no result yet. */
  open(call_id: string): JobRow | undefined
  openOfRun(run_id: string): readonly JobRow[]
  begin(job: Omit<JobRow, 'job_id'>): JobRow
  settle(job_id: string): void
}

export function openJobRows({ sql, clock, transaction, device_id }: Pick<Store, 'sql' | 'clock' | 'transaction' | 'device_id'>): JobRows {
  return {
    open: (call_id) => sql.get<JobRow>`
      SELECT job_id, call_id, run_id, executor_id, request_sha256 FROM executor_jobs WHERE call_id = ${call_id} AND settled_at IS NULL`,
    openOfRun: (run_id) => sql.all<JobRow>`
      SELECT job_id, call_id, run_id, executor_id, request_sha256 FROM executor_jobs WHERE run_id = ${run_id} AND settled_at IS NULL`,
    begin: ({ call_id, run_id, executor_id, request_sha256 }) =>
      transaction(() => {
        // After a restore, the same call may be made again: that is another job.
        const before = sql.all`SELECT 1 FROM executor_jobs WHERE call_id = ${call_id}`.length
        const job_id = createHash('sha256').update(`${device_id}\n${call_id}\n${before}`).digest('hex')
        sql.run`
          INSERT INTO executor_jobs (job_id, call_id, run_id, executor_id, request_sha256)
          VALUES (${job_id}, ${call_id}, ${run_id}, ${executor_id}, ${request_sha256})`
        return { job_id, call_id, run_id, executor_id, request_sha256 }
      }),
    settle(job_id) {
      sql.run`UPDATE executor_jobs SET settled_at = ${timestamp(clock.now())} WHERE job_id = ${job_id}`
    },
  }
}
