// One process that makes a run unless there is one, and waits until it was mined. It may be killed meanwhile.
// usage: node --import test-crash-preload.ts test-evolution-process.ts HOME WORKSPACE MODEL_URL CONVERSATION_ID TEXT
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { openRuntime } from '../../src/runtime.ts'

const [home = '', workspace = '', url = '', conversation_id = '', text = ''] = process.argv.slice(2)
const environment = { PATH: process.env.PATH, TANDEM_MODEL_URL: url, TANDEM_MODEL: 'test/model', TANDEM_MEMORY_MODEL: 'off' }
const runtime = openRuntime({ home, workspace, environment, log: (line) => console.error(line) })

const [known] = (await call('agent_run_list', { conversation_id })).items
const run_id = known?.run_id ?? (await call('agent_run_start', { conversation_id, text })).run.run_id
await runtime.settled(run_id)
while ((await call('skill_list_behavior_traces', { run_id })).items.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
await runtime.stop()

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answer = await runtime.commands.call(name, params)
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value
}
