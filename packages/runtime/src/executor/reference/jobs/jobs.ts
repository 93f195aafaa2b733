// The jobs of an executor: each is started at most once, whatever happens to the client, the connection or the executor.
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isJobOver, type JobProblemCode, type JobReport, type JobRequest, type JobTrigger, jobLimits } from '@tandem/contract/executor'
import type { CommandExit } from '../../../call/commands.ts'
import { type Clock, timestamp } from '../../../clock/clock.ts'
import { findProgram } from '../../../path/program.ts'
import { markedOutput } from '../../../sandbox/command/marked-output.ts'
import { describeFiles, folderBytes, hasFile, openJobFile, receiveFile } from './job-files.ts'
import { createOutput, type JobOutput, outputBytes, storedOutput } from './job-output.ts'
import { changedJob, type JobFolder, type JobRecord, jobFolder, makeJobFolder, readJobs, requestDigest, saveJob } from './job-record.ts'
import type { JobSandbox } from './job-sandbox.ts'

export type JobAnswer = { readonly ok: true; readonly report: JobReport } | JobRefusal

export interface JobRefusal {
  readonly ok: false
  readonly code: JobProblemCode
  readonly message: string
}

export interface Jobs {
  /** A second start with the same content returns the state of the first. */
  start(job_id: string, request: JobRequest): JobAnswer
  get(job_id: string): JobAnswer
  /** The job starts with the last file that it names. */
  receive(job_id: string, path: string, body: AsyncIterable<Buffer>): Promise<JobAnswer>
  output(job_id: string, from: number, signal: AbortSignal): { readonly ok: true; readonly stream: AsyncGenerator<Buffer> } | JobRefusal
  file(job_id: string, path: string): Promise<NonNullable<Awaited<ReturnType<typeof openJobFile>>> | JobRefusal>
  cancel(job_id: string): Promise<JobAnswer>
  remove(job_id: string): Promise<JobAnswer>
  running(): number
  stop(): Promise<void>
}

export interface JobsPorts {
  readonly clock: Clock
  /** One folder per job. */
  readonly folder: string
  readonly path: string
  readonly sandbox: JobSandbox
  readonly space: JobSpace
}

/** What jobs may occupy on the disk. */
export type JobSpace = Readonly<Record<'output_bytes' | 'disk_bytes', number>>

interface Job {
  record: JobRecord
  readonly folder: JobFolder
  output: JobOutput
  /** Of the command, while it runs. */
  readonly ending: AbortController
  done: Promise<void> | null
  /** What ends it, if not the command itself. */
  cause: { readonly trigger: JobTrigger; readonly message: string | null } | null
  /** What its folders occupied when they were last measured. */
  bytes: number
}

const measuredEvery_ms = 5_000
const sweptEvery_ms = 10 * 60_000

