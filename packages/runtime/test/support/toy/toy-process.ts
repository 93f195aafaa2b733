// One process of a runtime that has the toy feature: started in a copy, and killed by the test that started it.
// usage: node toy-process.ts SOURCES HOME WORKSPACE MODEL_URL LATER_MS. Prints what it observes as lines of JSON.
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import type { Runtime } from '../../../src/runtime.ts'

const [sources = '', home = '', workspace = '', base_url = '', later_ms = '0'] = process.argv.slice(2)
const { openRuntime } = (await import(`${pathToFileURL(sources)}/runtime.ts`)) as typeof import('../../../src/runtime.ts')
const { systemClock } = (await import(`${pathToFileURL(sources)}/clock/clock.ts`)) as typeof import('../../../src/clock/clock.ts')
const environment = { PATH: process.env.PATH, TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: base_url, TANDEM_MODEL: 'test/model' }
const clock = { ...systemClock, now: () => Date.now() + Number(later_ms) }
const runtime: Runtime = openRuntime({ home, workspace, environment, log: (line) => console.error(line), clock })

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answered = await runtime.commands.call(name, params)
  if (!answered.ok) throw new Error(`${name}: ${answered.error.message}`)
  return answered.value
}

function tell(seen: object): void {
  console.log(JSON.stringify(seen))
}

const greeting = (value: string | number) => ({ section: 'toy', setting: 'greeting', value })
let [run] = (await call('agent_run_list', { limit: 1 })).items
if (!run) {
  const settings = await call('runtime_set_settings', { sections: [greeting('good night')] })
  const refused = await runtime.commands.call('runtime_set_settings', { sections: [greeting(7)] })
  const unknown = await runtime.commands.call('runtime_set_settings', { sections: [{ ...greeting('x'), section: 'nobody' }] })
  const own = settings.settings.sections.filter(({ section }) => section === 'toy')
  tell({ settings: own, refused: [refused, unknown].map((one) => (one.ok ? null : one.error.message)) })
  const { agent } = await call('agent_create', { name: 'Sleeper' })
  const { policy } = await call('agent_tool_policy_get', { agent_id: agent.agent_id, tool: 'toy.nap' })
  await call('agent_tool_policy_set', {
    agent_id: agent.agent_id,
    tool: 'toy.nap',
    policy: { ...policy.policy, approval_mode: 'auto' },
  })
  const denied = await call('agent_tool_policy_get', { agent_id: agent.agent_id, tool: 'fs.delete' })
  tell({ layers: denied.policy.layers.in_force.map(({ name }) => name) })
  const { conversation } = await call('conversation_create', { agent_id: agent.agent_id, workspace })
  run = (await call('agent_run_start', { conversation_id: conversation.conversation_id, text: 'Sleep for three days' })).run
}
const { run_id } = run
// A run that waits is settled: nothing of it is active.
await runtime.settled(run_id)
for (;;) {
  const { run: now } = await call('agent_run_get', { run_id })
  const { features } = await call('runtime_status', {})
  tell({ state: now.state, reason: now.pause_reason, toy: features.find(({ name }) => name === 'toy') })
  if (now.state === 'completed') break
  await sleep(200)
}
const { items } = await call('agent_run_list_steps', { run_id, limit: 100 })
tell({ kinds: items.map(({ kind }) => kind), results: items.flatMap((step) => (step.kind === 'tool.result' ? [step.output] : [])) })
await runtime.stop()
