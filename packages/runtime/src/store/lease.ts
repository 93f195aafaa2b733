// One runtime per folder. The lease is a lock of the operating system, so it is released when its process ends, however that happens.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface Lease {
  release(): void
}

/** Null while another runtime uses the folder. */
export function takeLease(home: string): Lease | null {
  const lock = new DatabaseSync(join(home, 'lease.db'), { timeout: 0 })
  try {
    lock.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (isBusy(error)) return null
    throw error
  }
  return { release: () => lock.close() }
}

function isBusy(error: unknown): boolean {
  const busy = 5
  return error instanceof Error && 'errcode' in error && error.errcode === busy
}
