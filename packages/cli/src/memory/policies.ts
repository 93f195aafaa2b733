// `tandem memory policies` and `policy`: how procedures are distilled from runs that went well.
import { type ProceduralMemoryPolicy, proceduralPolicyModes } from '@tandem/contract/memory'
import { type AgentNames, agentNames } from '../command/agents.ts'
import { listed } from '../command/listing.ts'
import { resolveAgent } from '../command/policy.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, joinUsages, parseArguments, printUsage } from '../terminal/args.ts'
import { flag, json, mostListed, text } from '../terminal/options.ts'
import { counted } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { table } from '../terminal/table.ts'
import { escapeControls } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'
import { answered } from './answer.ts'

const modes = proceduralPolicyModes.join('|')
export const policiesUsage = explainedUsage(
  'tandem memory policies [--json]',
  'Lists how procedures are written from runs that went well, for each agent.',
)
export const policyGetUsage = explainedUsage(
  'tandem memory policy get [--agent NAME] [--json]',
  'Shows how procedures are written for one agent or, without --agent, for agents without their own policy.',
)
export const policySetUsage = explainedUsage(
  `tandem memory policy set ${modes} [--agent NAME] [--complex-from STEPS] [--model NAME | --no-model] [--json]`,
  'Changes how procedures are written. heuristic: local rules only. adaptive: your model for complex procedures. llm_first: always your model, local rules if it fails. Your model is used only while the setting memory.background_model is on.',
  '--complex-from: the number of steps from which a procedure is complex. --model: the model to use. --no-model: the model of the agent.',
)
const policyUsage = joinUsages(policyGetUsage, policySetUsage)

export async function policies(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, policiesUsage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, policiesUsage)
  return await withRuntimeClient(process.cwd(), (client) =>
    listed({
      limit: mostListed,
      json: given.values.json,
      none: 'There are no policies.',
      page: (paging) => client.call('list_procedural_memory_policies', paging),
      async rows(items) {
        const names = await agentNames(client)
        return items.map((one) => rowOf(one, names))
      },
    }),
  )
}

const setOptions = { agent: text, 'complex-from': text, model: text, 'no-model': flag, json } as const

/** Without an agent: the default, for every agent that has no policy of its own. */
export async function policy([verb, ...args]: readonly string[]): Promise<number> {
  if (verb === 'get') return await get(args)
  if (verb === 'set') return await set(args)
  const given = parseArguments(verb === undefined ? [] : [verb, ...args], { json }, policyUsage)
  return given.ok ? printUsage('choose get or set', policyUsage) : given.code
}

async function get(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { agent: text, json }, policyGetUsage)
  if (!given.ok) return given.code
  const { agent } = given.values
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, policyGetUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const agent_id = agent === undefined ? null : await resolveAgent(client, agent)
    if (agent_id && !agent_id.ok) return refused(agent_id.error)
    const params = { agent_id: agent_id ? agent_id.value : null }
    return await answered(client, 'get_procedural_memory_policy', params, given.values.json, async ({ policy: found, inherited }) => {
      const row = table([rowOf(found, await agentNames(client))])
      return inherited && agent !== undefined ? `${row}\nThe agent uses the default policy.` : row
    })
  })
}

async function set(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, setOptions, policySetUsage)
  if (!given.ok) return given.code
  const { agent, 'complex-from': steps, model, 'no-model': noModel } = given.values
  const [word, ...more] = given.words
  const mode = proceduralPolicyModes.find((name) => name === word)
  if (!mode || more.length > 0) return printUsage(`specify one mode: ${proceduralPolicyModes.join(', ')}`, policySetUsage)
  if (steps !== undefined && (!/^[1-9]\d{0,3}$/.test(steps) || Number(steps) > 1_000))
    return printUsage('--complex-from must be a number of steps from 1 to 1000', policySetUsage)
  if (model !== undefined && noModel) return printUsage('--model and --no-model contradict each other', policySetUsage)
  if (model !== undefined && (model.trim() === '' || model.length > 500))
    return printUsage('--model needs the name of a model', policySetUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const agent_id = agent === undefined ? null : await resolveAgent(client, agent)
    if (agent_id && !agent_id.ok) return refused(agent_id.error)
    const params = {
      agent_id: agent_id ? agent_id.value : null,
      mode,
      ...(steps === undefined ? {} : { complex_flow_steps: Number(steps) }),
      ...(noModel ? { model: null } : model === undefined ? {} : { model }),
    }
    return await answered(client, 'set_procedural_memory_policy', params, given.values.json, async (stored) =>
      table([rowOf(stored, await agentNames(client))]),
    )
  })
}

function rowOf({ agent_id, mode, complex_flow_steps, model, updated_at }: ProceduralMemoryPolicy, names: AgentNames): string[] {
  return [
    agent_id === null ? 'default' : escapeControls(names.get(agent_id) ?? agent_id),
    mode,
    `complex: ${counted(complex_flow_steps, 'step')} or more`,
    model === null ? "the agent's model" : escapeControls(model),
    // The initial policy has no time.
    Date.parse(updated_at) === 0 ? 'never changed' : `changed ${utcMinute(updated_at)}`,
  ]
}
