// `tandem memory preferences` and `auto-review`: what one agent does differently, which is stored in the settings of this device.
import type { Settings } from '@tandem/contract/command'
import { type AgentNames, ownerOf } from '../command/agents.ts'
import { resolveAgent } from '../command/policy.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { json, text } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { escapeControls } from '../terminal/terminal-text.ts'

export const preferencesUsage = explainedUsage(
  'tandem memory preferences shared|own --agent NAME [--json]',
  'Chooses whether the preferences of yours that an agent learns are for all agents, or for this agent only. Preferences that are shared already stay shared.',
)
export const autoReviewUsage = explainedUsage(
  'tandem memory auto-review on|off --agent NAME [--json]',
  'Chooses whether the conversations of an agent are reviewed automatically. You can still start a review with tandem memory review.',
)

/** Each lists the agents that differ from the default. */
type Choice = 'own_preferences' | 'without_reviews'

export async function preferences(args: readonly string[]): Promise<number> {
  return await choose(args, preferencesUsage, 'own_preferences', { listed: 'own', others: 'shared' })
}

export async function autoReview(args: readonly string[]): Promise<number> {
  return await choose(args, autoReviewUsage, 'without_reviews', { listed: 'off', others: 'on' })
}

async function choose(
  args: readonly string[],
  usage: string,
  setting: Choice,
  { listed, others }: { readonly listed: string; readonly others: string },
): Promise<number> {
  const given = parseArguments(args, { agent: text, json }, usage)
  if (!given.ok) return given.code
  const { agent } = given.values
  const [word, ...more] = given.words
  if ((word !== listed && word !== others) || more.length > 0) return printUsage(`choose ${others} or ${listed}`, usage)
  if (agent === undefined) return printUsage('specify --agent', usage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const found = await resolveAgent(client, agent)
    if (!found.ok) return refused(found.error)
    const read = await client.call('runtime_get_settings', {})
    if (!read.ok) return refused(read.error)
    const rest = agentsWith(read.value.settings, setting).filter((id) => id !== found.value)
    const value = word === listed ? [...rest, found.value] : rest
    const saved = await client.call('runtime_set_settings', { sections: [{ section: 'memory', setting, value }] })
    if (!saved.ok) return refused(saved.error)
    const shown = { agent_id: found.value, [setting]: word === listed }
    console.log(
      given.values.json ? JSON.stringify(shown) : sentences[setting][word === listed ? 'listed' : 'others'](escapeControls(agent)),
    )
    return 0
  })
}

/** For `tandem memory status`. */
export function agentChoiceLines(settings: Settings, names: AgentNames): readonly string[] {
  return (['own_preferences', 'without_reviews'] as const).flatMap((setting) =>
    agentsWith(settings, setting).map((id) => sentences[setting].listed(ownerOf(id, names))),
  )
}

const sentences = {
  own_preferences: {
    listed: (name: string) => `The agent ${name} keeps the preferences that it learns to itself.`,
    others: (name: string) => `The agent ${name} shares the preferences that it learns with all agents.`,
  },
  without_reviews: {
    listed: (name: string) => `The conversations of the agent ${name} are not reviewed automatically.`,
    others: (name: string) => `The conversations of the agent ${name} are reviewed automatically.`,
  },
} as const

function agentsWith({ sections }: Settings, wanted: Choice): readonly string[] {
  const value = sections.find(({ section, setting }) => section === 'memory' && setting === wanted)?.value
  return Array.isArray(value) ? value : []
}
