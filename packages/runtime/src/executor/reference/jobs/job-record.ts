// What an executor stores about a job: its request and its state, on disk before either is acknowledged.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type JobReport, type JobRequest, type JobTrigger, jobTransitions } from '@tandem/contract/executor'
import { JobId, JobReport as JobReportSchema, JobRequest as JobRequestSchema } from '@tandem/contract/executor/schema'
import { canonicalJson } from '@tandem/contract/sync'
import { transition } from '@tandem/contract/transition'
import { Check } from 'typebox/value'
import { writeDurably } from '../durable-file.ts'

export interface JobRecord {
  readonly request: JobRequest
  readonly report: JobReport
  /** In milliseconds since 1970. */
  readonly changed_at: number
}

export interface JobFolder {
  readonly root: string
  /** The command runs here, and can write only here and in `temp`. */
  readonly work: string
  readonly temp: string
  /** Files on their way, and the source of a script. */
  readonly arriving: string
  readonly output: string
  readonly record: string
}

export function jobFolder(jobs: string, job_id: string): JobFolder {
  const root = join(jobs, job_id)
  const at = (name: string) => join(root, name)
  return { root, work: at('work'), temp: at('temp'), arriving: at('arriving'), output: at('output'), record: at('job.json') }
}

export function makeJobFolder({ work, temp, arriving }: JobFolder): void {
  for (const folder of [work, temp, arriving]) mkdirSync(folder, { recursive: true, mode: 0o700 })
}

export function requestDigest(request: JobRequest): string {
  return createHash('sha256').update(canonicalJson(request)).digest('hex')
}

export function saveJob({ record }: JobFolder, job: JobRecord): void {
  writeDurably(record, JSON.stringify(job))
}

/** Those of an earlier process. A folder without a record belongs to a job that was never acknowledged. */
export function readJobs(jobs: string): JobRecord[] {
  mkdirSync(jobs, { recursive: true, mode: 0o700 })
  return readdirSync(jobs).flatMap((name) => {
    const found = Check(JobId, name) ? readJob(jobFolder(jobs, name)) : null
    if (found?.report.job_id === name) return [found]
    rmSync(join(jobs, name), { recursive: true, force: true })
    return []
  })
}

function readJob({ record }: JobFolder): JobRecord | null {
  let read: JobRecord
  try {
    read = JSON.parse(readFileSync(record, 'utf8'))
  } catch {
    // Missing, or damaged: its state is not known to anyone.
    return null
  }
  return Check(JobRequestSchema, read.request) && Check(JobReportSchema, read.report) && Number.isFinite(read.changed_at) ? read : null
}

/** Throws for a transition that the table does not have: that is a bug. */
export function changedJob(job: JobRecord, trigger: JobTrigger, change: Partial<JobReport>, now: number): JobRecord {
  const next = transition(jobTransitions, job.report.state, trigger)
  if (!next.ok) throw new Error(next.message)
  return { ...job, report: { ...job.report, ...change, state: next.state }, changed_at: now }
}
