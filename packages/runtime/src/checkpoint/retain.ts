// Lets go of checkpoints, and of the contents only they led to. Killed at any moment it has let go of less, never of what a row names.
import type { Store } from '../store/store.ts'
import type { Crashpoint } from './crashpoint.ts'
import type { Engine } from './engine.ts'
import { type CheckpointFailure, failed } from './failure.ts'
import { afterOf, beforeOf } from './keeper.ts'
import { quotaSetting } from './quota.ts'
import { dispensable, outlived } from './retention.ts'
import type { CheckpointRecords } from './store.ts'

export interface Room {
  readonly store: Store
  readonly engine: Engine
  readonly records: CheckpointRecords
  readonly quota_bytes: number
  readonly crashpoint: Crashpoint
}

export interface Expired {
  readonly checkpoint_id: string
  readonly run_id: string
  readonly reason: 'outlived' | 'over_cap'
  /** Of its own packs; contents that others still need stay. */
  readonly freed_bytes: number
}

export async function retain(room: Room): Promise<readonly Expired[]> {
  const { records, store } = room
  const busy = inUse(records)
  const gone = outlived(records.all(), store.clock.now()).filter((id) => !busy.has(id))
  const expired = await giveUp(room, gone, 'outlived', [])
  return [...expired, ...(await shrink(room, busy, []))]
}

/** Null when the quota holds what was just kept, if need be by giving up older checkpoints. `unnamed` has no row yet. */
export async function makeRoom(room: Room, unnamed: string): Promise<CheckpointFailure | null> {
  if ((await room.engine.usage()) <= room.quota_bytes) return null
  await shrink(room, inUse(room.records), [beforeOf(unnamed)])
  const used = await room.engine.usage()
  if (used <= room.quota_bytes) return null
  const message = `checkpoints would use ${used} of ${room.quota_bytes} bytes, and the newest of each run are not given up`
  return failed(
    'storage_unavailable',
    'checkpoint',
    'quota_reached',
    message,
    room.store.home,
    `Set ${quotaSetting} to more gigabytes and start Tandem again; runs that ended give up theirs by themselves after a while.`,
  )
}

/** What a restore that is not at its end, or a call, still stands on: all that its files may come from. */
function inUse(records: CheckpointRecords): ReadonlySet<string> {
  const ids = records.unsettled().flatMap((row) => {
    const restored = row.restored_checkpoint_id === null ? undefined : records.get(row.restored_checkpoint_id)
    const stages = restored ? records.stagesFrom(restored).filter(({ no }) => no < row.no) : []
    return [row, ...stages].map(({ checkpoint_id }) => checkpoint_id)
  })
  return new Set(ids)
}

/** A few at a time, until it fits. */
async function shrink(room: Room, busy: ReadonlySet<string>, unnamed: readonly string[]): Promise<Expired[]> {
  const { records, engine, quota_bytes } = room
  const expired: Expired[] = []
  const order = dispensable(records.all()).filter((id) => !busy.has(id))
  while (order.length > 0 && (await engine.usage()) > quota_bytes) {
    expired.push(...(await giveUp(room, order.splice(0, Math.max(1, order.length >> 2)), 'over_cap', unnamed)))
  }
  return expired
}

async function giveUp(room: Room, ids: readonly string[], reason: Expired['reason'], unnamed: readonly string[]): Promise<Expired[]> {
  const { records, engine, crashpoint } = room
  if (ids.length === 0) return []
  const given = ids.flatMap((id) => records.get(id) ?? [])
  crashpoint('retain:chosen')
  records.remove(ids)
  crashpoint('retain:forgotten')
  const removed = new Map((await engine.sweep([...records.packs(), ...unnamed])).map(({ pack, bytes }) => [pack, bytes]))
  return given.map(({ checkpoint_id, run_id }) => ({
    checkpoint_id,
    run_id,
    reason,
    freed_bytes: (removed.get(beforeOf(checkpoint_id)) ?? 0) + (removed.get(afterOf(checkpoint_id)) ?? 0),
  }))
}
