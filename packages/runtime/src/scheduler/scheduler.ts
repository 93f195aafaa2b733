// Periodic jobs. Features register them; the scheduler does not know what they do.
import type { Clock } from '../clock/clock.ts'

export interface Job {
  readonly name: string
  readonly every_ms: number
  /** The delay before the first run; one interval if absent. */
  readonly first_ms?: number
  run(signal: AbortSignal): Promise<void> | void
}

export interface Scheduler {
  /** A job that takes longer than its interval delays its next run. */
  add(job: Job): void
  /** Runs a job now, outside its schedule. */
  runNow(name: string): Promise<void>
  /** Resolves when the running jobs have ended. */
  stop(): Promise<void>
}

export function openScheduler(clock: Clock, onError: (job: string, error: unknown) => void): Scheduler {
  const stopping = new AbortController()
  const jobs = new Map<string, { job: Job; cancel: () => void; round: Promise<void> | null }>()

  function round(name: string): Promise<void> {
    const entry = jobs.get(name)
    if (!entry) throw new Error(`there is no job ${name}`)
    entry.round ??= Promise.resolve()
      .then(() => entry.job.run(stopping.signal))
      .catch((error: unknown) => onError(name, error))
      .finally(() => {
        entry.round = null
      })
    return entry.round
  }

  function schedule(name: string, after_ms?: number): void {
    const entry = jobs.get(name)
    if (!entry || stopping.signal.aborted) return
    entry.cancel = clock.after(after_ms ?? entry.job.every_ms, () => void round(name).then(() => schedule(name)))
  }

  return {
    add(job) {
      if (jobs.has(job.name)) throw new Error(`two jobs have the name ${job.name}`)
      jobs.set(job.name, { job, cancel: () => undefined, round: null })
      schedule(job.name, job.first_ms)
    },
    runNow: (name) => round(name),
    async stop() {
      stopping.abort()
      for (const { cancel } of jobs.values()) cancel()
      await Promise.all([...jobs.values()].map((entry) => entry.round))
    },
  }
}
