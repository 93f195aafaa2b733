// Merges a push into the stored entities: its changes in order, each by the contract's merge rules, each seeing those before it.
import { limits } from '@tandem/contract/limits'
import { compareWriteMetadata, type EntityType, type EntityWrite, merge, type TodoItemLike } from '@tandem/contract/sync'
import { areMergeable, type ChangeResult, contentOf, type IncomingChange, type Rejection, recordText } from './change.ts'

export interface EntityKey {
  readonly key: string
  readonly entity_type: EntityType
  readonly entity_id: string
}

/** A stored entity. Payloads are read only for `todos`. */
export interface StoredEntity {
  readonly write: EntityWrite
  readonly bytes: number
  readonly todos?: { readonly source_ts: string; readonly record: string }
}

/** An entity to be written. */
export interface EntityRow {
  readonly entity: IncomingChange
  readonly ord: number
  readonly merged: boolean
  /** Bytes of the record. */
  readonly bytes: number
  /** Replaces a stored one. */
  readonly known: boolean
}

export type ChangeVerdict =
  | { readonly verdict: 'applied' | 'duplicate' | 'merged' | 'stale' }
  | ({ readonly verdict: 'rejected' } & Rejection)

/** An entity whose record the reply contains, with each of these verdicts. */
export interface ReturnedEntity {
  readonly indexes: readonly number[]
  /** The device has just sent the current state: the record may be omitted if there is no room for it. */
  readonly sent: boolean
  readonly entity: EntityKey
  /** Undefined if it is the stored one and was not read. */
  readonly record: string | undefined
}

export interface FoldResult {
  /** One per change, in order. */
  readonly judgements: readonly ChangeVerdict[]
  readonly rows: readonly EntityRow[]
  readonly carried: readonly ReturnedEntity[]
  /** Bytes by which the account grows; negative if it shrinks. */
  readonly grown: number
}

/**
 * `room` is the number of bytes that the account may still grow by.
 *
 * Each change to `todos` processes all items of the list. If that exceeds `maxWork` characters, many small changes
 * were sent to large lists, and nothing is merged.
 */
export function fold(
  stored: ReadonlyMap<string, StoredEntity>,
  readings: readonly ChangeResult[],
  maxWork: number,
  room: number = Number.POSITIVE_INFINITY,
): FoldResult | 'too_much' {
  // In the order of their last write.
  const written = new Map<string, EntityRow>()
  const carriers = new Map<string, { indexes: number[]; sent: boolean; entity: EntityKey }>()
  let work = 0
  let grown = 0

  /** False if there is no room for it. What does not grow is always accepted: a full account can still change and delete. */
  function write(entity: IncomingChange, ord: number, merged: boolean): boolean {
    const before = written.get(entity.key)
    const bytes = Buffer.byteLength(entity.record)
    const growth = bytes - (before?.bytes ?? stored.get(entity.key)?.bytes ?? 0)
    if (growth > 0 && grown + growth > room) return false
    grown += growth
    written.delete(entity.key)
    written.set(entity.key, { entity, ord, merged, bytes, known: stored.has(entity.key) })
    return true
  }

  function judge(incoming: IncomingChange, ord: number): ChangeVerdict | 'too_much' {
    const { key } = incoming
    const held = written.get(key)?.entity ?? heldOf(stored.get(key))
    if (incoming.entity_type === 'todos') work += held?.record?.length ?? 0
    if (work > maxWork) return 'too_much'
    const outcome = merge(incoming.entity_type, held?.write, incoming.write)
    switch (outcome.verdict) {
      case 'applied':
        return write(incoming, ord, false) ? outcome : noRoom
      case 'merged': {
        if (!outcome.changed) return { verdict: 'merged' }
        const union = unite(held, incoming, outcome.todos)
        if ('code' in union) return { verdict: 'rejected', ...union }
        return write(union, ord, true) ? { verdict: 'merged' } : noRoom
      }
      case 'stale':
      case 'duplicate':
      case 'rejected':
        return outcome
    }
  }

  const judgements: ChangeVerdict[] = []
  for (const [index, reading] of readings.entries()) {
    if (!reading.ok) {
      judgements.push({ verdict: 'rejected', ...reading.rejection })
      continue
    }
    const judgement = judge(reading.incoming, index)
    if (judgement === 'too_much') return 'too_much'
    judgements.push(judgement)
    const { key } = reading.incoming
    const carrier = carriers.get(key)
    if (judgement.verdict === 'merged' || judgement.verdict === 'stale') {
      carriers.set(key, { indexes: [...(carrier?.indexes ?? []), index], sent: false, entity: reading.incoming })
    } else if (carrier && judgement.verdict !== 'rejected') carrier.sent = true
  }
  const carried = [...carriers].map(([key, carrier]): ReturnedEntity => {
    return { ...carrier, record: written.get(key)?.entity.record ?? stored.get(key)?.todos?.record }
  })
  return { judgements, rows: [...written.values()], carried, grown }
}

const noRoom: ChangeVerdict = {
  verdict: 'rejected',
  code: 'quota_exceeded',
  message: 'the records of this account have reached their storage limit: delete some, or ask the operator of the service for more',
}

/** The state of an entity at this point of the fold. */
interface Held {
  readonly write: EntityWrite
  readonly source_ts?: string
  readonly record: string | undefined
}

function heldOf(stored: StoredEntity | undefined): Held | undefined {
  return stored && { record: undefined, ...stored.todos, write: stored.write }
}

/** The items of both; the marks of the later write. A union over the limits is refused: no item may be dropped. */
function unite(held: Held | undefined, incoming: IncomingChange, todos: readonly TodoItemLike[]): IncomingChange | Rejection {
  const mine = held && compareWriteMetadata(held.write, incoming.write) > 0 ? held : incoming
  const { op, version, updated_at, device_id } = mine.write
  const source_ts = mine.source_ts ?? incoming.source_ts
  const payload = { todos }
  const content = contentOf(op, payload)
  if (!content) return { code: 'invalid', message: '`payload` is nested too deeply to be written as JSON' }
  const bytes = Buffer.byteLength(content.json)
  if (bytes > limits.payload_bytes || !areMergeable(payload)) {
    const size = `${todos.length} items in ${bytes} bytes`
    return { code: 'payload_too_large', message: `together with the stored items, \`payload.todos\` has ${size}: more than the limit` }
  }
  const { entity_type, entity_id } = incoming
  const marks = { entity_type, entity_id, op, version, updated_at, source_ts }
  return {
    ...incoming,
    source_ts,
    write: { op, version, updated_at, device_id, content_hash: content.hash, todos },
    record: recordText(marks, content.json),
  }
}
