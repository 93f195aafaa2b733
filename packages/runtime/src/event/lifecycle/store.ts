// The tables of the lifecycle events: the events, the cursor of each listener, and the pending deliveries.
import type { LifecycleEventName } from '@tandem/contract/command'
import type { Store } from '../../store/store.ts'
import { type LifecycleEvent, type NewLifecycleEvent, subjectOf } from './lifecycle-event.ts'
import { latestRetry } from './retry.ts'

/** The next event of a subject for a listener. Later events of the subject wait for it. */
export interface Delivery {
  readonly listener: string
  readonly subject: string
  readonly no: number
  readonly failures: number
}

export interface FailedDelivery extends Delivery {
  readonly event: LifecycleEventName
  readonly event_id: string
  readonly at: number
  readonly retry_at: number
  readonly reason: string
}

/** An event with the time of its fact. */
export type DatedEvent = NewLifecycleEvent & { readonly at: number }

export interface LifecycleStore {
  /** Every listener this device ever had, including those that this process does not have. */
  listeners(): readonly string[]
  add(event: DatedEvent, only_for: string | null): number
  event(no: number): LifecycleEvent | undefined
  /** Events that a listener has not processed yet, in order, except those for a single listener. */
  pending(): readonly LifecycleEvent[]
  register(listener: string): void
  /** False if the subject was introduced to the listener before. */
  introduce(listener: string, subject: string): boolean
  /** Moves the cursor past some events and stores which of them must be delivered. False if there were none. */
  takeOver(listener: string, hears: (event: LifecycleEventName) => boolean): boolean
  /** Oldest first. */
  due(listener: string, now: number, limit: number): readonly Delivery[]
  ofSubject(subject: string): readonly Delivery[]
  /** The event was processed: the next one of its subject is due, and the row is deleted if no other listener needs it. */
  settle(delivery: Delivery): void
  fail(delivery: Delivery, retry_at: number, reason: string): void
  failed(least: number): readonly FailedDelivery[]
  /** When the next failed delivery is due; null if there is none. */
  nextRetry(now: number): number | null
  /** Deletes rows that every listener has processed. */
  sweep(): void
}

interface EventRow {
  readonly no: number
  readonly event_id: string
  readonly event: LifecycleEventName
  readonly at: number
  readonly data: string
}

const atOnce = 500

