// Lifecycle events: recorded in the transaction of the fact they report, and delivered at least once to every listener, even after a crash.
import type { LifecycleEventName } from '@tandem/contract/command'
import { timestamp } from '../../clock/clock.ts'
import type { Store } from '../../store/store.ts'
import { crashPoint } from './crashpoint.ts'
import { type DeliveryResult, openDeliverer, type WaitLimit } from './deliverer.ts'
import { type LifecycleListener, type NewLifecycleEvent, readSubject, subjectOf } from './lifecycle-event.ts'
import { type DatedEvent, openLifecycleStore } from './store.ts'

/** A delivery that failed at least three times and will be retried. */
export interface ParkedDelivery {
  readonly listener: string
  readonly event: LifecycleEventName
  readonly event_id: string
  readonly subject: ReturnType<typeof readSubject>
  /** When it happened. */
  readonly since: string
  readonly failures: number
  readonly retry_at: string
  readonly reason: string
}

export interface Lifecycle {
  /** Called in the transaction of the fact. */
  record(event: NewLifecycleEvent): void
  /** Called in the transaction that uses an agent and a conversation: introduces them to listeners that do not know them yet. */
  used(subject: { readonly agent_id: string; readonly conversation_id: string }): void
  /** Called before any run continues, with the same listeners in every process. */
  listen(listener: LifecycleListener): void
  /** Records an event and waits until every listener has processed it, or the limit is reached. */
  hear(event: NewLifecycleEvent, limit: WaitLimit): Promise<DeliveryResult>
  /** From now on, events are delivered as they are recorded; before, only those that a caller waits for. */
  begin(): void
  /** Deliveries that users are shown because they fail repeatedly. */
  parked(): readonly ParkedDelivery[]
  /** Delivers pending events for at most this long, then stops. */
  stop(limit: { readonly within_ms: number }): Promise<void>
}

export interface LifecyclePorts {
  readonly store: Store
  /** The events of this device, in order, for a listener that starts at the beginning. */
  history(): readonly DatedEvent[]
  log(line: string): void
}

/** For facts that have no listeners. */
export const noLifecycle: Pick<Lifecycle, 'record' | 'used'> = { record: () => undefined, used: () => undefined }

/** From this many failures on, users are shown the delivery. */
const shownFrom = 3

export function openLifecycle({ store, history, log }: LifecyclePorts): Lifecycle {
  const { clock, transaction } = store
  const rows = openLifecycleStore(store)
  const listeners = new Map<string, LifecycleListener>()
  const known = new Set(rows.listeners())
  const deliverer = openDeliverer({ rows, clock, listeners, log })
  rows.sweep()

  /** What a listener of another process handles is unknown, so everything is recorded for it. */
  function isWanted(event: LifecycleEventName): boolean {
    return [...known].some((name) => {
      const listener = listeners.get(name)
      return !listener || listener.hears[event] !== undefined
    })
  }

  /** The number of its row; null if no listener wants it. */
  function add(event: NewLifecycleEvent): number | null {
    if (!isWanted(event.event)) return null
    const no = rows.add({ ...event, at: clock.now() }, null)
    if (isIntroduction(event.event)) for (const name of hearing(event.event)) rows.introduce(name, subjectOf(event))
    committed(event.event)
    return no
  }

  function committed(event: LifecycleEventName): void {
    store.afterCommit(() => {
      crashPoint(event, 'committed')
      deliverer.wake()
    })
  }

  function hearing(event: LifecycleEventName): readonly string[] {
    return [...listeners.values()].filter(({ hears }) => hears[event] !== undefined).map(({ name }) => name)
  }

  function introduceAtUse(event: NewLifecycleEvent<'agent_created' | 'conversation_created'>): void {
    for (const name of hearing(event.event)) {
      if (!rows.introduce(name, subjectOf(event))) continue
      rows.add({ ...event, at: clock.now() }, name)
      committed(event.event)
    }
  }

  return {
    record: (event) => void add(event),
    used({ agent_id, conversation_id }) {
      introduceAtUse({ event: 'agent_created', event_id: agent_id, data: { agent_id, cause: 'first_use' } })
      introduceAtUse({
        event: 'conversation_created',
        event_id: conversation_id,
        data: { conversation_id, agent_id, cause: 'first_use' },
      })
    },
    listen(listener) {
      const { name, from } = listener
      if (listeners.has(name)) throw new Error(`two lifecycle listeners have the name ${name}`)
      if (!known.has(name)) {
        transaction(() => {
          const past = from === 'beginning' ? mergeEvents(history(), rows.pending()) : []
          rows.register(name)
          for (const event of past) {
            if (listener.hears[event.event] === undefined) continue
            if (isIntroduction(event.event)) rows.introduce(name, subjectOf(event))
            rows.add(event, name)
          }
        })
        known.add(name)
      }
      listeners.set(name, listener)
      deliverer.wake()
    },
    async hear(event, limit) {
      const no = transaction(() => add(event))
      return no === null ? 'heard' : await deliverer.hear({ no, subject: subjectOf(event) }, limit)
    },
    begin: deliverer.begin,
    parked: () =>
      rows.failed(shownFrom).map(({ listener, event, event_id, subject, at, failures, retry_at, reason }) => ({
        listener,
        event,
        event_id,
        subject: readSubject(subject),
        since: timestamp(at),
        failures,
        retry_at: timestamp(retry_at),
        reason,
      })),
    stop: ({ within_ms }) => deliverer.stop(within_ms),
  }
}

function isIntroduction(event: LifecycleEventName): boolean {
  return event === 'agent_created' || event === 'conversation_created'
}

/** Merged by time, each in its own order; an event in both is taken once. */
export function mergeEvents(history: readonly DatedEvent[], pending: readonly DatedEvent[]): readonly DatedEvent[] {
  const waiting = new Set(pending.map(({ event_id }) => event_id))
  const [past, left] = [history.filter(({ event_id }) => !waiting.has(event_id)), [...pending]]
  return [
    ...past.flatMap((event) => {
      const until = left.findIndex(({ at }) => at >= event.at)
      return [...left.splice(0, until === -1 ? left.length : until), event]
    }),
    ...left,
  ]
}
