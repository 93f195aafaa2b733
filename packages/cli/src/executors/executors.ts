// `tandem executors`: the other machines of the user.
import { executorProblem, type ListedExecutor } from '@tandem/contract/executor'
import { findAgent } from '../command/agents.ts'
import { exitCodes } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, joinUsages, parseArguments, printUsage } from '../terminal/args.ts'
import { json, text } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { table } from '../terminal/table.ts'
import { stripControls } from '../terminal/terminal-text.ts'
import { add, addUsage } from './add.ts'
import { executorText, findExecutor, listExecutors } from './executor.ts'

const usage = joinUsages(
  explainedUsage('tandem executors [list] [--json]', 'Lists the remote executors: state, address, and why one cannot be used.'),
  addUsage,
  explainedUsage('tandem executors test NAME [--json]', 'Negotiates with an executor now. The exit code is 1 if it cannot be used.'),
  explainedUsage(
    'tandem executors grant NAME --agent AGENT',
    'Lets an agent run commands on an executor. Each command needs your approval. This setting belongs to this device.',
  ),
  explainedUsage('tandem executors revoke NAME --agent AGENT', 'No longer lets an agent run commands on an executor.'),
  explainedUsage('tandem executors remove NAME', 'Removes an executor and its token from this device.'),
)

export async function executors(args: readonly string[]): Promise<number> {
  if (args[0] === 'add') return await add(args.slice(1))
  const given = parseArguments(args, { json, agent: text }, usage)
  if (!given.ok) return given.code
  const [verb = 'list', name, ...more] = given.words
  if (verb !== 'list' && verb !== 'test' && verb !== 'grant' && verb !== 'revoke' && verb !== 'remove')
    return printUsage(`unknown action "${verb}": choose one of list, add, test, grant, revoke, remove`, usage)
  if (more.length > 0 || (name === undefined) !== (verb === 'list'))
    return printUsage('test, grant, revoke and remove need one executor; list takes none', usage)
  const { agent } = given.values
  const isAboutAgent = verb === 'grant' || verb === 'revoke'
  if (isAboutAgent !== (agent !== undefined)) return printUsage('grant and revoke need --agent; the other actions take none', usage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    if (name === undefined) return await list(client, given.values.json)
    if (isAboutAgent) return await permit(client, verb, name, agent ?? '')
    return verb === 'test' ? await test(client, name, given.values.json) : await remove(client, name)
  })
}

async function list(client: RuntimeClient, asJson: boolean): Promise<number> {
  const all = await listExecutors(client)
  if (!all.ok) return refused(all.error)
  if (asJson) for (const one of all.value) console.log(JSON.stringify(one))
  else if (all.value.length === 0)
    console.log(
      'There are no remote executors yet. Start tandem executor on another machine, then add it with tandem executors add NAME URL.',
    )
  else console.log(table([['name', 'state', 'address', ''], ...all.value.map(rowOf)]))
  return 0
}

function rowOf(executor: ListedExecutor): string[] {
  return [executor.name, executor.state, executor.executor_url, executorProblem(executor) ?? '']
}

async function test(client: RuntimeClient, name: string, asJson: boolean): Promise<number> {
  const found = await findExecutor(client, name)
  if (!found.ok) return refused(found.error)
  const tested = await client.call('executor_test', { executor_id: found.value.executor_id })
  if (!tested.ok) return refused(tested.error)
  const { executor } = tested.value
  console.log(asJson ? JSON.stringify(executor) : executorText(executor))
  return executor.state === 'ready' ? 0 : exitCodes.failed
}

async function permit(client: RuntimeClient, verb: 'grant' | 'revoke', name: string, agent: string): Promise<number> {
  const executor = await findExecutor(client, name)
  if (!executor.ok) return refused(executor.error)
  const found = await findAgent(client, agent)
  if (!found.ok) return refused(found.error)
  const { executor_id } = executor.value
  const { agent_id } = found.value
  const changed = await client.call(verb === 'grant' ? 'executor_grant' : 'executor_revoke', { executor_id, agent_id })
  if (!changed.ok) return refused(changed.error)
  const may = verb === 'grant' ? 'may run commands on' : 'may no longer run commands on'
  console.log(
    stripControls(
      `${found.value.agent.name} ${may} ${executor.value.name}${verb === 'grant' ? '. Each command needs your approval.' : '.'}`,
    ),
  )
  return 0
}

async function remove(client: RuntimeClient, name: string): Promise<number> {
  const found = await findExecutor(client, name)
  if (!found.ok) return refused(found.error)
  const removed = await client.call('executor_remove', { executor_id: found.value.executor_id })
  if (!removed.ok) return refused(removed.error)
  console.log(`${found.value.name} was removed.`)
  return 0
}
