// Tandem in the workflow benchmark, in its own process: the whole runtime, with every feature on.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import type { WorkflowDefinition, WorkflowNode } from '@tandem/contract/workflow'
import { openRuntime } from '../packages/runtime/src/runtime.ts'
import { serveWorkflows, spent } from './workflow-job.ts'

const [folder = ''] = process.argv.slice(2)
const workspace = join(folder, 'workspace')
mkdirSync(workspace, { recursive: true })
const runtime = openRuntime({
  ...{ home: join(folder, 'home'), workspace, log: (line) => console.error(line) },
  environment: { PATH: process.env.PATH, HOME: process.env.HOME, TANDEM_MEMORY_MODEL: 'off' },
})

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answer = await runtime.commands.call(name, params)
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value
}

async function newAgent(): Promise<string> {
  const { agent } = await call('agent_create', { name: 'Bench' })
  const of = { agent_id: agent.agent_id, tool: 'time.now' }
  const { policy } = await call('agent_tool_policy_get', of)
  const set = { ...policy.policy, approval_mode: 'auto', rate_limit: { calls: 100_000, per_seconds: 60 } } as const
  await call('agent_tool_policy_set', { ...of, policy: set })
  return agent.agent_id
}

let agent: Promise<string> | undefined
const saved = new Map<string, string>()

/** The ids of the new run and of the run that carries it. */
async function start(name: string, definition: WorkflowDefinition, inputs: object) {
  agent ??= newAgent()
  const workflow_id = saved.get(name) ?? (await call('workflow_save', { name, definition, covers_calls: true })).workflow.workflow_id
  saved.set(name, workflow_id)
  const params = { workflow_id, inputs: JSON.stringify(inputs), workspace, agent_id: await agent }
  return async () => (await call('workflow_start', params)).run
}

async function measured(name: string, definition: WorkflowDefinition, inputs: object) {
  const begin = await start(name, definition, inputs)
  let workflow_run_id = ''
  const taken = await spent(async () => {
    const run = await begin()
    workflow_run_id = run.workflow_run_id
    await runtime.settled(run.run_id)
  })
  const { run } = await call('workflow_snapshot', { workflow_run_id })
  if (run.state !== 'completed') throw new Error(`the workflow run is ${run.state}: ${run.reason}`)
  return taken
}

const tool = (id: string, within?: string): WorkflowNode => ({
  ...{ id, kind: 'tool', tool: 'time.now', arguments: '{}' },
  ...(within ? { within } : {}),
})

function chainOf(nodes: number): WorkflowDefinition {
  const ids = Array.from({ length: nodes }, (_, at) => `n${at}`)
  return { inputs: [], nodes: ids.map((id) => tool(id)), edges: ids.slice(1).map((to, at) => ({ from: `n${at}`, to })) }
}

const loop: WorkflowDefinition = {
  inputs: [{ name: 'items', type: 'json', required: true }],
  nodes: [
    { id: 'each', kind: 'for_each', items: '{{inputs.items}}', concurrency: 8, result: '{{nodes.tick.output.unix}}' },
    tool('tick', 'each'),
  ],
  edges: [],
}

const long: WorkflowDefinition = {
  ...loop,
  nodes: [...loop.nodes, { id: 'ask', kind: 'approval', message: 'Continue?' }, tool('last')],
  edges: [
    { from: 'each', to: 'ask' },
    { from: 'ask', to: 'last', when: 'approved' },
  ],
}

const itemsOf = (items: number) => ({ items: Array.from({ length: items }, (_, item) => item) })

serveWorkflows({
  chain: (nodes) => measured(`chain ${nodes}`, chainOf(nodes), {}),
  forEach: (items) => measured('each', loop, itemsOf(items)),
  async prepare(items) {
    const { run_id } = await (await start('long', long, itemsOf(items)))()
    await runtime.settled(run_id)
    return run_id
  },
  async resume(run_id) {
    const { items } = await call('question_list', { run_id })
    const [question_id = ''] = items.map(({ question }) => question.question_id)
    let lastCalled = 0
    const unsubscribe = runtime.bus.subscribe('step', (step) => {
      if (step.kind === 'tool.started') lastCalled = performance.now()
    })
    const began = performance.now()
    await call('agent_run_resume', { run_id, answer: { kind: 'question', question_id, answer: { chosen: ['approve'], text: null } } })
    await runtime.settled(run_id)
    unsubscribe()
    const { run } = await call('agent_run_get', { run_id })
    if (run.state !== 'completed') throw new Error(`the run is ${run.state}`)
    return lastCalled - began
  },
  stop: () => runtime.stop(),
})
