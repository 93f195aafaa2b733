// When executors are negotiated with: each on its own timer, so that one that hangs delays no other. The last result of each is the cache.
import type { NegotiationResult } from '@tandem/contract/executor'
import type { Clock } from '../clock/clock.ts'
import type { Events } from '../event/events.ts'
import type { Store } from '../store/store.ts'
import type { ExecutorRecord, ExecutorRecords } from './executor-records.ts'
import { isOtherOutcome, reasonOf, resultOf } from './rule/outcome.ts'
import type { Reading } from './rule/reading.ts'
import { negotiationTiming, startDelay } from './rule/timing.ts'

export interface NegotiationSchedule {
  /** From now on each executor is negotiated with when it is due. */
  begin(): void
  /** Now, and then again when the result says. Null if it was removed meanwhile. */
  attempt(executor_id: string): Promise<NegotiationResult | null>
  /** Those whose next attempt is due. */
  attemptDue(): Promise<void>
  /** It was removed: nothing more is sent to it. */
  forget(executor_id: string): void
  stop(): Promise<void>
}

export interface SchedulePorts {
  readonly clock: Clock
  readonly store: Pick<Store, 'transaction'>
  readonly records: ExecutorRecords
  readonly events: Pick<Events, 'emit'>
  /** From 0 to 1. */
  random(): number
  negotiate(executor: ExecutorRecord, signal: AbortSignal): Promise<Reading>
  /** The outcome of an executor is another one than before. */
  changed(): void
  log(line: string): void
}

interface Running {
  readonly ending: AbortController
  readonly result: Promise<NegotiationResult | null>
}

export function openNegotiationSchedule(ports: SchedulePorts): NegotiationSchedule {
  const { clock, store, records, events, random, negotiate, changed, log } = ports
  const timers = new Map<string, () => void>()
  const running = new Map<string, Running>()
  let state: 'idle' | 'begun' | 'stopped' = 'idle'

  function schedule(executor_id: string, delay_ms: number): void {
    timers.get(executor_id)?.()
    timers.delete(executor_id)
    if (state !== 'begun') return
    const cancel = clock.after(delay_ms, () => {
      timers.delete(executor_id)
      attempt(executor_id).catch((error: unknown) => log(`remote executor ${executor_id}: the negotiation failed: ${String(error)}`))
    })
    timers.set(executor_id, cancel)
  }

  /** There is no result if an attempt ended with a bug. */
  function untilNext(executor_id: string): number {
    const last = records.negotiation(executor_id)
    return last === null ? negotiationTiming.longest_retry_ms : Math.max(0, Date.parse(last.next_attempt_at) - clock.now())
  }

  /** Result and event are stored together. */
  function keep(executor: ExecutorRecord, reading: Reading): NegotiationResult | null {
    const { executor_id, name } = executor
    if (records.get(executor_id) === undefined) return null
    const before = records.negotiation(executor_id)
    const result = resultOf(executor, reading, before, clock.now(), random())
    const isOther = isOtherOutcome(before, result)
    store.transaction(() => {
      records.putNegotiation(result)
      if (!isOther) return
      const data = {
        executor_id,
        name,
        from_outcome: before?.outcome ?? null,
        from_reason: before && reasonOf(before),
        to_outcome: result.outcome,
        to_reason: reasonOf(result),
        capabilities: result.outcome === 'negotiated' ? result.capabilities.length : 0,
        next_attempt_at: result.next_attempt_at,
      }
      events.emit('executor_outcome_changed', {}, data, result.outcome === 'failed' ? result.failure_contract : undefined)
    })
    if (isOther) changed()
    return result
  }

  async function negotiated(executor: ExecutorRecord, signal: AbortSignal): Promise<NegotiationResult | null> {
    let reading: Reading
    try {
      reading = await negotiate(executor, signal)
    } catch (error) {
      if (signal.aborted) return null
      throw error
    }
    return signal.aborted ? null : keep(executor, reading)
  }

  async function attempt(executor_id: string): Promise<NegotiationResult | null> {
    const known = running.get(executor_id)
    if (known) return await known.result
    const executor = records.get(executor_id)
    if (!executor || state === 'stopped') return null
    timers.get(executor_id)?.()
    timers.delete(executor_id)
    const ending = new AbortController()
    const result = negotiated(executor, ending.signal)
    running.set(executor_id, { ending, result })
    try {
      return await result
    } finally {
      running.delete(executor_id)
      // After `stop` the store may be closed.
      if (state === 'begun' && records.get(executor_id)) schedule(executor_id, untilNext(executor_id))
    }
  }

  return {
    begin() {
      state = 'begun'
      for (const { executor_id } of records.list()) {
        const last = records.negotiation(executor_id)
        schedule(executor_id, startDelay(last && Date.parse(last.next_attempt_at), clock.now(), random()))
      }
    },
    attempt,
    async attemptDue() {
      const due = records.list().filter(({ executor_id }) => {
        const last = records.negotiation(executor_id)
        return last === null || Date.parse(last.next_attempt_at) <= clock.now()
      })
      await Promise.all(due.map(({ executor_id }) => attempt(executor_id)))
    },
    forget(executor_id) {
      timers.get(executor_id)?.()
      timers.delete(executor_id)
      running.get(executor_id)?.ending.abort(new Error('the executor was removed'))
    },
    async stop() {
      state = 'stopped'
      for (const cancel of timers.values()) cancel()
      timers.clear()
      const open = [...running.values()]
      for (const { ending } of open) ending.abort(new Error('the runtime is stopping'))
      await Promise.allSettled(open.map(({ result }) => result))
    },
  }
}
