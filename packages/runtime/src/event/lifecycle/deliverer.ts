// Delivers lifecycle events to their listeners: events of one subject in order, events of different subjects concurrently. A failed
// delivery is retried later and delays only its own subject for its own listener.
import type { Clock } from '../../clock/clock.ts'
import { crashPoint } from './crashpoint.ts'
import { type LifecycleEvent, type LifecycleListener, readSubject } from './lifecycle-event.ts'
import { latestRetry, retryAfter } from './retry.ts'
import type { Delivery, LifecycleStore } from './store.ts'

/** Per listener. A listener may call a model each time. */
const mostAtOnce = 4
/** A delivery that takes longer counts as failed: a listener that hangs must not block the others. */
const longest_ms = 10 * 60_000
/** After the store itself failed, for example because the disk is full. */
const storeRetry_ms = 5_000
const longestReason = 500

/** `failed`: a listener could not process it. `late`: a listener is still processing it. */
export type DeliveryResult = 'heard' | 'failed' | 'late'

export interface WaitLimit {
  readonly within_ms?: number
  readonly signal?: AbortSignal
}

export interface Deliverer {
  /** From now on, events are delivered as they are recorded. */
  begin(): void
  wake(): void
  /** Delivers the earlier events of its subject, then the event, regardless of the retry time, and waits for it. */
  hear(event: { readonly no: number; readonly subject: string }, limit: WaitLimit): Promise<DeliveryResult>
  /** Delivers pending events for at most this long, then stops. The next process delivers the rest. */
  stop(within_ms: number): Promise<void>
}

export interface DelivererPorts {
  readonly rows: LifecycleStore
  readonly clock: Clock
  readonly listeners: ReadonlyMap<string, LifecycleListener>
  log(line: string): void
}

