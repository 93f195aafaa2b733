// Changes the definition of a server. What is not given stays as it is; its approvals of tools and its secrets stay too.
import type { McpServer } from '@tandem/contract/mcp'
import { approvalModes } from '@tandem/contract/tool'
import { withRuntimeClient } from '../../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../../terminal/args.ts'
import { type DefinitionWords, definitionFields, urlProblem } from './add.ts'
import { consentOptions, missingConsentText, requestConsent, testConnection } from './consent.ts'
import { findServer, printServerRefusal } from './server.ts'
import { resetOptions, useExplanation, useOptions, useProblem, useUsage, withUse } from './server-use.ts'

export const updateUsage = explainedUsage(
  `tandem mcp update SERVER [--url URL] [--header NAME]… [--query NAME]… [--env NAME]… [--directory DIR] [--host HOST]… ${useUsage} [--all-agents] [--all-tools] [--name TEXT] [--approval-mode ${approvalModes.join('|')}] [--reconnect|--no-reconnect] [--consent SHA256] [--json] [-- COMMAND [ARGUMENT]…]`,
  'Changes a server. What you do not give stays as it is; a list replaces the earlier one. A change of what it runs needs your approval.',
  useExplanation,
)

const options = {
  ...consentOptions,
  ...definitionFields,
  ...useOptions,
  ...resetOptions,
  'approval-mode': { type: 'string' },
  reconnect: { type: 'boolean', default: false },
} as const

export async function update(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, updateUsage)
  if (!given.ok) return given.code
  const [server_id, ...command] = given.words
  if (server_id === undefined) return printUsage('specify the server', updateUsage)
  const { values } = given
  if (Object.keys(values).every((name) => name === 'json' || values[name as keyof typeof values] === false) && command.length === 0)
    return printUsage('specify what to change', updateUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const found = await findServer(client, server_id)
    if (!found.ok) return printServerRefusal(found.error)
    const { preview: before, network_hosts, consent_problem } = found.value
    const redefined = changed(before.server, command, values)
    const problem = typeof redefined === 'string' ? redefined : useProblem(values)
    if (typeof redefined === 'string' || problem !== null) return printUsage(problem ?? '', updateUsage)
    const used = await withUse(client, redefined, values)
    if (!used.ok) return printServerRefusal(used.error)
    const server = used.value
    const shown = await client.call('mcp_server_preview', { server })
    if (!shown.ok) return printServerRefusal(shown.error)
    const { preview } = shown.value
    const hosts = values.host ?? network_hosts
    const isApproved = consent_problem === null && preview.definition_sha256 === before.definition_sha256 && values.host === undefined
    const answer = isApproved ? 'yes' : await requestConsent(preview, hosts, values.consent ?? [])
    // A server that works is not replaced by one that may not start.
    if (answer !== 'yes') return missingConsentText(answer, `tandem mcp update ${args.map(quoted).join(' ')}`, preview)
    const consent = isApproved ? null : { definition_sha256: preview.definition_sha256, network_hosts: [...hosts] }
    const updated = await client.call('mcp_server_update', { server, consent })
    if (!updated.ok) return printServerRefusal(updated.error, server_id)
    if (server.enabled) return await testConnection(client, server_id, values.json)
    console.log(values.json ? JSON.stringify(updated.value.server) : `Changed ${server_id}; it is disabled.`)
    return 0
  })
}

type Said = DefinitionWords & { readonly reconnect?: boolean | undefined }

/** A string describes what does not fit together. */
function changed(server: McpServer, [command, ...args]: readonly string[], said: Said): McpServer | string {
  const default_approval_mode =
    said['approval-mode'] === undefined ? server.default_approval_mode : approvalModes.find((mode) => mode === said['approval-mode'])
  if (!default_approval_mode) return `--approval-mode must be one of ${approvalModes.join(', ')}`
  if (said.reconnect && said['no-reconnect']) return 'use either --reconnect or --no-reconnect, not both'
  const { server_id, enabled, agent_ids, include_tools, exclude_tools, timeout_seconds } = server
  const use = {
    ...(agent_ids ? { agent_ids } : {}),
    ...(include_tools ? { include_tools } : {}),
    ...(exclude_tools ? { exclude_tools } : {}),
    ...(timeout_seconds === undefined ? {} : { timeout_seconds }),
  }
  const auto_reconnect = said.reconnect ? true : said['no-reconnect'] ? false : server.auto_reconnect
  const shared = { server_id, enabled, auto_reconnect, default_approval_mode, name: said.name ?? server.name, ...use }
  if (said.url !== undefined && command !== undefined) return 'use either a command or --url, not both'
  const isRemote = said.url !== undefined || (command === undefined && server.transport === 'http')
  if (isRemote) {
    if (said.env || said.directory !== undefined) return '--env and --directory are only valid with a command'
    const old = server.transport === 'http' ? server : { url: '', header_names: [], query_names: [] }
    const url = said.url ?? old.url
    const problem = urlProblem(url)
    if (problem !== null) return problem
    return { ...shared, transport: 'http', url, header_names: said.header ?? old.header_names, query_names: said.query ?? old.query_names }
  }
  if (said.header || said.query) return '--header and --query are only valid with --url'
  const old = server.transport === 'stdio' ? server : { command: '', args: [], env_names: [], working_directory: null }
  return {
    ...shared,
    transport: 'stdio',
    command: command ?? old.command,
    args: command === undefined ? old.args : args,
    env_names: said.env ?? old.env_names,
    working_directory: said.directory ?? old.working_directory,
  }
}

/** As a word of a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
