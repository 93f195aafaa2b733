// One process of a runtime that erases two deleted conversations: it continues what an earlier one left.
// usage: node --import test-crash-preload.ts test-deletion-process.ts FOLDER MODEL_URL. The last line of the output is the result.
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { systemClock } from '../../src/clock/clock.ts'
import type { FeatureContext } from '../../src/feature/feature-context.ts'
import { openRuntime } from '../../src/runtime.ts'
import { filesWith } from './test-marker.ts'

const [folder = '', base_url = ''] = process.argv.slice(2)
const workspace = join(folder, 'workspace')
const home = join(folder, 'home')
const alive = setInterval(() => undefined, 60_000)
let shift_ms = 0
let ground: FeatureContext | undefined

const runtime = openRuntime({
  home,
  workspace,
  environment: { PATH: process.env.PATH, TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: base_url, TANDEM_MODEL: 'test/model' },
  log: (line) => console.error(line),
  clock: { ...systemClock, now: () => systemClock.now() + shift_ms },
  features: [
    (given) => {
      ground = given
      return { name: 'watcher' }
    },
  ],
})

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answered = await runtime.commands.call(name, params)
  if (!answered.ok) throw new Error(`${name}: ${answered.error.code}: ${answered.error.message}`)
  return answered.value
}

const { sql, runJob } = opened()
const { items: agents } = await call('agent_list', { limit: 100 })
const agent_id = (agents.find(({ agent }) => agent.name === 'Worker') ?? (await call('agent_create', { name: 'Worker' })).agent).agent_id
const isBegun = sql.get`SELECT 1 FROM erased_conversations` !== undefined
if (!isBegun) {
  const { policy } = await call('agent_tool_policy_get', { agent_id, tool: 'fs.write' })
  await call('agent_tool_policy_set', { agent_id, tool: 'fs.write', policy: { ...policy.policy, approval_mode: 'auto' } })
  for (const title of ['Kept', 'Gone', 'Gone too']) {
    const known = (await call('conversation_list', { limit: 100 })).items.find((one) => one.title === title)
    const deleted = (await call('conversation_list', { limit: 100, deleted: true })).items.find((one) => one.title === title)
    if (known || deleted) continue
    const { conversation_id } = (await call('conversation_create', { agent_id, workspace, title })).conversation
    const marker = title === 'Kept' ? 'keepsakemarker' : 'vanishingmarker'
    const { run } = await call('agent_run_start', { conversation_id, text: `write ${title.length}.txt ${marker} ${'x'.repeat(70_000)}` })
    await runtime.settled(run.run_id)
  }
  const { items } = await call('conversation_list', { limit: 100 })
  const gone = items.filter(({ title }) => title !== 'Kept').map(({ conversation_id }) => conversation_id)
  if (gone.length > 0) await call('conversation_delete', { conversation_ids: gone })
}
shift_ms = 25 * 60 * 60_000
// Twice at the same time: the second one joins the first.
await Promise.all([runJob('erase_conversations'), runJob('erase_conversations')])
const stages = sql.all<{ stage: string }>`SELECT stage FROM erased_conversations`.map(({ stage }) => stage)
const titles = [...(await call('conversation_list', {})).items, ...(await call('conversation_list', { deleted: true })).items]
const points = sql.get<{ count: number }>`SELECT count(*) AS count FROM runtime_run_checkpoints`?.count
await runtime.stop()
clearInterval(alive)
console.log(
  JSON.stringify({
    stages,
    titles: titles.map(({ title }) => title),
    points,
    gone: filesWith(home, 'vanishingmarker').map((file) => file.slice(home.length)),
    kept: filesWith(home, 'keepsakemarker').length > 0,
  }),
)

function opened() {
  if (!ground) throw new Error('the runtime has not opened its features')
  const { store, scheduler } = ground
  return { sql: store.sql, runJob: scheduler.runNow }
}
