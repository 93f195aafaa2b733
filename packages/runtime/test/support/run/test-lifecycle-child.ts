// A process in which each of the six lifecycle events happens at least once: started by lifecycle-crash.test.ts, killed at crash points.
// usage: node --import test-crash-preload.ts test-lifecycle-child.ts HOME BASE_URL. What listeners processed is in HOME/heard-NAME, one line each.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openAgents } from '../../../src/agent/agents.ts'
import { systemClock } from '../../../src/clock/clock.ts'
import type { LifecycleEvent, LifecycleListener } from '../../../src/event/lifecycle/lifecycle-event.ts'
import { openTestRuns } from './test-runs.ts'

const [home = '', base_url = ''] = process.argv.slice(2)

/** On disk before it counts as processed. */
function listener(name: string): LifecycleListener {
  const hear = async ({ event, event_id, data }: LifecycleEvent) => {
    const file = openSync(join(home, `heard-${name}`), 'a')
    writeSync(file, `${JSON.stringify({ event, event_id, data })}\n`)
    fsyncSync(file)
    closeSync(file)
  }
  const ofRuns = { run_ended: hear, checkpoint_restored: hear, before_compaction: hear, learning_cycle_recorded: hear }
  return { name, from: 'beginning', hears: { ...ofRuns, agent_created: hear, conversation_created: hear } }
}

const here = openTestRuns({ home, base_url, window: 8_000, clock: systemClock, listeners: [listener('one'), listener('two')] })
here.allow('test.mark')
here.lifecycle.begin()
await here.finishRestores()
here.runs.recover()

const agents = openAgents(here.store, here.records, here.lifecycle)
if (agents.list().length === 0) agents.create({ name: 'Scribe' })

// Does the remaining work: runs until a compaction was needed, then a restore, then the run again.
const { conversation_id } = here.conversation()
for (const text of ['One', 'Two', 'Three', 'Four', 'Mark']) await finished(text)
await restored()
await finished('Mark')
learned()
await here.lifecycle.stop({ within_ms: 30_000 })
const left = here.store.sql.all`SELECT event, subject FROM lifecycle_events`
here.close()
console.log(JSON.stringify({ left, logged: here.logged }))

/** The same key is the same run, whichever process started it. */
async function finished(text: string): Promise<void> {
  const started = here.runs.start({ conversation_id, text, author: 'person', key: text })
  if (!started.ok) throw new Error(started.message)
  const { run_id } = started.value
  for (;;) {
    const run = await here.runs.settled(run_id)
    if (run?.state === 'completed') return
    const resumed = here.runs.resume(run_id)
    if (!resumed.ok) throw new Error(resumed.message)
  }
}

async function restored(): Promise<void> {
  const run = here.journal.startedBy('Mark')
  if (!run) throw new Error('there is no run to restore')
  if (here.journal.steps(run.run_id).some(({ step }) => step.kind === 'checkpoint.restored')) return
  const checkpoint_id = here.checkpoints.list(run.run_id, null, {}).items.at(-1)?.checkpoint_id ?? ''
  const end = await here.runs.restore(run.run_id, checkpoint_id, 'overwrite')
  if (!end.ok) throw new Error(end.message)
}

/** A cycle is recorded with its row; here the row is test data. */
function learned(): void {
  const { store, lifecycle } = here
  const run = here.journal.startedBy('One')
  if (!run || store.sql.get`SELECT 1 AS found FROM meta WHERE name = 'learned'`) return
  const { run_id, agent_id } = run
  store.transaction(() => {
    store.sql.run`INSERT INTO meta (name, value) VALUES ('learned', 'yes')`
    const data = { run_id, conversation_id, agent_id, cycle_id: 'cycle' }
    lifecycle.record({ event: 'learning_cycle_recorded', event_id: 'cycle', data })
  })
}
