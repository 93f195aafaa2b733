// More requests than a node can serve are refused immediately, so that accepted ones stay fast. No user can take everything:
// neither the slots, nor the open requests, including those whose bodies are still arriving, because they are held in memory.
import type { Route } from '@tandem/contract/http'
import { refuse } from '../refusal.ts'

export interface Admission {
  /** Refuses what would be refused anyway, before its body is read: reading it is most of the work. */
  demandRoom(route: Route, user: string | undefined): void
  /** Takes a slot if one is free; the returned function gives it back. */
  enterNow(user: string): (() => void) | undefined
  /** Runs `work` when a slot is free; refuses if the queue is full, or waiting took too long. */
  admit<T>(route: Route, user: string | undefined, work: () => Promise<T>): Promise<T>
  readonly inFlight: number
  readonly waiting: number
  readonly shed: number
}

export interface AdmissionLimits {
  /** Concurrent requests: fewer than the database connections for users, so that none of them waits for one. */
  readonly places: number
  /** Per user: their pushes wait for one row anyway, and hold a connection meanwhile. */
  readonly places_per_user: number
  readonly queue: number
  readonly queue_per_user: number
  /** A request that waited longer is refused when its turn comes. */
  readonly patience_ms: number
  /**
   * A queue is for bursts. If there was one for this long, without an equally long break, it is limited to the number of slots: a request
   * that joins it waits for about one turn, and one that cannot join is refused before its body is read.
   */
  readonly standing_ms: number
}

/** Probes and metrics report the state of the node: they never wait. Passwords have their own queue, before the hasher. */
const alwaysServed = new Set(['probe', 'socket', 'auth', 'login'])

interface Waiter {
  readonly user: string | undefined
  readonly since: number
  start(): void
}

export function openAdmission(limits: AdmissionLimits, now: () => number = () => performance.now()): Admission {
  const serving = new Map<string, number>()
  const queue: Waiter[] = []
  const line = { began: Number.NEGATIVE_INFINITY, ended: Number.NEGATIVE_INFINITY }
  let inFlight = 0
  let shed = 0

  const hasPlace = (user: string | undefined) =>
    inFlight < limits.places && (user === undefined || (serving.get(user) ?? 0) < limits.places_per_user)

  function enter(user: string | undefined): void {
    inFlight += 1
    if (user !== undefined) serving.set(user, (serving.get(user) ?? 0) + 1)
  }

  function leave(user: string | undefined): void {
    inFlight -= 1
    if (user !== undefined) {
      const left = (serving.get(user) ?? 1) - 1
      if (left === 0) serving.delete(user)
      else serving.set(user, left)
    }
    // The first in the queue that may run; those before it wait for a slot of their user.
    const next = queue.findIndex((waiter) => hasPlace(waiter.user))
    const [waiter] = next === -1 ? [] : queue.splice(next, 1)
    if (!waiter) return
    if (queue.length === 0) line.ended = now()
    enter(waiter.user)
    waiter.start()
  }

  function refuseNow(why: string): never {
    shed += 1
    throw refuse('overloaded', why, { retry_after_seconds: 1 })
  }

  /**
   * Whether there has been a queue for long; a moment without one, between two waves, is not a break. A request that waits for a slot of
   * its user while others are free does not count.
   */
  function stands(): boolean {
    return inFlight >= limits.places && queue.length > 0 && now() - line.began > limits.standing_ms
  }

  function joinLine(waiter: Waiter): void {
    if (queue.length === 0 && waiter.since - line.ended > limits.standing_ms) line.began = waiter.since
    queue.push(waiter)
  }

  function demandRoom(user: string | undefined): void {
    if (hasPlace(user)) return
    const longest = stands() ? Math.min(limits.places, limits.queue) : limits.queue
    if (queue.length >= longest) refuseNow(`${inFlight} requests are being served and ${queue.length} are already waiting`)
    if (user !== undefined && queue.filter((waiter) => waiter.user === user).length >= limits.queue_per_user) {
      refuseNow(`${limits.places_per_user} requests of this account are being served and ${limits.queue_per_user} are already waiting`)
    }
  }

  async function takePlace(user: string | undefined): Promise<void> {
    if (hasPlace(user)) return enter(user)
    demandRoom(user)
    const { promise, resolve } = Promise.withResolvers<void>()
    const since = now()
    joinLine({ user, since, start: resolve })
    await promise
    if (now() - since > limits.patience_ms) {
      leave(user)
      refuseNow('the request waited too long for its turn')
    }
  }

  return {
    demandRoom(route, user) {
      if (!alwaysServed.has(route.rate)) demandRoom(user)
    },
    enterNow(user) {
      if (!hasPlace(user)) return undefined
      enter(user)
      return () => leave(user)
    },
    async admit(route, user, work) {
      if (alwaysServed.has(route.rate)) return await work()
      await takePlace(user)
      try {
        return await work()
      } finally {
        leave(user)
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

export type OpenKind = 'requests' | 'model_calls'

/** A response, of which only the end matters here. */
interface Closes {
  once(event: 'close', listener: () => void): unknown
}

/** How many requests of one user are open on this node. Model calls take minutes and are counted separately, with their own limit. */
export interface OpenRequests {
  /** Counts the request until its response ends; refuses if the user has too many of its kind open. */
  open(user: string, response: Closes, kind: OpenKind): void
  /** Whether `open` would refuse one. */
  isFull(user: string, kind: OpenKind): boolean
}

export const requestsOpen = 40

const words = { requests: 'requests', model_calls: 'model calls' } as const satisfies Record<OpenKind, string>

export function countOpenRequests(most: Readonly<Record<OpenKind, number>>): OpenRequests {
  const open = new Map<string, number>()
  return {
    isFull: (user, kind) => (open.get(`${kind} ${user}`) ?? 0) >= most[kind],
    open(user, response, kind) {
      const key = `${kind} ${user}`
      const count = open.get(key) ?? 0
      if (count >= most[kind])
        throw refuse('rate_limited', `this account has ${count} ${words[kind]} open at the same time`, { retry_after_seconds: 1 })
      open.set(key, count + 1)
      response.once('close', () => {
        const left = (open.get(key) ?? 1) - 1
        if (left === 0) open.delete(key)
        else open.set(key, left)
      })
    },
  }
}
