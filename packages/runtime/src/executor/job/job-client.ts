// Requests about one job. What an executor answers is untrusted: it is limited, validated, and accepted only for the job that was asked for.
import { createHash } from 'node:crypto'
import {
  type JobFile,
  type JobProblemCode,
  type JobReport,
  type JobRequest,
  jobFilePath,
  jobLimits,
  jobPath,
} from '@tandem/contract/executor'
import { JobProblem, JobReport as JobReportSchema } from '@tandem/contract/executor/schema'
import { Check } from 'typebox/value'
import type { Clock } from '../../clock/clock.ts'
import type { Resolve } from '../../sandbox/network/resolve.ts'
import { ExecutorFailure, openConnection } from '../connection.ts'
import { type ExecutorRequest, exchange, streamed } from '../exchange.ts'
import type { ExecutorRecord } from '../executor-records.ts'
import { withinLimit } from '../negotiation.ts'
import { executorAddress } from '../rule/address.ts'
import { statusProblem } from '../rule/reading.ts'

/** The executor refused the request, and says why. */
export class JobRefused extends Error {
  readonly code: JobProblemCode

  constructor(code: JobProblemCode, message: string) {
    super(message)
    this.name = 'JobRefused'
    this.code = code
  }
}

export interface JobClient {
  start(request: JobRequest, signal: AbortSignal): Promise<JobReport>
  state(signal: AbortSignal): Promise<JobReport>
  send(path: string, content: Uint8Array, signal: AbortSignal): Promise<JobReport>
  /** Until its end, or until there was none for a while. Throws if the connection is lost. */
  output(from: number, signal: AbortSignal): AsyncGenerator<Buffer>
  fetch(file: JobFile, signal: AbortSignal): Promise<Buffer>
  cancel(signal: AbortSignal): Promise<JobReport>
  remove(signal: AbortSignal): Promise<void>
}

export interface JobClientPorts {
  readonly clock: Clock
  readonly resolve: Resolve
}

const file_ms = 300_000

export function jobClient(
  executor: ExecutorRecord,
  { job_id, request_sha256 }: { readonly job_id: string; readonly request_sha256: string },
  { clock, resolve }: JobClientPorts,
): JobClient {
  async function connected(signal: AbortSignal) {
    const parsed = executorAddress(executor.executor_url)
    if (!parsed.ok) throw new ExecutorFailure('address_forbidden', `the address ${parsed.why}`)
    return { address: parsed.address, socket: await openConnection(parsed.address, executor.certificate_sha256, resolve, signal) }
  }

  function ask(request: ExecutorRequest, signal: AbortSignal, limit_ms?: number): Promise<JobReport> {
    const work = async (within: AbortSignal) => {
      const { address, socket } = await connected(within)
      return await exchange(socket, address, executor.token, request, within)
    }
    return withinLimit(clock, signal, work, limit_ms).then(({ status, body }) => reportIn(status, body))
  }

  function reportIn(status: number, body: string): JobReport {
    const value = parsed(body)
    if (status !== 200) throw refusalIn(status, value)
    if (!Check(JobReportSchema, value)) throw malformed('its report of the job does not match the protocol')
    if (value.job_id !== job_id || value.request_sha256 !== request_sha256)
      throw malformed('it reports another job than the one it was asked for')
    return value
  }

  function refusalIn(status: number, value: unknown): Error {
    if (Check(JobProblem, value) && value.job_id === job_id) return new JobRefused(value.code, value.message)
    const problem = statusProblem(status, 'the job')
    return new ExecutorFailure(problem?.reason ?? 'malformed_response', problem?.message ?? 'it refused the request')
  }

  async function* stream(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    const { address, socket } = await withinLimit(clock, signal, connected)
    const { status, body, chunks } = await streamed(
      socket,
      address,
      executor.token,
      { method: 'GET', path },
      { signal, clock, quiet_ms: 3 * jobLimits.quiet_ms },
    )
    if (chunks === null) throw refusalIn(status, parsed(body))
    yield* chunks
  }

  return {
    start: (request, signal) => ask({ method: 'PUT', path: jobPath(job_id), body: JSON.stringify(request) }, signal),
    state: (signal) => ask({ method: 'GET', path: jobPath(job_id) }, signal),
    send: (path, content, signal) => ask({ method: 'PUT', path: jobFilePath(job_id, path), body: content }, signal, file_ms),
    output: (from, signal) => stream(jobPath(job_id, `/output?from=${from}`), signal),
    async fetch({ path, bytes, sha256 }, signal) {
      const parts: Buffer[] = []
      let size = 0
      for await (const chunk of stream(jobFilePath(job_id, path), signal)) {
        size += chunk.length
        if (size > bytes) throw malformed('a file of the job is longer than it reported')
        parts.push(chunk)
      }
      const content = Buffer.concat(parts)
      if (size !== bytes || createHash('sha256').update(content).digest('hex') !== sha256)
        throw malformed('a file of the job is not the one that it reported')
      return content
    },
    cancel: (signal) => ask({ method: 'POST', path: jobPath(job_id, '/cancel') }, signal),
    async remove(signal) {
      await ask({ method: 'DELETE', path: jobPath(job_id) }, signal)
    },
  }
}

function malformed(message: string): ExecutorFailure {
  return new ExecutorFailure('malformed_response', message)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // Not JSON: it matches no schema.
    return undefined
  }
}
