// One process in which a user repeats a routine until its recommendation was proposed, tested, used, rolled back and retired. It does what is
// left to do, and may be killed meanwhile.
// usage: node --import test-crash-preload.ts test-rollout-process.ts HOME WORKSPACE MODEL_URL AGENT_ID
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { openRuntime } from '../../src/runtime.ts'

const [home = '', workspace = '', url = '', agent_id = ''] = process.argv.slice(2)
const environment = { PATH: process.env.PATH, TANDEM_MODEL_URL: url, TANDEM_MODEL: 'test/model', TANDEM_MEMORY_MODEL: 'off' }
const runtime = openRuntime({ home, workspace, environment, log: (line) => console.error(line) })

for (let round = 0; ; round += 1) {
  if (round > 200) throw new Error('it does not end')
  await call('learning_advance_candidates', {})
  const [found] = (await call('skill_list_recommendations', { agent_id })).items
  if (found?.state === 'retired') break
  const of = { recommendation_id: found?.id ?? '' }
  if (found?.state === 'canary_applied' && found.asks !== null) await call('skill_promote_recommendation_to_live', of)
  else if (found?.state === 'live') await call('skill_rollback_recommendation', { ...of, reason: 'Enough.' })
  else if (found?.state === 'rolled_back') await call('skill_retire_recommendation', of)
  else await repeat()
}
await runtime.stop()

async function repeat(): Promise<void> {
  const { conversation_id } = (await call('conversation_create', { agent_id, workspace })).conversation
  const { items } = await call('agent_run_list', { limit: 100 })
  const { run_id } = (await call('agent_run_start', { conversation_id, text: `Make the release ${items.length + 1}, please.` })).run
  await runtime.settled(run_id)
  while ((await call('skill_list_behavior_traces', { run_id })).items.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  // As if each run had happened on another day.
  const database = new DatabaseSync(join(home, 'tandem.db'))
  database.exec("UPDATE evolution_runs SET day = '2026-01-' || (10 + no % 20)")
  database.close()
}

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answer = await runtime.commands.call(name, params)
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value
}
