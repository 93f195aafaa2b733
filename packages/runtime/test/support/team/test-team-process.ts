// One process of a whole runtime with a team: it starts the team, or continues what an earlier process left, until its first run has ended.
// usage: node --import test-crash-preload.ts test-team-process.ts FOLDER MODEL_URL. The last line is the result.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTerminalRunState } from '@tandem/contract/run'
import { systemClock } from '../../../src/clock/clock.ts'
import { isTemporaryName } from '../../../src/sandbox/files/replace.ts'
import { openProcessRuntime } from '../test-process-runtime.ts'

const [folder = '', model_url = ''] = process.argv.slice(2)

/** The jobs that continue runs and teams need not wait for seconds. */
const clock = {
  ...systemClock,
  after: (ms: number, call: () => void) => systemClock.after(ms === 1_000 || ms === 5_000 || ms === 15_000 ? 50 : ms, call),
}

const { runtime, workspace, call, end } = openProcessRuntime(folder, model_url, { clock })

const run_id = await theRun()
for (let idle = 0; !isTerminalRunState(runtime.journal.run(run_id)?.state ?? 'failed'); idle += 1) {
  if (idle > 1_500) throw new Error(`nothing happens any more: ${JSON.stringify(await howItEnded())}`)
  await answerAll()
  const { team } = await call('team_get', { run_id })
  // After a crash, a person resumes the whole team at once.
  if (team.members.some(({ pause_reason }) => pause_reason === 'crash' || pause_reason === 'user'))
    await runtime.commands.call('team_resume', { run_id })
  await new Promise((resolve) => setTimeout(resolve, 20))
}
await end(await howItEnded())

async function theRun(): Promise<string> {
  const { items } = await call('agent_run_list', { limit: 100 })
  const known = items.find(({ title }) => title === 'Lead')
  if (known) return known.run_id
  const kept = (await call('agent_list', { limit: 100 })).items.find(({ agent }) => agent.name === 'Leader')
  const { agent_id } = kept ?? (await call('agent_create', { name: 'Leader' })).agent
  for (const tool of ['agent.spawn', 'agent.delegate', 'fs.write', 'fs.delete']) {
    const { policy } = await call('agent_tool_policy_get', { agent_id, tool })
    await call('agent_tool_policy_set', { agent_id, tool, policy: { ...policy.policy, approval_mode: 'auto' } })
  }
  const { conversation } = await call('conversation_create', { agent_id, workspace })
  const started = await call('agent_run_start', { conversation_id: conversation.conversation_id, text: 'Lead', key: 'lead' })
  return started.run.run_id
}

/** Deleting and merging need an approval each time. */
async function answerAll(): Promise<void> {
  for (const { run_id: waiting, approval } of (await call('approval_list', {})).items) {
    const { approval_id, fingerprint } = approval
    const answer = { kind: 'approval' as const, approval_id, fingerprint, answer: 'once' as const }
    await runtime.commands.call('agent_run_resume', { run_id: waiting, answer })
  }
}

/** Everything that must be the same, whether it was killed or not. */
async function howItEnded() {
  const { journal } = runtime
  const { team } = await call('team_get', { run_id })
  const steps = journal.steps(run_id).map(({ step }) => step)
  const told = steps.flatMap((step) => (step.kind === 'team.message' ? [step.text.split('\n', 1)[0]?.replace(/\(run .*?\)/, '')] : []))
  return {
    members: team.members.map(({ title, state }) => [title, state]).toSorted(),
    told: told.toSorted(),
    ended: steps.filter(({ kind }) => kind === 'child.ended').length,
    merged: steps.flatMap((step) => (step.kind === 'merge.applied' ? [step.changed_paths] : [])),
    files: filesIn(workspace),
    copies: (await call('team_get_copies', {})).copies.map(({ title, state }) => [title, state]),
    rest: existsSync(join(folder, 'home', 'merges')) ? readdirSync(join(folder, 'home', 'merges')) : [],
  }
}

/** A process that is killed while it writes a file leaves its temporary file, which is part of no work. */
function filesIn(place: string): readonly string[] {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !isTemporaryName(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => `${path.slice(place.length + 1)}: ${readFileSync(path, 'utf8').trim()}`)
    .toSorted()
}
