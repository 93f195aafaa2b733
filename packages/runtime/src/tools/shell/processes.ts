// The processes that this runtime started, by run. Tools cannot read or end any others.

import type { OutputPage, ProcessFacts } from '@tandem/contract/tool/output'
import type { CommandExit, RunningCommand } from '../../call/commands.ts'
import type { ToolContext } from '../../call/context.ts'
import type { Clock } from '../../clock/clock.ts'
import { timestamp } from '../../clock/clock.ts'
import type { NewId } from '../../clock/id.ts'
import { markedOutput } from '../../sandbox/command/marked-output.ts'
import type { SpooledText } from '../../store/spool.ts'
import { recentOutput } from './recent-output.ts'

export interface ProcessSpec {
  readonly argv: readonly string[]
  /** As it is displayed. */
  readonly command: string
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly background: boolean
  readonly signal: AbortSignal
  onText?(chunk: Uint8Array): void
}

export interface EndedProcess {
  readonly facts: ProcessFacts
  readonly exit: CommandExit
  readonly output: SpooledText
}

export interface Process {
  readonly facts: ProcessFacts
  /** The call that started it. */
  readonly call_id: string
  readonly ended: Promise<EndedProcess>
  read(since: number): OutputPage
  pids(): readonly number[]
  kill(): Promise<void>
}

export interface Processes {
  start(context: ToolContext, spec: ProcessSpec): Promise<Process>
  /** The processes of one run, oldest first. */
  of(run_id: string): readonly Process[]
  /** By its id, or by the pid of any process in its tree. */
  find(run_id: string, wanted: { readonly process_id?: string | undefined; readonly pid?: number | undefined }): Process | null
  /** The background process that a call started and that is still running. */
  runningFor(call_id: string): Process | null
  /** A command that a run started in the background and that is still running; null if there is none. */
  backgroundOf(run_id: string): string | null
  /** The first pid of a process of any run; 0 if there is none. */
  pidOf(process_id: string): number
  readonly newId: NewId
  /** Ends and removes all processes of a run. */
  endRun(run_id: string): Promise<void>
  stop(): Promise<void>
}

/** Ended processes can be read until the run ends, up to this number. */
const keptEnded = 50

export function openProcesses({ clock, newId }: { readonly clock: Clock; readonly newId: NewId }): Processes {
  const runs = new Map<string, Map<string, Process>>()

  function remember(run_id: string, id: string, process: Process): void {
    const known = runs.get(run_id) ?? new Map<string, Process>()
    runs.set(run_id, known.set(id, process))
    const ended = [...known].filter(([, { facts }]) => facts.state === 'ended')
    for (const [old] of ended.slice(0, Math.max(0, ended.length - keptEnded))) known.delete(old)
  }

  async function endRun(run_id: string): Promise<void> {
    const known = [...(runs.get(run_id)?.values() ?? [])]
    await Promise.all(known.map((one) => one.kill()))
    await Promise.all(known.map((one) => one.ended))
    runs.delete(run_id)
  }

  return {
    async start(context, spec) {
      const id = newId()
      const process = await follow(context, spec, id, clock)
      remember(context.ids.run_id, id, process)
      // The call reports a foreground command; only background commands are kept.
      if (!spec.background) void process.ended.finally(() => runs.get(context.ids.run_id)?.delete(id))
      return process
    },
    of: (run_id) => [...(runs.get(run_id)?.values() ?? [])],
    find(run_id, { process_id, pid }) {
      const known = runs.get(run_id)
      if (process_id !== undefined) return known?.get(process_id) ?? null
      if (pid === undefined) return null
      return (
        [...(known?.values() ?? [])].find((one) => one.facts.state === 'running' && (one.facts.pid === pid || one.pids().includes(pid))) ??
        null
      )
    },
    runningFor(call_id) {
      const all = [...runs.values()].flatMap((known) => [...known.values()])
      return all.find((one) => one.call_id === call_id && one.facts.background && one.facts.state === 'running') ?? null
    },
    backgroundOf(run_id) {
      const all = [...(runs.get(run_id)?.values() ?? [])]
      return all.find(({ facts }) => facts.background && facts.state === 'running')?.facts.command ?? null
    },
    pidOf: (process_id) => [...runs.values()].flatMap((known) => known.get(process_id)?.facts.pid ?? [])[0] ?? 0,
    newId,
    endRun,
    async stop() {
      await Promise.all([...runs.keys()].map(endRun))
    },
  }
}

async function follow(context: ToolContext, spec: ProcessSpec, process_id: string, clock: Clock): Promise<Process> {
  const spool = context.spool(`${process_id}.txt`)
  const recent = recentOutput()
  const marked = markedOutput((chunk) => {
    spool.write(chunk)
    recent.add(chunk)
    spec.onText?.(chunk)
  })
  const begun = clock.elapsed()
  const started_at = timestamp(clock.now())
  let exit: CommandExit | null = null
  let took = 0
  let command: RunningCommand
  try {
    command = await context.commands.start(
      {
        argv: spec.argv,
        cwd: spec.cwd,
        stdin: '',
        ...(spec.env ? { env: spec.env } : {}),
        onOutput: (chunk, stream) => marked.take(chunk, stream),
      },
      spec.signal,
    )
  } catch (error) {
    spool.discard()
    throw error
  }

  const factsNow = (): ProcessFacts => ({
    process_id,
    pid: command.pid,
    command: spec.command,
    cwd: spec.cwd,
    background: spec.background,
    state: exit ? 'ended' : 'running',
    started_at,
    duration_ms: exit ? took : Math.round(clock.elapsed() - begun),
    bytes: recent.bytes,
    exit_code: exit?.code ?? null,
    signal: exit?.signal ?? null,
    timed_out: exit?.timed_out ?? false,
  })

  const ended = command.done.then((result): EndedProcess => {
    marked.end()
    took = Math.round(clock.elapsed() - begun)
    exit = result
    return { facts: factsNow(), exit: result, output: spool.end() }
  })

  return {
    get facts() {
      return factsNow()
    },
    call_id: context.ids.call_id,
    ended,
    read: (since) => recent.read(since),
    pids: () => command.pids(),
    kill: () => command.kill(),
  }
}
