// Tandem in the loop benchmark, in its own process: the whole runtime in a fresh folder, with every feature on.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRuntime, type Runtime } from '../packages/runtime/src/runtime.ts'
import { serveJobs, threadPrompts } from './loop-job.ts'

const [url = ''] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
const workspace = join(folder, 'workspace')
mkdirSync(workspace)

const open = (home: string) =>
  openRuntime({
    home,
    workspace,
    environment: { TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: url, TANDEM_MODEL: 'bench' },
    log: (line) => console.error(line),
  })
const runtime = open(join(folder, 'home'))
const agent_id = await agentOf(runtime)

serveJobs({
  async steps(count) {
    const { conversation } = await must(runtime.commands.call('conversation_create', { agent_id, workspace }))
    return () => finished(runtime, conversation.conversation_id, `bench: steps ${count}`)
  },
  async thread() {
    const home = join(folder, 'thread')
    const other = open(home)
    const of = { agent_id: await agentOf(other), workspace }
    const { conversation } = await must(other.commands.call('conversation_create', of))
    for (const text of threadPrompts) await finished(other, conversation.conversation_id, text)
    await other.stop()
    return weight(home)
  },
  async stop() {
    await runtime.stop()
    rmSync(folder, { recursive: true, force: true })
  },
})

async function agentOf({ commands }: Runtime): Promise<string> {
  const { agent } = await must(commands.call('agent_create', { name: 'Bench', max_turns: 10_000 }))
  const of = { agent_id: agent.agent_id, tool: 'time.now' }
  const { policy } = await must(commands.call('agent_tool_policy_get', of))
  const set = { ...policy.policy, approval_mode: 'auto', rate_limit: { calls: 100_000, per_seconds: 60 } } as const
  await must(commands.call('agent_tool_policy_set', { ...of, policy: set }))
  return agent.agent_id
}

async function finished({ commands, settled }: Runtime, conversation_id: string, text: string): Promise<void> {
  const { run } = await must(commands.call('agent_run_start', { conversation_id, text }))
  await settled(run.run_id)
  const { run: ended } = await must(commands.call('agent_run_get', { run_id: run.run_id }))
  if (ended.state !== 'completed') throw new Error(`the run ended ${ended.state}: ${JSON.stringify(ended.failure_contract)}`)
}

async function must<Value>(answer: Promise<{ ok: true; value: Value } | { ok: false; error: { message: string } }>): Promise<Value> {
  const given = await answer
  if (!given.ok) throw new Error(given.error.message)
  return given.value
}

/** The whole folder, not only the database. */
function weight(home: string): number {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((bytes, entry) => bytes + statSync(join(entry.parentPath, entry.name)).size, 0)
}
