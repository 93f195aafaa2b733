import type { CommandError, EffectiveToolPolicy } from '@tandem/contract/command'
import { approvalModes, changingLayers, ignoredLayers, type ToolPolicy } from '@tandem/contract/tool'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, joinUsages, parseArguments, printUsage } from '../terminal/args.ts'
import { printRefusal } from '../terminal/refusal.ts'
import { table } from '../terminal/table.ts'
import { escapeControls } from '../terminal/terminal-text.ts'
import { findAgent } from './agents.ts'
import { listRules, revokeRule } from './policy-rules.ts'

const usage = joinUsages(
  explainedUsage(
    'tandem policy [show [TOOL]] [--agent NAME] [--run ID] [--json]',
    'Shows what an agent may do with each tool, or with one. --run: as it applies in this run.',
  ),
  explainedUsage(
    'tandem policy set TOOL [--agent NAME] [--enabled yes|no] [--approval-mode MODE] [--rate-limit CALLS/SECONDS] [--time-limit SECONDS] ' +
      '[--host PATTERN]… [--no-network] [--root DIR]… [--glob PATTERN]…',
    `Changes what an agent may do with a tool. MODE is one of ${approvalModes.join(', ')}. --host, --root and --glob: the hosts, folders and files that the tool may access.`,
  ),
  explainedUsage('tandem policy reset TOOL [--agent NAME]', 'Uses the default policy for a tool again.'),
  explainedUsage(
    'tandem policy rules [--agent NAME] [--json]',
    'Lists the calls that you always allow, when and where you allowed them, and when they were last used.',
  ),
  explainedUsage('tandem policy revoke ID', 'Revokes one of these rules.'),
)

const options = {
  agent: { type: 'string' },
  run: { type: 'string' },
  json: { type: 'boolean', default: false },
  enabled: { type: 'string' },
  'approval-mode': { type: 'string' },
  'rate-limit': { type: 'string' },
  'time-limit': { type: 'string' },
  host: { type: 'string', multiple: true },
  'no-network': { type: 'boolean', default: false },
  root: { type: 'string', multiple: true },
  glob: { type: 'string', multiple: true },
} as const

type Said = { readonly [Name in keyof typeof options]?: string | string[] | boolean | undefined }

const verbs: readonly string[] = ['show', 'set', 'reset', 'rules', 'revoke']

/** `tandem policy`: what an agent may do with each tool, and what "always" remembers. */
export async function policy(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, usage)
  if (!given.ok) return given.code
  const [verb = 'show', tool, ...more] = given.words
  if (more.length > 0 || !verbs.includes(verb)) return printUsage(`unexpected argument "${more[0] ?? verb}"`, usage)
  if (verb === 'revoke' && tool === undefined)
    return printUsage('specify the rule by its id; list the rules with tandem policy rules', usage)
  if (verb === 'rules' && tool !== undefined) return printUsage(`unexpected argument "${tool}"`, usage)
  if ((verb === 'set' || verb === 'reset') && tool === undefined) return printUsage('specify the tool', usage)
  const change = parsePolicyChange(given.values)
  if (typeof change === 'string') return printUsage(change, usage)
  if (verb !== 'set' && Object.keys(change).length > 0) return printUsage(`these options are only valid with set`, usage)
  if (verb === 'set' && Object.keys(change).length === 0) return printUsage('specify what to set', usage)
  const { agent, json, run } = given.values
  if (verb !== 'show' && run !== undefined) return printUsage('--run is only valid with show', usage)

  return await withRuntimeClient(process.cwd(), async (client) => {
    if (verb === 'revoke' && tool !== undefined) return await revokeRule(client, tool)
    if (verb === 'rules' && agent === undefined) return await listRules(client, null, json)
    const agent_id = await resolveAgent(client, agent)
    if (!agent_id.ok) return refused(agent_id.error)
    const of = { agent_id: agent_id.value }
    if (verb === 'rules') return await listRules(client, of.agent_id, json)
    const ofRun = { ...of, ...(run === undefined ? {} : { run_id: run }) }
    if (tool === undefined) return await list(client, ofRun, json)
    if (verb === 'reset') return shown(await client.call('agent_tool_policy_reset', { ...of, tool }))
    const now = await client.call('agent_tool_policy_get', { ...ofRun, tool })
    if (!now.ok || verb === 'show') return shown(now)
    return shown(await client.call('agent_tool_policy_set', { ...of, tool, policy: { ...now.value.policy.policy, ...change } }))
  })
}

