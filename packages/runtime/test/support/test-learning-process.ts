// One process that makes a run unless there is one, learns from it, and commits what it taught. It may be killed meanwhile.
// usage: node --import test-crash-preload.ts test-learning-process.ts HOME WORKSPACE MODEL_URL CONVERSATION_ID TEXT
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { openRuntime } from '../../src/runtime.ts'

const [home = '', workspace = '', url = '', conversation_id = '', text = ''] = process.argv.slice(2)
const environment = { PATH: process.env.PATH, TANDEM_MODEL_URL: url, TANDEM_MODEL: 'test/model' }
const runtime = openRuntime({ home, workspace, environment, log: (line) => console.error(line) })

const [known] = (await call('agent_run_list', { conversation_id })).items
const run_id = known?.run_id ?? (await call('agent_run_start', { conversation_id, text })).run.run_id
await runtime.settled(run_id)
let taught = await call('learning_of_run', { run_id })
while (taught.second_opinion === null) {
  await new Promise((resolve) => setTimeout(resolve, 20))
  taught = await call('learning_of_run', { run_id })
}
const [candidate] = taught.writeback_candidates
if (candidate?.state === 'pending') await call('memory_commit_writeback_candidate', { candidate_id: candidate.id })
await runtime.stop()

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answer = await runtime.commands.call(name, params)
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value
}
