import { resolve } from 'node:path'
import type { ListedSkillBinding } from '@tandem/contract/command'
import { bindingPolicies, defaultBindingPolicy } from '@tandem/contract/skill'
import { exitCodes } from '../../run/exit-code.ts'
import { withRuntimeClient } from '../../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../../terminal/args.ts'
import { confirm } from '../../terminal/confirm.ts'
import { escapeControls } from '../../terminal/terminal-text.ts'
import { resolveAgent } from '../policy.ts'
import { printSkillRefusal, skillText } from './text.ts'

export const bindUsage = explainedUsage(
  `tandem skills bind NAME [--agent NAME] [--policy ${bindingPolicies.join('|')}] [--reviewed SHA256] [--workspace DIR] [--json]`,
  'Assigns a skill to an agent. --policy: when the agent gets its text. --reviewed: the hash of what was shown, to approve it without a terminal.',
)
export const unbindUsage = explainedUsage('tandem skills unbind NAME [--agent NAME] [--json]', 'Removes a skill from an agent.')

const bindOptions = {
  agent: { type: 'string' },
  policy: { type: 'string', default: defaultBindingPolicy },
  reviewed: { type: 'string' },
  workspace: { type: 'string', default: '.' },
  json: { type: 'boolean', default: false },
} as const

/** A skill that is suspicious or comes with a workspace is shown first; the approval covers what was shown. */
export async function bind(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, bindOptions, bindUsage)
  if (!given.ok) return given.code
  const [skill_name, ...more] = given.words
  if (skill_name === undefined || more.length > 0) return printUsage('specify one skill', bindUsage)
  const { agent, policy, reviewed, json } = given.values
  const binding_policy = bindingPolicies.find((one) => one === policy)
  if (!binding_policy) return printUsage(`--policy must be one of ${bindingPolicies.join(', ')}`, bindUsage)
  const workspace = resolve(given.values.workspace)

  return await withRuntimeClient(process.cwd(), async (client) => {
    const agent_id = await agentFor(client, agent)
    if (!agent_id.ok) return printSkillRefusal(agent_id.error)
    const request = { ...agent_id.value, skill_name, binding_policy, workspace }
    const bound = await client.call('skill_bind', { ...request, reviewed_sha256: reviewed ?? null })
    if (bound.ok) return shown(bound.value.binding, json)
    if (bound.error.code !== 'consent_needed') return printSkillRefusal(bound.error)
    const read = await client.call('skill_get', { name: skill_name, workspace })
    if (!read.ok) return printSkillRefusal(read.error)
    console.error(skillText(read.value))
    const { review_sha256 } = read.value
    const answer = await confirm('Allow the agent to follow this skill and to use its files?')
    if (answer === 'no') return exitCodes.failed
    if (answer === null) {
      printSkillRefusal(bound.error)
      console.error(`        Approve the text above with tandem skills bind ${skill_name} --reviewed ${review_sha256}`)
      return exitCodes.paused
    }
    const again = await client.call('skill_bind', { ...request, reviewed_sha256: review_sha256 })
    return again.ok ? shown(again.value.binding, json) : printSkillRefusal(again.error)
  })
}

/** Before the first run there is no agent: the runtime then creates the default one. */
async function agentFor(client: RuntimeClient, name: string | undefined): Promise<CommandAnswer<{ readonly agent_id?: string }>> {
  const found = await resolveAgent(client, name)
  if (found.ok) return { ok: true, value: { agent_id: found.value } }
  const listed = name === undefined ? await client.call('agent_list', { limit: 1 }) : null
  return listed?.ok && listed.value.items.length === 0 ? { ok: true, value: {} } : found
}

export async function unbind(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { agent: { type: 'string' }, json: { type: 'boolean', default: false } }, unbindUsage)
  if (!given.ok) return given.code
  const [skill_name, ...more] = given.words
  if (skill_name === undefined || more.length > 0) return printUsage('specify one skill', unbindUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const agent_id = await resolveAgent(client, given.values.agent)
    if (!agent_id.ok) return printSkillRefusal(agent_id.error)
    const unbound = await client.call('skill_unbind', { agent_id: agent_id.value, skill_name })
    if (!unbound.ok) return printSkillRefusal(unbound.error)
    console.log(given.values.json ? JSON.stringify(unbound.value) : `${skill_name} is no longer assigned.`)
    return 0
  })
}

function shown(bound: ListedSkillBinding, json: boolean): number {
  const { binding, title, problems, folder_note } = bound
  if (json) console.log(JSON.stringify(bound))
  else {
    console.log(`${binding.skill_name} is assigned (${binding.binding_policy}).`)
    if (title !== null) console.error(`It cannot be used here yet: ${title}`)
    for (const { hint } of problems) console.error(`  ${escapeControls(hint)}`)
    if (folder_note !== null) console.error(folder_note)
  }
  return 0
}
