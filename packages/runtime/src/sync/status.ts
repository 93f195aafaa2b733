// The status of synchronization as text for users.
import type { SyncState } from '@tandem/contract/event'

export interface SyncStatus {
  readonly state: SyncState
  readonly pending_changes: number
  readonly quarantined_changes: number
  /** Changes of a newer Tandem that wait for an update of this one. */
  readonly unread_changes: number
  readonly offline_since: string | null
  /** Why it cannot continue, and what to do; null if everything is fine. */
  readonly reason: string | null
  readonly cursor_ts: string | null
  readonly last_push_ts: string | null
  readonly last_pull_ts: string | null
}

export function statusText(status: SyncStatus): string {
  const { state, pending_changes, quarantined_changes, unread_changes, offline_since, reason } = status
  const waiting = pending_changes === 0 ? '' : `, ${counted(pending_changes, 'change')} waiting`
  const aside = quarantined_changes === 0 ? '' : `; ${counted(quarantined_changes, 'change')} in quarantine`
  const unread =
    unread_changes === 0 ? '' : `; ${counted(unread_changes, 'change')} from a newer version of Tandem: update Tandem on this device`
  const why = reason === null ? '' : `: ${reason}`
  const words = {
    signed_out: `not signed in${why}`,
    idle: pending_changes === 0 ? 'up to date' : `${counted(pending_changes, 'change')} waiting`,
    pushing: `sending${waiting}`,
    pulling: `fetching${waiting}`,
    recovering: `recovering${waiting}`,
    offline: `offline${offline_since === null ? '' : ` since ${utcMinute(offline_since)}`}${why}${waiting}`,
    failed: `stopped${why}${waiting}`,
  } satisfies Record<SyncState, string>
  return `${words[state]}${aside}${unread}`
}

/** As the terminal shows times. */
function utcMinute(timestamp: string): string {
  return `${timestamp.replace('T', ' ').slice(0, 16)} UTC`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
