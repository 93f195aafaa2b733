// One process with a runtime in which a run with a canary fails, or completes and is restored. It may be killed meanwhile; started again, it
// does what is left to do, and prints what became of the canary as JSON.
// usage: node --import test-crash-preload.ts later-run-child.ts HOME WORKSPACE MODEL_URL CONVERSATION_ID CANDIDATE_ID failed|restored TEXT
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { openRuntime } from '../../../src/runtime.ts'

const [home = '', workspace = '', url = '', conversation_id = '', candidate_id = '', trigger = '', text = ''] = process.argv.slice(2)
const environment = { PATH: process.env.PATH, TANDEM_MODEL_URL: url, TANDEM_MODEL: 'test/model', TANDEM_MEMORY_MODEL: 'off' }
const runtime = openRuntime({ home, workspace, environment, log: (line) => console.error(line) })

const [known] = (await call('agent_run_list', { conversation_id })).items
const run_id = known?.run_id ?? (await call('agent_run_start', { conversation_id, text })).run.run_id
await runtime.settled(run_id)
if (trigger === 'restored' && !runtime.journal.steps(run_id).some(({ step }) => step.kind === 'checkpoint.restored')) {
  const [point] = (await call('agent_run_list_checkpoints', { run_id })).items
  const checkpoint_id = point?.checkpoint_id ?? ''
  await call('agent_run_restore_checkpoint', { action: 'restore', run_id, checkpoint_id, on_conflict: 'overwrite' })
}
while ((await call('learning_of_run', { run_id })).evaluation?.trigger !== trigger) await new Promise((resolve) => setTimeout(resolve, 20))

const { candidate, validations } = await call('agent_run_get_policy_candidate', { candidate_id })
const evaluations = (await call('learning_list_evaluations', { run_id })).items
const result = {
  state: candidate.state,
  rolled_back: validations.filter(({ stage }) => stage === 'rollback').map((one) => [one.trigger, one.cause_run_id === run_id]),
  events: runtime.events.list({ limit: 1_000 }).filter(({ event }) => event === 'policy_rollback_completed').length,
  evaluated: evaluations.map((one) => one.trigger).toReversed(),
}
await runtime.stop()
console.log(JSON.stringify(result))

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answer = await runtime.commands.call(name, params)
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value
}
