// Tandem in the team benchmark, in its own process: the whole runtime in a fresh folder, with every feature on.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { isTerminalRunState } from '@tandem/contract/run'
import { openRuntime } from '../packages/runtime/src/runtime.ts'
import { childCount, leadPrompt, serveTeams } from './team-job.ts'

const [url = ''] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
const workspace = join(folder, 'workspace')
mkdirSync(workspace)
const runtime = openRuntime({
  ...{ home: join(folder, 'home'), workspace, log: (line) => console.error(line) },
  environment: { PATH: process.env.PATH, HOME: process.env.HOME, TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: url, TANDEM_MODEL: 'bench' },
})
await call('runtime_set_settings', {
  sections: [
    { section: 'teams', setting: 'at_once', value: childCount },
    { section: 'teams', setting: 'total', value: childCount },
  ],
})
const { agent } = await call('agent_create', { name: 'Bench' })
for (const tool of ['agent.delegate', 'agent.spawn', 'time.now']) {
  const of = { agent_id: agent.agent_id, tool }
  const { policy } = await call('agent_tool_policy_get', of)
  const set = { ...policy.policy, approval_mode: 'auto', rate_limit: { calls: 100_000, per_seconds: 60 } } as const
  await call('agent_tool_policy_set', { ...of, policy: set })
}

serveTeams({
  delegate: () => led('delegate', 1),
  spawn: () => led('spawn', childCount),
  async stop() {
    await runtime.stop()
    rmSync(folder, { recursive: true, force: true })
  },
})

async function led(job: 'delegate' | 'spawn', members: number): Promise<void> {
  const { conversation } = await call('conversation_create', { agent_id: agent.agent_id, workspace })
  const { conversation_id } = conversation
  const { run } = await call('agent_run_start', { conversation_id, text: leadPrompt(job) })
  await ended(run.run_id)
  const { team } = await call('team_get', { run_id: run.run_id })
  const states = team.members.map(({ state }) => state)
  if (states.length !== members + 1 || states.some((state) => state !== 'completed')) throw new Error(`the team is ${states.join(', ')}`)
}

/** A lead that waits for its members is paused meanwhile. */
async function ended(run_id: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = () => {
    if (isTerminalRunState(runtime.journal.run(run_id)?.state ?? 'failed')) resolve()
  }
  const unsubscribe = runtime.bus.subscribe('step', (step) => {
    if (step.run_id === run_id) look()
  })
  look()
  await promise
  unsubscribe()
}

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answer = await runtime.commands.call(name, params)
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value
}
