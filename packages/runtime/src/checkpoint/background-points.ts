// Recovery points of background commands: open after the call has returned, closed when the last process has ended. A runtime that finds
// open points when it starts follows their processes, or closes the points if the processes are gone.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../clock/clock.ts'
import type { Checkpoints, ClosedPoint, OpenPoint } from './checkpoints.ts'
import type { CheckpointFailure } from './failure.ts'
import type { ProcessIdentity } from './process-identity.ts'

/** A background command of this runtime. */
export interface BackgroundProcess {
  /** Resolves when it has ended, with all child processes that are known. */
  readonly ended: Promise<unknown>
  /** Its running processes. */
  pids(): readonly number[]
  kill(): Promise<void>
}

export interface BackgroundPoints {
  /** The call has returned: the current state is recorded, and the point stays open until the process ends. */
  follow(checkpoint_id: string, process: BackgroundProcess): Promise<CheckpointFailure | null>
  /** At start: handles points that an earlier runtime left open. Resolves when those whose processes are gone are closed. */
  resume(): Promise<void>
  /** Ends the background commands of these points, if this runtime started them, and closes the points. */
  end(checkpoint_ids: readonly string[]): Promise<void>
  /** Resolves when no point is being closed. The next start follows what is still running. */
  stop(): Promise<void>
}

export interface BackgroundPointPorts {
  readonly checkpoints: Pick<Checkpoints, 'leaveOpen' | 'setProcesses' | 'closePoint' | 'openPoints'>
  readonly clock: Clock
  /** When a process started; null if it does not exist. */
  startOf(pid: number): string | null
  /** Called in the transaction that closes a point. */
  closed(point: ClosedPoint): void
  /** The point stays open, and the next start tries again. */
  failed(point: Pick<OpenPoint, 'checkpoint_id' | 'run_id'>, failure: CheckpointFailure): void
  log(line: string): void
}

interface Followed {
  process: BackgroundProcess | null
  /** This runtime started it and has seen it end. */
  hasEnded: boolean
  identities: readonly ProcessIdentity[]
}

/** A process that leaves its parent is only known if it was seen before, so processes are listed this often. */
const every_ms = 1_000

/** How long to wait for a killed process to disappear; a process that still exists then has left its parent on purpose. */
const clearing_ms = 1_000

export function openBackgroundPoints({ checkpoints, clock, startOf, closed, failed, log }: BackgroundPointPorts): BackgroundPoints {
  const followed = new Map<string, Followed>()
  const closing = new Map<string, Promise<void>>()
  let cancel: (() => void) | null = null
  let stopped = false

  function identify(pids: readonly number[]): ProcessIdentity[] {
    return pids.flatMap((pid) => {
      const started = startOf(pid)
      return started === null ? [] : [{ pid, started }]
    })
  }

  const living = (identities: readonly ProcessIdentity[]) => identities.filter(({ pid, started }) => startOf(pid) === started)

  function close(checkpoint_id: string, seen: 'yes' | 'late'): Promise<void> {
    followed.delete(checkpoint_id)
    const work = closing.get(checkpoint_id) ?? closeOne(checkpoint_id, seen).finally(() => closing.delete(checkpoint_id))
    closing.set(checkpoint_id, work)
    return work
  }

  async function closeOne(checkpoint_id: string, seen: 'yes' | 'late'): Promise<void> {
    try {
      const failure = await checkpoints.closePoint(checkpoint_id, seen, closed)
      const point = checkpoints.openPoints().find((one) => one.checkpoint_id === checkpoint_id)
      if (failure && point) failed(point, failure)
    } catch (error) {
      log(`checkpoint ${checkpoint_id} could not be closed: ${String(error)}`)
    }
  }

  function look(checkpoint_id: string, one: Followed): void {
    const known = living(one.identities)
    if (!one.process) {
      if (known.length === 0) void close(checkpoint_id, 'yes')
      return
    }
    const isKnown = ({ pid, started }: ProcessIdentity) => known.some((other) => other.pid === pid && other.started === started)
    const fresh = identify(one.process.pids()).filter((identity) => !isKnown(identity))
    if (fresh.length === 0) return
    one.identities = [...known, ...fresh]
    checkpoints.setProcesses(checkpoint_id, one.identities)
  }

  function lookAgain(): void {
    cancel = null
    for (const [checkpoint_id, one] of [...followed]) look(checkpoint_id, one)
    wait()
  }

  /** A command may be reported as ended before the system has removed the last of its processes. */
  async function waitForEnd(checkpoint_id: string, one: Followed): Promise<void> {
    const begun = clock.elapsed()
    // A pending timer would not keep the program alive.
    while (living(one.identities).length > 0 && clock.elapsed() - begun < clearing_ms) await setImmediate()
    if (followed.has(checkpoint_id)) look(checkpoint_id, one)
  }

  function wait(): void {
    if (!stopped && followed.size > 0) cancel ??= clock.after(every_ms, lookAgain)
  }

  return {
    async follow(checkpoint_id, process) {
      const identities = identify(process.pids())
      const failure = await checkpoints.leaveOpen(checkpoint_id, identities)
      if (failure) return failure
      const one: Followed = { process, hasEnded: false, identities }
      followed.set(checkpoint_id, one)
      void process.ended.then(() => {
        one.process = null
        one.hasEnded = true
        if (followed.has(checkpoint_id)) look(checkpoint_id, one)
      })
      wait()
      return null
    },
    async resume() {
      await Promise.all(
        checkpoints.openPoints().map(async ({ checkpoint_id, processes }) => {
          if (followed.has(checkpoint_id)) return
          const identities = living(processes)
          if (identities.length === 0) return await close(checkpoint_id, 'late')
          followed.set(checkpoint_id, { process: null, hasEnded: false, identities })
        }),
      )
      wait()
    },
    async end(checkpoint_ids) {
      await Promise.all(
        checkpoint_ids.map(async (checkpoint_id) => {
          const one = followed.get(checkpoint_id)
          const process = one?.process
          await process?.kill()
          await process?.ended
          if (one?.hasEnded) await waitForEnd(checkpoint_id, one)
          await closing.get(checkpoint_id)
        }),
      )
    },
    async stop() {
      stopped = true
      cancel?.()
      await Promise.all([...followed].filter(([, { hasEnded }]) => hasEnded).map(([id, one]) => waitForEnd(id, one)))
      await Promise.all(closing.values())
    },
  }
}
