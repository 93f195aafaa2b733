import type { KeptAgent } from '@tandem/contract/command'
import { sandboxModes } from '@tandem/contract/tool'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, joinUsages, parseArguments, printUsage } from '../terminal/args.ts'
import { printRefusal } from '../terminal/refusal.ts'
import { table } from '../terminal/table.ts'
import { escapeControls } from '../terminal/terminal-text.ts'

const usage = joinUsages(
  explainedUsage('tandem agents [--json]', 'Lists the agents.'),
  explainedUsage(
    'tandem agents create NAME [--instructions TEXT] [--model NAME] [--sandbox MODE] [--json]',
    `Creates an agent. --instructions: how it should work. --model and --sandbox (${sandboxModes.join(', ')}): the defaults of its runs.`,
  ),
  explainedUsage('tandem agents archive NAME [--json]', 'Archives an agent.'),
)

const options = {
  instructions: { type: 'string' },
  model: { type: 'string' },
  sandbox: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

/** `tandem agents`: lists agents and creates new ones. */
export async function agents(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, usage)
  if (!given.ok) return given.code
  const [verb = 'list', name, ...more] = given.words
  const { instructions, model, sandbox, json } = given.values
  const sandbox_mode = sandboxModes.find((mode) => mode === sandbox)
  if (sandbox !== undefined && !sandbox_mode) return printUsage(`--sandbox must be one of ${sandboxModes.join(', ')}`, usage)
  const said = {
    ...(instructions === undefined ? {} : { instructions }),
    ...(model === undefined ? {} : { model }),
    ...(sandbox_mode ? { sandbox_mode } : {}),
  }
  if (verb === 'list' && name === undefined) return await withRuntimeClient(process.cwd(), (client) => list(client, json))
  if (name === undefined || more.length > 0) return printUsage('specify one agent', usage)
  if (verb === 'create')
    return await withRuntimeClient(process.cwd(), async (client) => shown(await client.call('agent_create', { name, ...said }), json))
  if (verb === 'archive') return await withRuntimeClient(process.cwd(), (client) => archive(client, name, json))
  return printUsage(`unknown action "${verb}"`, usage)
}

/** By id, or by a unique name. */
export async function findAgent(client: RuntimeClient, wanted: string): Promise<CommandAnswer<KeptAgent>> {
  const all = await everyAgent(client)
  if (!all.ok) return all
  const byId = all.value.find(({ agent_id }) => agent_id === wanted)
  if (byId) return { ok: true, value: byId }
  const named = all.value.filter(({ agent }) => agent.name === wanted)
  const [one] = named
  if (one && named.length === 1) return { ok: true, value: one }
  const message = one ? `${named.length} agents are named ${wanted}` : `no agent is named ${wanted}`
  return { ok: false, error: { code: 'not_found', message, remedy: 'List the agents and their ids with tandem agents.' } }
}

export async function everyAgent(client: RuntimeClient): Promise<CommandAnswer<KeptAgent[]>> {
  const all: KeptAgent[] = []
  let cursor: string | null = null
  do {
    const page: CommandAnswer<{ items: KeptAgent[]; next_cursor: string | null }> = await client.call('agent_list', {
      limit: 200,
      ...(cursor ? { cursor } : {}),
    })
    if (!page.ok) return page
    all.push(...page.value.items)
    cursor = page.value.next_cursor
  } while (cursor)
  return { ok: true, value: all }
}

/** Empty if the agents cannot be listed: their ids are shown instead. */
export async function agentNames(client: RuntimeClient): Promise<AgentNames> {
  const all = await everyAgent(client)
  return new Map(all.ok ? all.value.map(({ agent_id, agent }) => [agent_id, agent.name]) : [])
}

/** An agent by its id, for users. */
export type AgentNames = ReadonlyMap<string, string>

export function ownerOf(agent_id: string | null, names: AgentNames): string {
  return agent_id === null ? 'all agents' : escapeControls(names.get(agent_id) ?? agent_id)
}

async function list(client: RuntimeClient, json: boolean): Promise<number> {
  const all = await everyAgent(client)
  if (!all.ok) {
    printRefusal(all.error)
    return 1
  }
  if (json) for (const one of all.value) console.log(JSON.stringify(one))
  else if (all.value.length === 0) console.log('There are no agents yet. The first run creates one.')
  else
    console.log(
      table(
        all.value.map(({ agent_id, agent }) => [
          agent_id,
          agent.name,
          agent.model ?? '(default model)',
          agent.sandbox_mode,
          agent.description,
        ]),
      ),
    )
  return 0
}

async function archive(client: RuntimeClient, name: string, json: boolean): Promise<number> {
  const found = await findAgent(client, name)
  if (!found.ok) return shown(found, json)
  return shown(await client.call('agent_archive', { agent_id: found.value.agent_id, archived: true }), json)
}

function shown(answer: CommandAnswer<{ agent: KeptAgent } | KeptAgent>, json: boolean): number {
  if (!answer.ok) {
    printRefusal(answer.error)
    return 1
  }
  const kept = 'agent_id' in answer.value ? answer.value : answer.value.agent
  console.log(json ? JSON.stringify(kept) : table([[kept.agent_id, kept.agent.name]]))
  return 0
}
