// A process in which a candidate is created, tested, applied, kept and rolled back: started by crash.test.ts, killed at crash points.
// usage: node --import test-crash-preload.ts candidate-crash-child.ts HOME. Does what is left to do, and prints the result as JSON.
import { deniedWrite, madeWrite, openTestCandidates } from './test-candidates.ts'

const [home = ''] = process.argv.slice(2)
const here = openTestCandidates({ home, now: Date.now() })
const { candidates, policies } = here

for (const path of ['a.md', 'b.md', 'c.md'].slice(here.journal.runs({ limit: 10 }).length)) {
  const run_id = here.start()
  here.turn(run_id)
  candidates.after(here.end(run_id, 'completed', [deniedWrite('keys.env'), madeWrite(path)]))
}
const found = candidates.recommend('agent')
const [run] = here.journal.runs({ limit: 1 })
if (found && run) candidates.create(found, { reflection_id: here.journal.runs({ limit: 10 }).at(-1)?.run_id ?? '', run })
await candidates.advance(null, 'scheduler')
const [candidate] = candidates.ofRun(run?.run_id ?? '')
const params = { candidate_id: candidate?.id ?? '' }
if (candidate?.state === 'canary_applied') {
  const kept = await here.call('learning_keep_policy_candidate', params)
  const globs = policies.of('agent', 'fs.write').policy.fs_scope.globs
  if (!kept.ok || globs.length !== 2) throw new Error(`it was not kept: ${JSON.stringify(kept)}`)
  await here.call('agent_run_rollback_policy_candidate', { ...params, reason: 'Undo.' })
}
const { validations } = here.get(params.candidate_id)
const steps = validations.map(({ stage, outcome, from_state, to_state }) => `${stage} ${outcome}: ${from_state} ${to_state}`)
const events = here.events.list({ limit: 1_000 }).flatMap(({ event }) => (event.startsWith('policy_') ? [event] : []))
console.log(JSON.stringify({ steps, events, globs: policies.of('agent', 'fs.write').policy.fs_scope.globs }))
here.close()
