// The position of synchronization. Written in the transaction of the rows it describes.
import type { Store } from '../store/store.ts'
import type { PreviousEpoch } from './epochs.ts'

/** `expired`: deletions were missed, a full pull finds them. `restored`: the cloud was restored, everything here is sent again. */
export type Recovery = 'none' | 'expired' | 'restored'

export interface SyncState {
  readonly user_id: string | null
  readonly epoch: string | null
  readonly cursor_ts: string | null
  /** Set while a full pull is in progress. */
  readonly snapshot_ts: string | null
  readonly recovery: Recovery
  readonly seen_at: number
  readonly pushed_at: number | null
  /** When this device last had everything. */
  readonly pulled_at: number | null
  readonly left_epochs: readonly PreviousEpoch[]
  /** When everything here was last queued to be sent again. */
  readonly recovered_at: number | null
}

export interface StateStore {
  read(): SyncState
  write(change: Partial<SyncState>): void
}

export function openState({ sql }: Pick<Store, 'sql'>): StateStore {
  function read(): SyncState {
    const found = sql.get<Omit<SyncState, 'left_epochs'> & { id: number; left_epochs: string }>`SELECT * FROM sync_state WHERE id = 1`
    if (!found) throw new Error('the row of the synchronization state is missing')
    const { id: _, left_epochs, ...row } = found
    return { ...row, left_epochs: JSON.parse(left_epochs) }
  }
  return {
    read,
    write(change) {
      const next = { ...read(), ...change }
      sql.run`
        UPDATE sync_state SET user_id = ${next.user_id}, epoch = ${next.epoch}, cursor_ts = ${next.cursor_ts},
          snapshot_ts = ${next.snapshot_ts}, recovery = ${next.recovery}, seen_at = ${next.seen_at}, pushed_at = ${next.pushed_at},
          pulled_at = ${next.pulled_at}, left_epochs = ${JSON.stringify(next.left_epochs)}, recovered_at = ${next.recovered_at}
        WHERE id = 1`
    },
  }
}

/** A full pull has started, or must start. */
export function isFullPull({ cursor_ts, snapshot_ts }: SyncState): boolean {
  return cursor_ts === null || snapshot_ts !== null
}