/** The given fields; a string describes what is wrong with one. */
export function parsePolicyChange(said: Said): Partial<ToolPolicy> | string {
  const change: Partial<ToolPolicy> = {}
  if (said.enabled !== undefined) {
    if (said.enabled !== 'yes' && said.enabled !== 'no') return '--enabled must be yes or no'
    change.enabled = said.enabled === 'yes'
  }
  if (said['approval-mode'] !== undefined) {
    const mode = approvalModes.find((name) => name === said['approval-mode'])
    if (!mode) return `--approval-mode must be one of ${approvalModes.join(', ')}`
    change.approval_mode = mode
  }
  if (said['rate-limit'] !== undefined) {
    const [, calls, per_seconds] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(String(said['rate-limit'])) ?? []
    if (calls === undefined) return '--rate-limit must be calls/seconds, such as 30/60'
    change.rate_limit = { calls: Number(calls), per_seconds: Number(per_seconds) }
  }
  if (said['time-limit'] !== undefined) {
    if (!/^[1-9]\d*$/.test(String(said['time-limit']))) return '--time-limit must be a number of seconds'
    change.time_limit = { seconds: Number(said['time-limit']) }
  }
  if (said['no-network'] && said.host) return '--host and --no-network contradict each other'
  if (said['no-network']) change.network_scope = { hosts: [] }
  if (Array.isArray(said.host)) change.network_scope = { hosts: said.host }
  if (said.root || said.glob) change.fs_scope = { roots: listOf(said.root, '.'), globs: listOf(said.glob, '**') }
  return change
}

function listOf(said: Said[keyof Said], usual: string): string[] {
  return Array.isArray(said) ? said : [usual]
}

/** The given agent; by default, the only one there is. */
export async function resolveAgent(client: RuntimeClient, name: string | undefined): Promise<CommandAnswer<string>> {
  if (name !== undefined) {
    const found = await findAgent(client, name)
    return found.ok ? { ok: true, value: found.value.agent_id } : found
  }
  const listed = await client.call('agent_list', { limit: 2 })
  if (!listed.ok) return listed
  const [only, second] = listed.value.items
  if (only && !second) return { ok: true, value: only.agent_id }
  const message = only ? 'there are several agents: choose one with --agent' : 'there are no agents yet'
  return {
    ok: false,
    error: {
      code: 'not_found',
      message,
      remedy: only ? 'List the agents with tandem agents.' : 'Create one with tandem agents create NAME.',
    },
  }
}

async function list(client: RuntimeClient, of: { readonly agent_id: string; readonly run_id?: string }, json: boolean): Promise<number> {
  const rows: string[][] = []
  let cursor: string | null = null
  do {
    const page: CommandAnswer<{ items: EffectiveToolPolicy[]; next_cursor: string | null }> = await client.call('agent_tool_policy_list', {
      ...of,
      limit: 200,
      ...(cursor ? { cursor } : {}),
    })
    if (!page.ok) return refused(page.error)
    if (json) for (const one of page.value.items) console.log(JSON.stringify(one))
    rows.push(...page.value.items.map(policyRow))
    cursor = page.value.next_cursor
  } while (cursor)
  if (!json) console.log(table(rows))
  return 0
}

/** One tool per row, with the layers that change what is configured. */
export function policyRow(effective: EffectiveToolPolicy): string[] {
  const { tool, policy, remembered, source, layers } = effective
  const { enabled, approval_mode, network_scope, fs_scope } = policy
  const hosts = network_scope.hosts.length === 0 ? 'no network' : `network ${network_scope.hosts.join(' ')}`
  const always = remembered.length === 0 ? '' : `${remembered.length} saved ${remembered.length === 1 ? 'approval' : 'approvals'}`
  const [changed, ignored] = [changingLayers(layers), ignoredLayers(layers)]
  const notes = [
    ...(changed === null ? [] : [`changed by ${escapeControls(changed)}`]),
    ...(ignored === null ? [] : [`ignored: ${escapeControls(ignored)}`]),
  ]
  return [tool, enabled ? approval_mode : 'off', hosts, `files ${fs_scope.roots.join(' ')}`, source, always, notes.join('; ')]
}

function shown(answer: CommandAnswer<{ policy: EffectiveToolPolicy }>): number {
  if (!answer.ok) return refused(answer.error)
  console.log(JSON.stringify(answer.value.policy, null, 2))
  return 0
}

function refused(error: CommandError): number {
  printRefusal(error)
  return error.code === 'invalid_params' ? 2 : 1
}
