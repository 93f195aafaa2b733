// Keeps the stored epoch current while the server runs: checked when connections are lost, and every few seconds.
import type { Database } from './database.ts'
import { type EpochUpdate, updateEpoch } from './epoch.ts'

export interface EpochWatch {
  /** The epoch at the last check. Replies to pushes and pulls read it in their own transaction instead. */
  readonly current: string
  close(): Promise<void>
}

const everyMs = 3_000
/** After a lost connection, until the database answers again. */
const retryMs = 250

/** Resolves after the first check, so that no response has the epoch of another history. */
export async function watchEpoch(database: Pick<Database, 'owner' | 'onLost'>, log: (line: string) => void): Promise<EpochWatch> {
  let current = report(await updateEpoch(database.owner))
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> | undefined
  let lostMeanwhile = false
  let closed = false

  function report({ epoch, renewed }: EpochUpdate): string {
    if (renewed) log(`the database was promoted or restored; the epoch is now ${epoch}, and devices will send their changes again`)
    return epoch
  }

  async function check(): Promise<void> {
    lostMeanwhile = false
    let wait = everyMs
    try {
      current = report(await updateEpoch(database.owner))
    } catch {
      wait = retryMs // the pool logs lost connections, and requests report other problems
    }
    plan(lostMeanwhile ? retryMs : wait)
  }

  function plan(milliseconds: number): void {
    clearTimeout(timer)
    if (closed) return
    timer = setTimeout(() => {
      checking ??= check().finally(() => {
        checking = undefined
      })
    }, milliseconds).unref()
  }

  database.onLost(() => {
    lostMeanwhile = true
    if (!checking) plan(0)
  })
  plan(everyMs)

  return {
    get current() {
      return current
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await checking
    },
  }
}
