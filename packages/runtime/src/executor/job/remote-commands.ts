// Commands on executors: each is one job, which is started once, followed through lost connections, and found again after a crash.
import { createHash } from 'node:crypto'
import {
  isJobOver,
  type JobReport,
  type JobRequest,
  jobCapabilities,
  jobLimits,
  type ListedExecutor,
  negotiationFailures,
} from '@tandem/contract/executor'
import { canonicalJson } from '@tandem/contract/sync'
import { visibleText } from '@tandem/contract/text'
import { ToolFailure } from '../../call/failure.ts'
import type { RemoteCommand, RemoteCommands, RemoteEnd, RemoteGrant, RemoteLife } from '../../call/remote.ts'
import { type Clock, sleep } from '../../clock/clock.ts'
import type { Resolve } from '../../sandbox/network/resolve.ts'
import { ExecutorFailure } from '../connection.ts'
import type { ExecutorRecord, ExecutorRecords } from '../executor-records.ts'
import { type JobClient, JobRefused, jobClient } from './job-client.ts'
import type { JobRow, JobRows } from './job-rows.ts'

export interface RemoteCommandPorts {
  readonly clock: Clock
  readonly resolve: Resolve
  readonly records: ExecutorRecords
  readonly rows: JobRows
  listed(executor: ExecutorRecord): ListedExecutor
  log(line: string): void
}

export interface OpenRemoteCommands extends RemoteCommands {
  /** The run has ended: its jobs are canceled. */
  endRun(run_id: string): Promise<void>
  stop(): Promise<void>
}

/** How long a lost connection is retried. The job goes on meanwhile. */
const patience = { start_ms: 20_000, follow_ms: 300_000, shortest_ms: 200, longest_ms: 5_000 } as const
/** Within the time that a canceled call has. */
const cancel_ms = 4_000

export function openRemoteCommands({ clock, resolve, records, rows, listed, log }: RemoteCommandPorts): OpenRemoteCommands {
  const ending = new AbortController()
  const leaving = new Set<Promise<void>>()
  const clientOf = (executor: ExecutorRecord, job: JobRow) => jobClient(executor, job, { clock, resolve })

  function grantOf(agent_id: string, name: string): RemoteGrant {
    const executor = records.named(name)
    if (!executor)
      return {
        ok: false,
        reason_code: 'executor_unknown',
        message: `there is no remote executor ${visibleText(name)} on this device`,
        remedy: `The user can add it with tandem executors add. Available: ${
          records
            .list()
            .map((one) => one.name)
            .join(', ') || 'none'
        }.`,
      }
    if (!records.isGranted(executor.executor_id, agent_id))
      return {
        ok: false,
        reason_code: 'executor_not_granted',
        message: `this agent may not use the remote executor ${executor.name}`,
        remedy: `The user can allow it on this device in the settings, or with tandem executors grant "${executor.name}" --agent AGENT.`,
      }
    const { negotiation } = listed(executor)
    const offers = negotiation?.outcome === 'negotiated' ? negotiation.capabilities.map((one) => one.name) : null
    if (offers && !offers.includes(jobCapabilities.run))
      return {
        ok: false,
        reason_code: 'executor_runs_nothing',
        message: `the remote executor ${executor.name} runs no commands`,
        remedy: 'Its owner can install a sandbox there and update it; tandem executors test shows what it offers.',
      }
    const { name: known, executor_url, certificate_sha256 } = executor
    const sandbox = offers && (offers.includes(jobCapabilities.sandboxed) ? 'os' : 'none')
    return { ok: true, machine: { name: known, executor_url, certificate_sha256, sandbox } }
  }

  /** The result is stored: what is left there is deleted soon, or after a day. */
  function leave(client: JobClient, job: JobRow): void {
    const left = client
      .remove(ending.signal)
      .catch((error: unknown) => {
        if (!ending.signal.aborted) log(`job ${job.job_id} was not deleted on its executor: ${messageOf(error)}`)
      })
      .finally(() => leaving.delete(left))
    leaving.add(left)
  }

  async function cancel(client: JobClient): Promise<JobReport | null> {
    try {
      return await client.cancel(AbortSignal.any([AbortSignal.timeout(cancel_ms), ending.signal]))
    } catch (error) {
      log(`a job could not be canceled on its executor: ${messageOf(error)}`)
      return null
    }
  }

  return {
    grantOf,
    identityOf(name) {
      const executor = records.named(name)
      return executor ? [executor.executor_id, executor.executor_url, executor.certificate_sha256].join(' ') : ''
    },
    isOpen: (call_id) => rows.open(call_id) !== undefined,
    async run(ids, command, life) {
      const grant = grantOf(ids.agent_id, command.executor)
      if (!grant.ok)
        throw new ToolFailure(grant.reason_code, grant.message, { subject: command.executor, remedy: grant.remedy, blocked_by: 'policy' })
      const before = rows.open(ids.call_id)
      const executor = before ? records.get(before.executor_id) : records.named(command.executor)
      if (!executor) throw unknownJob(command.executor, 'its executor was removed')
      const { call_id, run_id } = ids
      const request = requestOf(command)
      const job = before ?? rows.begin({ call_id, run_id, executor_id: executor.executor_id, request_sha256: digestOf(request) })
      const client = clientOf(executor, job)
      const settle = () => rows.settle(job.job_id)
      try {
        const report = await followed(client, before ? null : request, { ...life, clock })
        const end: RemoteEnd = {
          report,
          async fetch(file) {
            try {
              return await retried(() => client.fetch(file, life.signal), patience.follow_ms, { ...life, clock })
            } catch (error) {
              throw failureOf(executor.name, error)
            }
          },
          settle() {
            settle()
            // After the transaction.
            setImmediate(() => leave(client, job))
          },
        }
        return end
      } catch (error) {
        if (life.signal.aborted) {
          const report = await cancel(client)
          if (report === null) throw error
          settle()
          if (isTimeout(life.signal) && isJobOver(report.state))
            return {
              report: { ...report, state: 'ended', timed_out: true },
              fetch: () => Promise.reject(error),
              settle: () => leave(client, job),
            }
          leave(client, job)
          throw error
        }
        settle()
        throw failureOf(executor.name, error)
      }
    },
    async endRun(run_id) {
      for (const job of rows.openOfRun(run_id)) {
        const executor = records.get(job.executor_id)
        if (executor) await cancel(clientOf(executor, job))
        rows.settle(job.job_id)
      }
    },
    async stop() {
      await Promise.race([Promise.allSettled([...leaving]), sleep(clock, cancel_ms)])
      ending.abort(new Error('the runtime is stopping'))
      await Promise.allSettled([...leaving])
    },
  }
}

