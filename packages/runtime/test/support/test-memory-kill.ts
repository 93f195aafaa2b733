// Preloaded into a runtime under test (node --import): counts what is written about memories, and kills the process before the n-th write.
import { DatabaseSync, type SQLInputValue, type StatementResultingChanges } from 'node:sqlite'

const killAt = Number(process.env.TANDEM_TEST_KILL_AT ?? 0)
export type Phase = 'flush' | 'resolution' | 'review' | 'import' | 'after'
/** A change of a memory that is stored already is the work of the resolution, in whatever it happens. */
const ofResolution = /^\s*UPDATE memories SET agent_id/
const ofMemories = /memor|user_models|agent_identity_profiles|recall_changes/
let writes = 0
let phase: Phase = 'flush'
const byPhase: Record<Phase, number[]> = { flush: [], resolution: [], review: [], import: [], after: [] }

const prepare = DatabaseSync.prototype.prepare
DatabaseSync.prototype.prepare = function (text, ...options) {
  const statement = prepare.call(this, text, ...options)
  if (!ofMemories.test(text) || !this.location()?.endsWith('tandem.db')) return statement
  const run: (...values: SQLInputValue[]) => StatementResultingChanges = statement.run.bind(statement)
  const counted = (...values: SQLInputValue[]) => {
    writes += 1
    byPhase[ofResolution.test(text) ? 'resolution' : phase].push(writes)
    if (writes === killAt) process.kill(process.pid, 'SIGKILL')
    return run(...values)
  }
  return Object.assign(statement, { run: counted })
}

/** How many there were, for the process that is not killed. */
export function writesOfMemories(): number {
  return writes
}

/** The numbers of the writes in each phase. */
export function writesByPhase(): Readonly<Record<Phase, readonly number[]>> {
  return byPhase
}

export function beginPhase(next: Phase): void {
  phase = next
}
