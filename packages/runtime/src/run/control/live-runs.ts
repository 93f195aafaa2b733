// The runs that this process executes, and which ones may be changed here and now.
import type { Checkpoints } from '../../checkpoint/checkpoints.ts'
import { type Outcome, rejection } from '../../feature/outcome.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import { type ActiveRun, openActiveRun } from '../active-run.ts'
import { runLoop } from '../loop.ts'
import { openOnOtherDevice, runOfOtherDevice } from '../other-device.ts'
import type { LoopPorts } from '../ports.ts'
import type { Rejections } from '../rejections.ts'
import { createStopSignals, type StopSignals } from '../stops.ts'
import { offeredTools } from '../turn/offered-tools.ts'

export interface LiveRun {
  readonly stops: StopSignals
  readonly activeRun: ActiveRun
  readonly done: Promise<void>
}

export interface LiveRuns {
  /** Executes a run until it is paused or ends. `opened`: if its steps were read already. */
  go(run_id: string, opened?: ActiveRun): void
  get(run_id: string): LiveRun | undefined
  has(run_id: string): boolean
  isActive(): boolean
  activeRunOf(run: RunRecord): ActiveRun
  /** A run that must exist. */
  known(run_id: string): RunRecord
  /** A run without a loop is not running, whatever its record says: a full disk may have prevented writing its end. */
  found(run_id: string): RunRecord | undefined
  /** A run that can be changed here and now. */
  guard(run_id: string): Outcome<RunRecord>
  /** One run at a time: two would write the same conversation and the same files. */
  openRunOf(conversation: number, except?: string): RunRecord | undefined
  busy(open: RunRecord): Outcome<never>
  isRestoring(run_id: string): boolean
  /** Nothing resumes the run until the work has ended. */
  whileRestoring<Value>(run_id: string, work: Promise<Value>): Promise<Value>
  /** A process for one command continues only the runs that it has started or resumed. */
  isContinuedHere(run_id: string): boolean
  isStopping(): boolean
  /** Pauses running runs, and waits for that. */
  stop(): Promise<void>
}

export interface ControlPorts {
  readonly ports: LoopPorts
  /** The checkpoints themselves; `ports.checkpoints` is how the loop takes them. */
  readonly kept: Checkpoints
  readonly live: LiveRuns
  readonly rejections: Rejections
}

export function openLiveRuns(ports: LoopPorts): LiveRuns {
  const { store, journal } = ports
  const nameOf = (device_id: string) => ports.deviceName?.(device_id) ?? null
  const going = new Map<string, LiveRun>()
  const restoring = new Map<string, Promise<unknown>>()
  /** The runs that were started or resumed in this process. */
  const own = new Set<string>()
  let stopping = false

  function go(run_id: string, opened?: ActiveRun): void {
    own.add(run_id)
    const stops = createStopSignals()
    let activeRun: ActiveRun
    try {
      activeRun = opened ?? activeRunOf(known(run_id))
    } catch (error) {
      interrupted(run_id, error)
      return
    }
    const done = runLoop(ports, activeRun, stops)
      .catch((error: unknown) => interrupted(run_id, error))
      .finally(() => going.delete(run_id))
    going.set(run_id, { stops, activeRun, done })
    // It was started by what another run did before it stopped.
    if (stopping) stops.stop('shutdown', null)
  }

  function known(run_id: string): RunRecord {
    const run = journal.run(run_id)
    if (!run) throw new Error(`there is no run ${run_id}`)
    return run
  }

  function interrupted(run_id: string, error: unknown): void {
    ports.log(`run ${run_id} was interrupted: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }

  function activeRunOf(run: RunRecord): ActiveRun {
    let wire: ((tool: string) => string) | null = null
    function wireName(tool: string): string {
      // A workflow has no model that tools are offered to.
      if (run.workflow_run_id !== null) return tool
      wire ??= offeredTools(ports, run).wire
      return wire(tool)
    }
    return openActiveRun(ports, run.run_id, wireName)
  }

  function found(run_id: string): RunRecord | undefined {
    const run = journal.run(run_id)
    if (run?.state !== 'running' || going.has(run_id) || run.device_id !== store.device_id) return run
    journal.append(run_id, { kind: 'run.paused', reason: 'crash' })
    return journal.run(run_id)
  }

  return {
    go,
    get: (run_id) => going.get(run_id),
    has: (run_id) => going.has(run_id),
    isActive: () => going.size > 0,
    activeRunOf,
    known,
    found,
    guard(run_id) {
      const run = found(run_id)
      if (!run) return rejection('not_found', `there is no run ${run_id}`)
      if (run.device_id !== store.device_id) return runOfOtherDevice(run, nameOf)
      return restoring.has(run_id) ? rejection('run_busy', `run ${run_id} is being restored`) : { ok: true, value: run }
    },
    openRunOf: (conversation, except) =>
      journal.runsOf(conversation).find(({ run_id, state }) => run_id !== except && (state === 'running' || state === 'paused')),
    busy(open) {
      if (open.device_id !== store.device_id) return openOnOtherDevice(open, nameOf)
      return rejection('run_busy', `run ${open.run_id} of this conversation is ${open.state}: stop it first`)
    },
    isRestoring: (run_id) => restoring.has(run_id),
    async whileRestoring(run_id, work) {
      restoring.set(run_id, work)
      try {
        return await work
      } finally {
        restoring.delete(run_id)
      }
    },
    isContinuedHere: (run_id) => ports.isResident || own.has(run_id),
    isStopping: () => stopping,
    async stop() {
      stopping = true
      for (const { stops } of going.values()) stops.stop('shutdown', null)
      while (going.size > 0) await Promise.all([...going.values()].map(({ done }) => done))
      await Promise.allSettled(restoring.values())
    },
  }
}
