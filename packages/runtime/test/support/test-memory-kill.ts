// Preloaded into a runtime under test (node --import): counts what is written about memories, and kills the process before the n-th write.
import { DatabaseSync, type SQLInputValue, type StatementResultingChanges } from 'node:sqlite'

const killAt = Number(process.env.TANDEM_TEST_KILL_AT ?? 0)
const ofMemories = /memor|user_models|agent_identity_profiles|recall_changes/
let writes = 0

const prepare = DatabaseSync.prototype.prepare
DatabaseSync.prototype.prepare = function (text, ...options) {
  const statement = prepare.call(this, text, ...options)
  if (!ofMemories.test(text) || !this.location()?.endsWith('tandem.db')) return statement
  const run: (...values: SQLInputValue[]) => StatementResultingChanges = statement.run.bind(statement)
  const counted = (...values: SQLInputValue[]) => {
    writes += 1
    if (writes === killAt) process.kill(process.pid, 'SIGKILL')
    return run(...values)
  }
  return Object.assign(statement, { run: counted })
}

/** How many there were, for the process that is not killed. */
export function writesOfMemories(): number {
  return writes
}
