// A job: one command that an executor runs for a client. The client assigns its id, so that a second start finds the first.
import { isTerminal, type Transitions } from '../transition/index.ts'

/**
 * `receiving`: files that the job names are still missing; it starts with the last one. `failed`: it could not be started, or exceeded a
 * limit of the executor. `lost`: the executor ended while the job was running, so its exit code is not known.
 */
export const jobStates = ['receiving', 'running', 'ended', 'failed', 'canceled', 'lost'] as const
export type JobState = (typeof jobStates)[number]

export const jobTriggers = ['start', 'end', 'fail', 'cancel', 'lose'] as const
export type JobTrigger = (typeof jobTriggers)[number]

export const jobTransitions: Transitions<JobState, JobTrigger> = {
  noun: 'job',
  verbs: { cancel: 'be canceled', lose: 'be lost' },
  states: jobStates,
  triggers: jobTriggers,
  initial: 'receiving',
  rows: [
    { from: ['receiving'], on: 'start', to: 'running' },
    { from: ['running'], on: 'end', to: 'ended' },
    { from: ['receiving', 'running'], on: 'fail', to: 'failed' },
    { from: ['receiving', 'running'], on: 'cancel', to: 'canceled' },
    // Never started again: it may have had effects.
    { from: ['running'], on: 'lose', to: 'lost' },
  ],
}

export function isJobOver(state: JobState): boolean {
  return isTerminal(jobTransitions, state)
}

const MiB = 1024 * 1024

export const jobLimits = {
  /** Jobs that run at the same time. */
  running: 4,
  /** Jobs that are stored, whatever their state. */
  stored: 200,
  /** As for a command on this device: a command with more output is ended. */
  output_bytes: 1_024 * MiB,
  files: 100,
  file_bytes: 64 * MiB,
  /** Of all jobs together, with their output and the files that they create. */
  disk_bytes: 8_192 * MiB,
  request_bytes: 2 * MiB,
  seconds: 86_400,
  /** A job that no one fetched is deleted after this time. */
  kept_ms: 24 * 60 * 60 * 1_000,
  /** A stream of output without new output ends after this time; the client continues at its offset. */
  quiet_ms: 10_000,
} as const

/** Relative to the executor's address. */
export function jobPath(job_id: string, rest = ''): string {
  return `/jobs/${job_id}${rest}`
}

export function jobFilePath(job_id: string, path: string): string {
  return jobPath(job_id, `/files/${path.split('/').map(encodeURIComponent).join('/')}`)
}

/** What executors that run jobs offer, and how they restrict them. */
export const jobCapabilities = { run: 'jobs.run', sandboxed: 'jobs.sandbox' } as const

/** Why a request about a job was refused, with its status. */
export const jobProblems = {
  invalid: 400,
  unknown_job: 404,
  unknown_file: 404,
  other_content: 409,
  not_possible: 409,
  out_of_range: 416,
  wrong_file: 422,
  too_many_jobs: 429,
  disk_full: 507,
} as const
export type JobProblemCode = keyof typeof jobProblems
export const jobProblemCodes = Object.keys(jobProblems) as JobProblemCode[]
