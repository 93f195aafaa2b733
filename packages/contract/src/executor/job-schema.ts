import Type, { type Static } from 'typebox'
import { Count, Flag, Line, listOf, nullable, object, oneOf, Sha256, Timestamp } from '../shape.ts'
import { jobLimits, jobProblemCodes, jobStates } from './job.ts'

export const JobId = Type.String({ pattern: '^[0-9a-f]{64}$' })

const inName = '[^/\\\\\\x00-\\x1f\\x7f]'
const notDot = '[^./\\\\\\x00-\\x1f\\x7f]'
const part = `(?:\\.?${notDot}${inName}*|\\.\\.${inName}+)`

/** Relative to the folder of the job: no `..`, no `.`, no empty part, no backslash, no control characters. */
export const JobFilePath = Type.String({
  minLength: 1,
  maxLength: 1_000,
  pattern: `^${part}(?:/${part})*$`,
})

const JobFile = object({ path: JobFilePath, bytes: Type.Integer({ minimum: 0, maximum: jobLimits.file_bytes }), sha256: Sha256 })
export type JobFile = Static<typeof JobFile>

/** `PUT {executor_url}/jobs/{id}` */
export const JobRequest = object({
  /** Names of a program; the first that is installed there runs. */
  programs: listOf(Type.String({ maxLength: 100, pattern: '^[A-Za-z0-9][A-Za-z0-9_.+-]*$' }), { minItems: 1, maxItems: 10 }),
  /** A file that the program runs, before its arguments. */
  source: nullable(object({ extension: Type.String({ pattern: '^[a-z0-9]{1,10}$' }), text: Type.String({ maxLength: 1_000_000 }) })),
  args: listOf(Type.String({ maxLength: 100_000 }), { maxItems: 300 }),
  timeout_seconds: Type.Integer({ minimum: 1, maximum: jobLimits.seconds }),
  /** The job starts when it has all of them. */
  send_files: listOf(JobFile, { maxItems: jobLimits.files }),
  /** The only files that can be fetched when it has ended. */
  fetch_files: listOf(JobFilePath, { maxItems: jobLimits.files }),
})
export type JobRequest = Static<typeof JobRequest>

/** `GET {executor_url}/jobs/{id}`, and the response to every change of a job. */
export const JobReport = object({
  job_id: JobId,
  /** Of the canonical JSON of its request. */
  request_sha256: Sha256,
  state: oneOf(jobStates),
  exit_code: nullable(Type.Integer({ minimum: 0, maximum: 255 })),
  signal: nullable(Type.String({ pattern: '^SIG[A-Z0-9+]{1,20}$' })),
  timed_out: Flag,
  /** Why it failed. */
  message: nullable(Line),
  duration_ms: Count,
  output_bytes: Type.Integer({ minimum: 0, maximum: 2 * jobLimits.output_bytes }),
  /** Whether the operating system restricted the command. */
  sandbox: oneOf(['os', 'none']),
  violations: listOf(
    object({ attempted: oneOf(['read', 'write', 'network', 'execute']), resource: Type.String({ maxLength: 4_096 }), blocked: Flag }),
    { maxItems: 100 },
  ),
  /** Those of `send_files` that it does not have yet. */
  missing_files: listOf(JobFilePath, { maxItems: jobLimits.files }),
  /** Those of `fetch_files` that exist now that it has ended. */
  files: listOf(JobFile, { maxItems: jobLimits.files }),
  created_at: Timestamp,
})
export type JobReport = Static<typeof JobReport>

/** The body of a refusal, for clients that have shown the token. */
export const JobProblem = object({ job_id: JobId, code: oneOf(jobProblemCodes), message: Line })
export type JobProblem = Static<typeof JobProblem>