export function openJobs({ clock, folder, path, sandbox, space }: JobsPorts): Jobs {
  const jobs = new Map<string, Job>()
  let isStopping = false

  function known(record: JobRecord): Job {
    const files = jobFolder(folder, record.report.job_id)
    return {
      record,
      folder: files,
      output: storedOutput(files.output, clock),
      ending: new AbortController(),
      done: null,
      cause: null,
      bytes: 0,
    }
  }

  function change(job: Job, trigger: JobTrigger, report: Partial<JobReport>): void {
    const record = changedJob(job.record, trigger, report, clock.now())
    saveJob(job.folder, record)
    job.record = record
  }

  for (const record of readJobs(folder)) {
    const job = known(record)
    jobs.set(record.report.job_id, job)
    // Its processes were ended when the sandbox was opened. What it had done is not known, so it does not run again.
    if (record.report.state === 'running')
      change(job, 'lose', { message: 'The executor ended while the job was running.', output_bytes: outputBytes(job.folder.output) })
    void folderBytes(job.folder.root).then((bytes) => {
      job.bytes = bytes
    })
  }

  const running = () => [...jobs.values()].filter(({ record }) => record.report.state === 'running').length
  const used = () => [...jobs.values()].reduce((sum, { bytes, output }) => sum + Math.max(bytes, output.bytes), 0)

  function reportOf({ record, output }: Job): JobAnswer {
    const { report } = record
    return { ok: true, report: isJobOver(report.state) ? report : { ...report, output_bytes: output.bytes } }
  }

  function begin(job: Job): void {
    // On disk before anything runs: after a crash it counts as started.
    change(job, 'start', { missing_files: [], sandbox: sandbox.enforcement() })
    job.output = createOutput(job.folder.output, clock, space.output_bytes)
    job.done = run(job).catch((error: unknown) => {
      // Its end cannot be stored. The next start finds it running, and reports the same.
      const message = `Its end could not be stored: ${error instanceof Error ? error.message : String(error)}`.slice(0, 500)
      job.record = changedJob(job.record, 'lose', { message, output_bytes: job.output.bytes }, clock.now())
    })
    void job.done.finally(() => {
      job.done = null
    })
  }

  async function run(job: Job): Promise<void> {
    const { request } = job.record
    const began = clock.elapsed()
    let exit: CommandExit | null = null
    const stopMeasuring = measured(job)
    const cancelTimer = clock.after(request.timeout_seconds * 1_000, () =>
      job.ending.abort(new DOMException(`timed out after ${request.timeout_seconds} s`, 'TimeoutError')),
    )
    try {
      exit = await runCommand(job)
    } catch (error) {
      job.cause ??= { trigger: 'fail', message: error instanceof Error ? error.message : String(error) }
    }
    cancelTimer()
    stopMeasuring()
    job.output.close()
    job.bytes = await folderBytes(job.folder.root)
    const { trigger, message } = job.cause ?? { trigger: 'end', message: null }
    change(job, trigger, {
      message: message === null ? null : message.slice(0, 500) || 'The job failed.',
      // That of a command that was ended from outside says nothing about it.
      exit_code: trigger === 'end' ? (exit?.code ?? null) : null,
      signal: trigger === 'end' ? (exit?.signal ?? null) : null,
      timed_out: exit?.timed_out ?? false,
      violations: (exit?.violations ?? [])
        .slice(0, 100)
        .map(({ attempted, resource, blocked }) => ({ attempted, resource: resource.slice(0, 4_096), blocked })),
      duration_ms: Math.round(clock.elapsed() - began),
      output_bytes: job.output.bytes,
      files: await describeFiles(job.folder, request.fetch_files),
    })
  }

  async function runCommand(job: Job): Promise<CommandExit> {
    const { programs, source, args } = job.record.request
    const program = findProgram(programs, path)
    if (program === null) throw new Error(`${programs.join(' or ')} is not installed on the executor`)
    const script = source === null ? [] : [join(job.folder.temp, `script-${randomBytes(8).toString('hex')}.${source.extension}`)]
    for (const file of script) writeFileSync(file, source?.text ?? '', { flag: 'wx', mode: 0o600 })
    let isOver = false
    const marked = markedOutput((chunk) => {
      if (isOver || job.output.write(chunk)) return
      isOver = true
      job.ending.abort(new Error('too much output'))
    })
    const command = await sandbox.start(job.folder, job.record.report.job_id, {
      argv: [program, ...script, ...args],
      cwd: job.folder.work,
      stdin: '',
      onOutput(chunk, stream) {
        try {
          marked.take(chunk, stream)
        } catch (error) {
          fail(job, `its output cannot be stored: ${error instanceof Error ? error.message : String(error)}`)
        }
      },
      signal: job.ending.signal,
    })
    const exit = await command.done
    marked.end()
    const tooMuch = { attempted: 'execute', resource: `more than ${space.output_bytes} bytes of output`, blocked: true } as const
    return isOver ? { ...exit, violations: [...exit.violations, tooMuch] } : exit
  }

  function fail(job: Job, message: string): void {
    job.cause ??= { trigger: 'fail', message }
    job.ending.abort(new Error(message))
  }

  /** While it runs, so that a command that fills the disk is ended. */
  function measured(job: Job): () => void {
    let cancel: () => void = () => undefined
    const next = () => {
      cancel = clock.after(measuredEvery_ms, async () => {
        job.bytes = await folderBytes(job.folder.root)
        if (used() > space.disk_bytes) fail(job, `the jobs use more than ${space.disk_bytes} bytes on the disk of the executor`)
        else if (job.done !== null) next()
      })
    }
    next()
    return () => cancel()
  }

  async function remove(job: Job): Promise<void> {
    jobs.delete(job.record.report.job_id)
    // First what makes it a job: a crash in between leaves a folder that is deleted at the next start.
    rmSync(job.folder.record, { force: true })
    await rm(job.folder.root, { recursive: true, force: true })
  }

  /** What no one fetched. */
  async function sweep(): Promise<void> {
    for (const job of [...jobs.values()])
      if (job.record.report.state !== 'running' && clock.now() - job.record.changed_at > jobLimits.kept_ms) await remove(job)
  }

  let cancelSweep: () => void = () => undefined
  const sweepLater = () => {
    cancelSweep = clock.after(sweptEvery_ms, () => {
      sweepLater()
      void sweep()
    })
  }
  void sweep()
  sweepLater()

  const unknown = (job_id: string): JobRefusal => ({ ok: false, code: 'unknown_job', message: `there is no job ${job_id}` })

  return {
    start(job_id, request) {
      const request_sha256 = requestDigest(request)
      const before = jobs.get(job_id)
      if (before) {
        if (before.record.report.request_sha256 === request_sha256) return reportOf(before)
        return { ok: false, code: 'other_content', message: `job ${job_id} was already started with other content` }
      }
      const isFull = jobs.size >= jobLimits.stored || running() >= jobLimits.running
      if (isFull || isStopping) return { ok: false, code: 'too_many_jobs', message: 'the executor has too many jobs; try again later' }
      if (used() >= space.disk_bytes) return { ok: false, code: 'disk_full', message: 'the jobs use all of the disk space of the executor' }
      const report: JobReport = {
        ...{ job_id, request_sha256, state: 'receiving', exit_code: null, signal: null, timed_out: false, message: null },
        ...{ duration_ms: 0, output_bytes: 0, sandbox: sandbox.enforcement(), violations: [], files: [] },
        missing_files: request.send_files.map((file) => file.path),
        created_at: timestamp(clock.now()),
      }
      const job = known({ request, report, changed_at: clock.now() })
      makeJobFolder(job.folder)
      saveJob(job.folder, job.record)
      jobs.set(job_id, job)
      if (request.send_files.length === 0) begin(job)
      return reportOf(job)
    },
    get(job_id) {
      const job = jobs.get(job_id)
      return job ? reportOf(job) : unknown(job_id)
    },
    async receive(job_id, file, body) {
      const job = jobs.get(job_id)
      if (!job) return unknown(job_id)
      const declared = job.record.request.send_files.find((one) => one.path === file)
      if (!declared) return { ok: false, code: 'unknown_file', message: `job ${job_id} names no such file` }
      if (job.record.report.state !== 'receiving') return reportOf(job)
      if (!(await receiveFile(job.folder, declared, body)))
        return { ok: false, code: 'wrong_file', message: `a file of job ${job_id} is not the one that it names` }
      if (job.record.report.state !== 'receiving') return reportOf(job)
      const missing_files: string[] = []
      for (const { path: one } of job.record.request.send_files) if (!(await hasFile(job.folder, one))) missing_files.push(one)
      // Another request may have completed it meanwhile.
      if (job.record.report.state !== 'receiving') return reportOf(job)
      job.record = { ...job.record, report: { ...job.record.report, missing_files } }
      if (missing_files.length === 0) begin(job)
      return reportOf(job)
    },
    output(job_id, from, signal) {
      const job = jobs.get(job_id)
      if (!job) return unknown(job_id)
      if (job.record.report.state === 'receiving')
        return { ok: false, code: 'not_possible', message: `job ${job_id} has not started: files are missing` }
      if (from > job.output.bytes)
        return { ok: false, code: 'out_of_range', message: `job ${job_id} has ${job.output.bytes} bytes of output` }
      return { ok: true, stream: job.output.read(from, signal) }
    },
    async file(job_id, file) {
      const job = jobs.get(job_id)
      if (!job) return unknown(job_id)
      if (!isJobOver(job.record.report.state))
        return { ok: false, code: 'not_possible', message: `job ${job_id} has not ended: its files may still change` }
      const isNamed = job.record.request.fetch_files.includes(file)
      const opened = isNamed ? await openJobFile(job.folder, file) : null
      return opened ?? { ok: false, code: 'unknown_file', message: `job ${job_id} has no such file` }
    },
    async cancel(job_id) {
      const job = jobs.get(job_id)
      if (!job) return unknown(job_id)
      if (job.record.report.state === 'receiving') change(job, 'cancel', {})
      if (job.record.report.state === 'running') {
        job.cause ??= { trigger: 'cancel', message: null }
        job.ending.abort(new Error('the job was canceled'))
        await job.done
      }
      return reportOf(job)
    },
    async remove(job_id) {
      const job = jobs.get(job_id)
      if (!job) return unknown(job_id)
      if (!isJobOver(job.record.report.state))
        return { ok: false, code: 'not_possible', message: `job ${job_id} has not ended: cancel it first` }
      const last = reportOf(job)
      await remove(job)
      return last
    },
    running,
    async stop() {
      isStopping = true
      cancelSweep()
      const open = [...jobs.values()].filter(({ done }) => done !== null)
      for (const job of open) {
        job.cause ??= { trigger: 'lose', message: 'The executor was stopped.' }
        job.ending.abort(new Error('the executor was stopped'))
      }
      await Promise.all(open.map(({ done }) => done))
    },
  }
}
