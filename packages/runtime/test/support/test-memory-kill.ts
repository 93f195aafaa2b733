// Preloaded into a runtime under test (node --import): counts what is written about memories, and kills the process before the n-th write.
import { DatabaseSync } from 'node:sqlite'

const killAt = Number(process.env.TANDEM_TEST_KILL_AT ?? 0)
const ofMemories = /memor|user_models|agent_identity_profiles|recall_changes/
let writes = 0

const createTagStore = DatabaseSync.prototype.createTagStore
DatabaseSync.prototype.createTagStore = function (...args) {
  const tags = createTagStore.apply(this, args)
  const run = tags.run.bind(tags)
  tags.run = (text, ...values) => {
    if (ofMemories.test(text.join(' '))) {
      writes += 1
      if (writes === killAt) process.kill(process.pid, 'SIGKILL')
    }
    return run(text, ...values)
  }
  return tags
}

/** How many there were, for the process that is not killed. */
export function writesOfMemories(): number {
  return writes
}