interface Following extends RemoteLife {
  readonly clock: Clock
}

/** `request` is null if the job was started before. */
async function followed(client: JobClient, request: JobRequest | null, life: Following): Promise<JobReport> {
  const { signal, onOutput, clock } = life
  // A second start returns the state of the first, so it can be repeated.
  let report = await retried(() => (request ? client.start(request, signal) : client.state(signal)), patience.start_ms, life)
  for (const path of report.state === 'receiving' ? report.missing_files : []) {
    const content = await life.content(path)
    report = await retried(() => client.send(path, content, signal), patience.follow_ms, life)
  }
  let received = 0
  for (let idle = 0; ; ) {
    const from = received
    const began = clock.elapsed()
    await retried(
      async () => {
        for await (const chunk of client.output(received, signal)) {
          received += chunk.length
          if (received > jobLimits.output_bytes)
            throw new ExecutorFailure('malformed_response', `it sends more than ${jobLimits.output_bytes} bytes of output`)
          onOutput(chunk)
        }
      },
      patience.follow_ms,
      life,
      () => received,
    )
    report = await retried(() => client.state(signal), patience.follow_ms, life)
    if (isJobOver(report.state)) {
      if (received > report.output_bytes) throw new ExecutorFailure('malformed_response', 'it sent more output than it reports')
      if (received === report.output_bytes) return report
    }
    idle = received > from ? 0 : idle + 1
    if (isJobOver(report.state) && idle >= mostIdle)
      throw new ExecutorFailure('malformed_response', 'it does not send the output that it reports')
    // An executor that ends the stream at once must not keep this device busy.
    if (received === from && clock.elapsed() - began < pause_ms) await sleep(clock, pause_ms, signal)
  }
}

const mostIdle = 3
const pause_ms = 100

/** Repeats what failed because of the connection, until it succeeds or nothing succeeded for the given time. */
async function retried<Result>(
  work: () => Promise<Result>,
  patience_ms: number,
  { signal, clock }: Following,
  progress: () => number = () => 0,
): Promise<Result> {
  let since = clock.elapsed()
  let last = progress()
  for (let delay: number = patience.shortest_ms; ; delay = Math.min(2 * delay, patience.longest_ms)) {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if (progress() !== last) {
        last = progress()
        since = clock.elapsed()
        delay = patience.shortest_ms
      }
      const canRetry = error instanceof ExecutorFailure && negotiationFailures[error.reason].recoverability === 'retryable'
      if (!canRetry || clock.elapsed() - since > patience_ms) throw error
      await sleep(clock, delay, signal)
    }
  }
}

function requestOf({ programs, source, args, timeout_seconds, send_files, fetch_files }: RemoteCommand): JobRequest {
  return {
    ...{ programs: [...programs], source: source && { ...source }, args: [...args], timeout_seconds },
    ...{ send_files: send_files.map((file) => ({ ...file })), fetch_files: [...fetch_files] },
  }
}

function digestOf(request: JobRequest): string {
  return createHash('sha256').update(canonicalJson(request)).digest('hex')
}

const timeouts: readonly string[] = ['TimeoutError', 'DeadlineError']

function isTimeout(signal: AbortSignal): boolean {
  return signal.reason instanceof Error && timeouts.includes(signal.reason.name)
}

function unknownJob(executor: string, why: string): ToolFailure {
  return new ToolFailure('job_unknown', `it is not known whether the command ran on ${executor}: ${why}`, {
    subject: executor,
    remedy: 'Check its effects before you run it again.',
  })
}

/** Texts of an executor are untrusted. */
function failureOf(executor: string, error: unknown): unknown {
  if (error instanceof JobRefused) {
    if (error.code === 'unknown_job') return unknownJob(executor, 'the executor does not know the job')
    const remedy = error.code === 'too_many_jobs' ? 'Try again later.' : 'Read the message and the log of the executor.'
    return new ToolFailure(`job_${error.code}`, `${executor} refused the command: ${visibleText(error.message)}`, {
      subject: executor,
      remedy,
    })
  }
  if (!(error instanceof ExecutorFailure)) return error
  const { title, remedy, recoverability } = negotiationFailures[error.reason]
  return new ToolFailure(
    `executor_${error.reason}`,
    `${executor}: ${title}: ${visibleText(error.message)}. The command may have started there.`,
    {
      ...{ subject: executor, remedy, recoverability },
    },
  )
}

function messageOf(error: unknown): string {
  return visibleText(error instanceof Error ? error.message : String(error)).slice(0, 300)
}
