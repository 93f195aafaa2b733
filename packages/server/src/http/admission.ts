// More requests than a node can serve are refused at once, so that those it accepts are served as fast as ever.
import type { Route } from '@tandem/contract/http'
import { refuse } from './refusal.ts'

export interface Admission {
  /** Runs `work` when a place is free; refuses when too many wait already, or when waiting took too long. */
  admit<T>(route: Route, work: () => Promise<T>): Promise<T>
  readonly inFlight: number
  readonly waiting: number
  readonly shed: number
}

export interface AdmissionLimits {
  /** Requests worked on at once: a little more than the database has connections for us. */
  readonly places: number
  readonly queue: number
  readonly patience_ms: number
}

/** Probes and metrics tell how the node is: they never wait. */
const alwaysServed = new Set(['probe', 'socket'])

export function openAdmission(limits: AdmissionLimits): Admission {
  let inFlight = 0
  let shed = 0
  const queue: { start: () => void; since: number }[] = []

  function next(): void {
    const waiter = queue.shift()
    if (waiter) waiter.start()
    else inFlight -= 1
  }

  function refuseNow(): never {
    shed += 1
    throw refuse('overloaded', `${inFlight} requests are being served and ${queue.length} wait already`, { retry_after_seconds: 1 })
  }

  async function takePlace(): Promise<void> {
    if (inFlight < limits.places) {
      inFlight += 1
      return
    }
    if (queue.length >= limits.queue) refuseNow()
    const waited = Promise.withResolvers<void>()
    const waiter = { start: waited.resolve, since: performance.now() }
    queue.push(waiter)
    await waited.promise
    if (performance.now() - waiter.since > limits.patience_ms) {
      next()
      refuseNow()
    }
  }

  return {
    async admit(route, work) {
      if (alwaysServed.has(route.rate)) return await work()
      await takePlace()
      try {
        return await work()
      } finally {
        next()
      }
    },
    get inFlight() {
      return inFlight
    },
    get waiting() {
      return queue.length
    },
    get shed() {
      return shed
    },
  }
}
