// Work that comes round by itself. Features hand in their jobs; nothing here knows what they do.
import type { Clock } from '../clock/clock.ts'

export interface Job {
  readonly name: string
  readonly every_ms: number
  /** When the first round comes; after one interval when absent. */
  readonly first_ms?: number
  run(signal: AbortSignal): Promise<void> | void
}

export interface Scheduler {
  /** A round that outlasts its interval delays the next. */
  add(job: Job): void
  /** Runs a job now, outside its turn. */
  runNow(name: string): Promise<void>
  /** Ends when the rounds under way have ended. */
  stop(): Promise<void>
}

export function openScheduler(clock: Clock, onError: (job: string, error: unknown) => void): Scheduler {
  const stopping = new AbortController()
  const jobs = new Map<string, { job: Job; cancel: () => void; round: Promise<void> | null }>()

  function round(name: string): Promise<void> {
    const entry = jobs.get(name)
    if (!entry) throw new Error(`no job is called ${name}`)
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
      if (jobs.has(job.name)) throw new Error(`two jobs are called ${job.name}`)
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
