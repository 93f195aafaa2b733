// The cloud in one map, with the contract's merge rules: the guarantees of the real one, without its sockets and its database.
import { hash } from 'node:crypto'
import {
  type Change,
  compareWriteMetadata,
  compareWrites,
  contentText,
  type EntityWrite,
  isClockSkewed,
  merge,
  type PullQuery,
  type PullReply,
  type PushReply,
  type PushRequest,
  type TodoItemLike,
  type Verdict,
} from '@tandem/contract/sync'
import type { Answer } from '../../../src/sync/transport/cloud.ts'

interface Held {
  readonly change: Change
  readonly write: EntityWrite
  readonly stamp: number
  readonly ord: number
  readonly device_id: string
  readonly merged: boolean
}

interface Contents {
  readonly rows: ReadonlyMap<string, Held>
  readonly head: number
  readonly purged: number
}

export interface TestCloud {
  push(request: PushRequest): Answer<PushReply>
  pull(query: PullQuery): Answer<PullReply>
  backup(): Contents
  /** The contents of a backup under a new epoch, as in a restored database. */
  restore(contents: Contents): void
  /** Purges all tombstones, as after ninety days. */
  purge(): void
  rows(): ReadonlyMap<string, Held>
  /** The latest write of each entity that was ever accepted, whatever was restored since. */
  readonly ledger: ReadonlyMap<string, Held>
}

export const keyOf = ({ entity_type, entity_id }: Pick<Change, 'entity_type' | 'entity_id'>) => `${entity_type} ${entity_id}`
const iso = (ms: number) => new Date(ms).toISOString()

export function testCloud(now: () => number): TestCloud {
  let rows = new Map<string, Held>()
  let [head, purged, epochs] = [0, 0, 1]
  const ledger = new Map<string, Held>()
  const epoch = () => `epoch-${epochs}`

  function take(held: Held): void {
    const key = keyOf(held.change)
    rows.delete(key)
    rows.set(key, held)
    const before = ledger.get(key)
    if (!before || compareWrites(held.write, before.write) >= 0) ledger.set(key, held)
  }

  function judge(change: Change, device_id: string, index: number, stamp: number): Verdict {
    const { entity_id } = change
    const write = writeOf(change, device_id)
    const marks = { index, entity_id }
    if (isClockSkewed(write, iso(now()))) {
      return { ...marks, verdict: 'rejected', code: 'clock_skew', message: 'ahead', server_ts: iso(now()) }
    }
    const held = rows.get(keyOf(change))
    const outcome = merge(change.entity_type, held?.write, write)
    switch (outcome.verdict) {
      case 'applied':
        take({ change, write, stamp, ord: index, device_id, merged: false })
        return { ...marks, verdict: 'applied' }
      case 'merged': {
        const later = held && compareWriteMetadata(held.write, write) > 0 ? held : { change, write }
        const result = { ...later.change, payload: { todos: outcome.todos } }
        if (outcome.changed) {
          take({ change: result, write: writeOf(result, later.write.device_id), stamp, ord: index, device_id, merged: true })
        }
        return { ...marks, verdict: 'merged', result: outcome.changed || !held ? result : held.change }
      }
      case 'stale':
        return { ...marks, verdict: 'stale', ...(held && { winner: held.change }) }
      case 'duplicate':
        return { ...marks, verdict: 'duplicate' }
      case 'rejected':
        return { ...marks, ...outcome }
    }
  }

  return {
    ledger,
    rows: () => rows,
    push({ device_id, changes }) {
      const stamp = Math.max(now(), head + 1)
      const verdicts = changes.map((change, index) => judge(structuredClone(change), device_id, index, stamp))
      if ([...rows.values()].some((row) => row.stamp === stamp)) head = stamp
      return { kind: 'ok', body: structuredClone({ verdicts, cursor_ts: iso(head), server_ts: iso(now()), epoch: epoch() }) }
    },
    pull({ cursor_ts, snapshot_ts, limit = 500, device_id }) {
      const cursor = cursor_ts === undefined ? 0 : Date.parse(cursor_ts)
      const snapshot = snapshot_ts === undefined ? undefined : Date.parse(snapshot_ts)
      if (cursor > head) return { kind: 'refused', status: 409, code: 'cursor_ahead', detail: 'ahead' }
      if (cursor > 0 && cursor < purged && (snapshot === undefined || snapshot < purged)) {
        return { kind: 'refused', status: 410, code: 'cursor_expired', detail: 'expired' }
      }
      const full = cursor === 0 || snapshot !== undefined
      const after = [...rows.values()].filter((row) => row.stamp > cursor).sort((a, b) => a.stamp - b.stamp || a.ord - b.ord)
      // A page never ends inside a stamp.
      const last = after[limit - 1]?.stamp
      const page = last === undefined ? after : after.filter((row) => row.stamp <= last)
      const has_more = page.length < after.length
      const shown = page.filter((row) => full || row.device_id !== device_id || row.merged)
      const next = has_more ? (page.at(-1)?.stamp ?? cursor) : Math.max(cursor, head)
      const changes = shown.map(({ change }) => change)
      return {
        kind: 'ok',
        body: structuredClone({
          changes,
          has_more,
          cursor_ts: iso(next),
          epoch: epoch(),
          ...(full && { snapshot_ts: iso(snapshot ?? head) }),
        }),
      }
    },
    backup: () => ({ rows: new Map(rows), head, purged }),
    restore(contents) {
      rows = new Map(contents.rows)
      head = contents.head
      purged = contents.purged
      epochs += 1
    },
    purge() {
      for (const [key, row] of rows) {
        if (row.change.op !== 'delete') continue
        purged = Math.max(purged, row.stamp)
        rows.delete(key)
      }
    },
  }
}

function writeOf({ op, version, updated_at, payload }: Change, device_id: string): EntityWrite {
  const { todos } = payload as { todos?: readonly TodoItemLike[] }
  return { op, version, updated_at, device_id, content_hash: hash('sha256', contentText(op, payload)), ...(todos && { todos }) }
}