export function openDeliverer({ rows, clock, listeners, log }: DelivererPorts): Deliverer {
  const active = new Map<string, AbortController>()
  const changed = new Set<() => void>()
  let state: 'waiting' | 'delivering' | 'stopped' = 'waiting'
  let isWoken = false
  let cancelTimer: () => void = () => undefined

  function wake(): void {
    if (state !== 'delivering' || isWoken) return
    isWoken = true
    setImmediate(() => {
      isWoken = false
      round()
    })
  }

  function round(): void {
    if (state !== 'delivering') return
    try {
      for (const listener of listeners.values()) {
        takeOver(listener)
        for (const delivery of dueFor(listener)) deliver(listener, delivery)
      }
      const next = rows.nextRetry(clock.now())
      if (next !== null) roundIn(Math.min(next, latestRetry(clock.now())) - clock.now())
    } catch (error) {
      log(`lifecycle events are delivered later: ${String(error)}`)
      roundIn(storeRetry_ms)
    }
  }

  function roundIn(ms: number): void {
    cancelTimer()
    cancelTimer = clock.after(ms, round)
  }

  function takeOver({ name, hears }: LifecycleListener): void {
    while (rows.takeOver(name, (event) => hears[event] !== undefined));
  }

  function dueFor({ name }: LifecycleListener): readonly Delivery[] {
    const busy = [...active.keys()].filter((key) => key.startsWith(`${name}\n`)).length
    const due = rows.due(name, clock.now(), mostAtOnce + busy).filter((delivery) => !active.has(keyOf(delivery)))
    return due.slice(0, Math.max(0, mostAtOnce - busy))
  }

  function deliver(listener: LifecycleListener, delivery: Delivery): void {
    const controller = new AbortController()
    active.set(keyOf(delivery), controller)
    void attempt(listener, delivery, controller)
      .then((reason) => {
        active.delete(keyOf(delivery))
        if (state === 'stopped') return
        if (reason === null) rows.settle(delivery)
        else failed(delivery, reason)
        wake()
      })
      .catch((error: unknown) => {
        log(`a delivered lifecycle event will be delivered again: ${String(error)}`)
        if (state === 'delivering') roundIn(storeRetry_ms)
      })
      .finally(() => {
        for (const call of [...changed]) call()
      })
  }

  /** Null if the listener processed the event, otherwise why not. */
  async function attempt(listener: LifecycleListener, { no }: Delivery, controller: AbortController): Promise<string | null> {
    let cancel: () => void = () => undefined
    const tooLong = new Promise<never>((_, reject) => {
      cancel = clock.after(longest_ms, () => reject(new Error(`it did not finish within ${longest_ms / 60_000} minutes`)))
    })
    try {
      const event = rows.event(no)
      if (event) await Promise.race([callListener(listener, event, controller.signal), tooLong])
      return null
    } catch (error) {
      controller.abort()
      return (error instanceof Error ? error.message : String(error)).slice(0, longestReason)
    } finally {
      cancel()
    }
  }

  function failed(delivery: Delivery, reason: string): void {
    const { listener, subject, failures } = delivery
    const wait_ms = retryAfter(failures + 1)
    rows.fail(delivery, clock.now() + wait_ms, reason)
    const { kind, id } = readSubject(subject)
    log(`${listener} could not process an event of ${kind} ${id}: ${reason}. Retrying in ${wait_ms / 1_000} seconds.`)
  }

  /** False if the limit was reached first. */
  function until(isDone: () => boolean, { within_ms, signal }: WaitLimit): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (done: boolean) => {
        changed.delete(look)
        cancel()
        signal?.removeEventListener('abort', stop)
        resolve(done)
      }
      const look = () => {
        try {
          if (isDone()) end(true)
        } catch (error) {
          log(`lifecycle events could not be read: ${String(error)}`)
          end(false)
        }
      }
      const stop = () => end(false)
      const cancel = within_ms === undefined ? () => undefined : clock.after(within_ms, stop)
      changed.add(look)
      signal?.addEventListener('abort', stop, { once: true })
      if (signal?.aborted) stop()
      else look()
    })
  }

  return {
    wake,
    begin() {
      if (state !== 'waiting') return
      state = 'delivering'
      wake()
    },
    async hear({ no, subject }, limit) {
      for (const listener of listeners.values()) takeOver(listener)
      const owed = () => rows.ofSubject(subject).filter((delivery) => delivery.no <= no && listeners.has(delivery.listener))
      const tried = new Set<string>()
      let heard: DeliveryResult = 'late'
      await until(() => {
        for (const delivery of owed()) {
          const listener = listeners.get(delivery.listener)
          const attempted = `${keyOf(delivery)}\n${delivery.no}`
          if (!listener || tried.has(attempted) || active.has(keyOf(delivery))) continue
          // Once: a delivery that fails now waits for its retry time.
          tried.add(attempted)
          deliver(listener, delivery)
        }
        const left = owed()
        if (left.some((delivery) => active.has(keyOf(delivery)))) return false
        heard = left.length === 0 ? 'heard' : 'failed'
        return true
      }, limit)
      return heard
    },
    async stop(within_ms) {
      if (state === 'stopped') return
      state = 'delivering'
      round()
      await until(() => active.size === 0 && [...listeners.values()].every((listener) => dueFor(listener).length === 0), { within_ms })
      state = 'stopped'
      cancelTimer()
      for (const controller of active.values()) controller.abort()
    },
  }
}

/** Calls the listener's handler for the event. */
async function callListener(listener: LifecycleListener, event: LifecycleEvent, signal: AbortSignal): Promise<void> {
  const hear = listener.hears[event.event] as ((event: LifecycleEvent, signal: AbortSignal) => Promise<void>) | undefined
  if (!hear) return
  crashPoint(event.event, 'delivering')
  await hear(event, signal)
  crashPoint(event.event, 'heard')
}

function keyOf({ listener, subject }: Delivery): string {
  return `${listener}\n${subject}`
}