export function openLifecycleStore({ sql, transaction, relaxed }: Store): LifecycleStore {
  function cursorOf(listener: string): number {
    return Number(sql.get`SELECT cursor FROM lifecycle_listeners WHERE listener = ${listener}`?.cursor ?? 0)
  }

  /** Deletes the events from `from` through `through` that no listener needs. */
  function sweep(from: number, through: number): void {
    sql.run`
      DELETE FROM lifecycle_events AS e WHERE e.no BETWEEN ${from} AND ${through} AND NOT EXISTS (
        SELECT 1 FROM lifecycle_listeners l
        WHERE (e.only_for IS NULL OR e.only_for = l.listener) AND (l.cursor < e.no OR EXISTS (
          SELECT 1 FROM lifecycle_deliveries d WHERE d.listener = l.listener AND d.subject = e.subject AND d.no <= e.no)))`
  }

  return {
    listeners: () => sql.all<{ listener: string }>`SELECT listener FROM lifecycle_listeners`.map(({ listener }) => listener),
    add(event, only_for) {
      const { lastInsertRowid } = sql.run`
        INSERT INTO lifecycle_events (event_id, event, subject, at, data, only_for)
        VALUES (${event.event_id}, ${event.event}, ${subjectOf(event)}, ${event.at}, ${JSON.stringify(event.data)}, ${only_for})`
      return Number(lastInsertRowid)
    },
    event(no) {
      const row = sql.get<EventRow>`SELECT no, event_id, event, at, data FROM lifecycle_events WHERE no = ${no}`
      return row && toEvent(row)
    },
    pending: () =>
      sql.all<EventRow>`SELECT no, event_id, event, at, data FROM lifecycle_events WHERE only_for IS NULL ORDER BY no`.map(toEvent),
    register(listener) {
      sql.run`
        INSERT INTO lifecycle_listeners (listener, cursor)
        VALUES (${listener}, (SELECT coalesce(max(no), 0) FROM lifecycle_events))`
    },
    introduce(listener, subject) {
      return sql.run`INSERT OR IGNORE INTO lifecycle_introductions (listener, subject) VALUES (${listener}, ${subject})`.changes !== 0
    },
    takeOver(listener, hears) {
      const cursor = cursorOf(listener)
      const rows = sql.all<{ no: number; event: LifecycleEventName; subject: string }>`
        SELECT no, event, subject FROM lifecycle_events
        WHERE no > ${cursor} AND (only_for IS NULL OR only_for = ${listener}) ORDER BY no LIMIT ${atOnce}`
      const last = rows.at(-1)
      if (!last) return false
      relaxed(() => {
        for (const { no, event, subject } of rows) {
          if (!hears(event)) continue
          // If the subject already has a row, an earlier event is pending.
          sql.run`INSERT OR IGNORE INTO lifecycle_deliveries (listener, subject, no) VALUES (${listener}, ${subject}, ${no})`
        }
        sql.run`UPDATE lifecycle_listeners SET cursor = ${last.no} WHERE listener = ${listener}`
        sweep(cursor + 1, last.no)
      })
      return true
    },
    due: (listener, now, limit) =>
      sql.all<Delivery>`
        SELECT listener, subject, no, failures FROM lifecycle_deliveries
        WHERE listener = ${listener} AND (retry_at <= ${now} OR retry_at > ${latestRetry(now)}) ORDER BY no LIMIT ${limit}`,
    ofSubject: (subject) => sql.all<Delivery>`SELECT listener, subject, no, failures FROM lifecycle_deliveries WHERE subject = ${subject}`,
    settle({ listener, subject, no }) {
      relaxed(() => {
        const next = sql.get<{ no: number | null }>`
          SELECT min(no) AS no FROM lifecycle_events
          WHERE subject = ${subject} AND no > ${no} AND no <= ${cursorOf(listener)} AND (only_for IS NULL OR only_for = ${listener})`
        if (next?.no == null) {
          sql.run`DELETE FROM lifecycle_deliveries WHERE listener = ${listener} AND subject = ${subject} AND no = ${no}`
        } else {
          sql.run`
            UPDATE lifecycle_deliveries SET no = ${next.no}, failures = 0, retry_at = 0, reason = NULL
            WHERE listener = ${listener} AND subject = ${subject} AND no = ${no}`
        }
        sweep(no, no)
      })
    },
    fail({ listener, subject, no }, retry_at, reason) {
      relaxed(
        () =>
          sql.run`
          UPDATE lifecycle_deliveries SET failures = failures + 1, retry_at = ${retry_at}, reason = ${reason}
          WHERE listener = ${listener} AND subject = ${subject} AND no = ${no}`,
      )
    },
    failed: (least) =>
      sql.all<FailedDelivery>`
        SELECT d.listener, d.subject, d.no, d.failures, d.retry_at, d.reason, e.event, e.event_id, e.at
        FROM lifecycle_deliveries d JOIN lifecycle_events e ON e.no = d.no
        WHERE d.failures >= ${least} ORDER BY e.no, d.listener`,
    nextRetry(now) {
      const row = sql.get<{ at: number | null }>`SELECT min(retry_at) AS at FROM lifecycle_deliveries WHERE retry_at > ${now}`
      return row?.at ?? null
    },
    sweep: () => transaction(() => sweep(0, Number.MAX_SAFE_INTEGER)),
  }
}

/** That name and data match was checked where the event was recorded. */
function toEvent({ data, ...row }: EventRow): LifecycleEvent {
  return { ...row, data: JSON.parse(data) } as LifecycleEvent
}
