import { resolveAgent } from '../command/policy.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { json, text } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { escapeControls } from '../terminal/terminal-text.ts'

export const automaticUsage = explainedUsage(
  'tandem evolution automatic on|off|status --agent NAME [--json]',
  'Sets or shows whether recommendations of an agent that passed their canary go live without asking, on this device.',
)
const verbs = ['on', 'off', 'status']

export async function automatic(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { agent: text, json }, automaticUsage)
  if (!given.ok) return given.code
  const [verb = '', ...more] = given.words
  if (!verbs.includes(verb) || more.length > 0) return printUsage('specify one of on, off, status', automaticUsage)
  const { agent } = given.values
  if (agent === undefined) return printUsage('specify --agent', automaticUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const found = await resolveAgent(client, agent)
    if (!found.ok) return refused(found.error)
    const agent_id = found.value
    const answer =
      verb === 'status'
        ? await client.call('skill_get_promotion', { agent_id })
        : await client.call('skill_set_promotion', { agent_id, automatic: verb === 'on' })
    if (!answer.ok) return refused(answer.error)
    const how = answer.value.automatic ? 'go live without asking when they passed their canary' : 'go live only with your approval'
    console.log(given.values.json ? JSON.stringify(answer.value) : `Recommendations of ${escapeControls(agent)} ${how}.`)
    return 0
  })
}
