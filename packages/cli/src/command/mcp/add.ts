import { defaultMcpApprovalMode, type McpServer } from '@tandem/contract/mcp'
import { approvalModes } from '@tandem/contract/tool'
import { withRuntimeClient } from '../../runtime-client/connect.ts'
import { explainedUsage, joinUsages, parseArguments, printUsage } from '../../terminal/args.ts'
import { consentOptions, missingConsentText, requestConsent, testConnection } from './consent.ts'
import { printServerRefusal } from './server.ts'
import { useExplanation, useOptions, useProblem, useUsage, withUse } from './server-use.ts'

const both = `${useUsage} [--name TEXT] [--approval-mode ${approvalModes.join('|')}] [--no-reconnect] [--consent SHA256] [--json]`
export const addUsage = joinUsages(
  explainedUsage(
    `tandem mcp add SERVER [--env NAME]… [--directory DIR] [--host HOST]… ${both} -- COMMAND [ARGUMENT]…`,
    'Adds a program on this device, shows what it runs, and asks for your approval. --env: a variable to pass to it. --host: a host it may reach.',
    useExplanation,
  ),
  explainedUsage(
    `tandem mcp add SERVER --url URL [--header NAME]… [--query NAME]… [--host HOST]… ${both}`,
    'Adds a server at a URL (Streamable HTTP). Set the values of headers and query fields with tandem mcp secret.',
    '--consent: the hash of what was shown before, to approve it without a terminal.',
  ),
)

export const definitionFields = {
  name: { type: 'string' },
  url: { type: 'string' },
  env: { type: 'string', multiple: true },
  header: { type: 'string', multiple: true },
  query: { type: 'string', multiple: true },
  directory: { type: 'string' },
  'no-reconnect': { type: 'boolean', default: false },
} as const

const options = {
  ...consentOptions,
  ...definitionFields,
  ...useOptions,
  'approval-mode': { type: 'string', default: defaultMcpApprovalMode },
} as const

/** Shows the server, asks for consent, stores and tests it. Without consent it is stored and not started. */
export async function add(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, addUsage)
  if (!given.ok) return given.code
  const defined = definitionOf(given.words, given.values)
  const problem = typeof defined === 'string' ? defined : useProblem(given.values)
  if (typeof defined === 'string' || problem !== null) return printUsage(problem ?? '', addUsage)
  const { host = [], consent: hashes = [], json } = given.values
  return await withRuntimeClient(process.cwd(), async (client) => {
    const used = await withUse(client, defined, given.values)
    if (!used.ok) return printServerRefusal(used.error)
    const server = used.value
    const shown = await client.call('mcp_server_preview', { server })
    if (!shown.ok) return printServerRefusal(shown.error)
    const { preview } = shown.value
    const answer = await requestConsent(preview, host, hashes)
    if (answer === 'no' || answer === 'other') return missingConsentText(answer, '', preview)
    const consent = answer === 'yes' ? { definition_sha256: preview.definition_sha256, network_hosts: host } : null
    const added = await client.call('mcp_server_add', { server, consent })
    if (!added.ok) return printServerRefusal(added.error)
    if (answer === 'yes') return await testConnection(client, server.server_id, json)
    if (json) console.log(JSON.stringify(added.value.server))
    console.error(`Added ${server.server_id}; it was not started.`)
    return missingConsentText(answer, `tandem mcp consent ${server.server_id}`, preview)
  })
}

export interface DefinitionWords {
  readonly name?: string | undefined
  readonly url?: string | undefined
  readonly env?: string[] | undefined
  readonly header?: string[] | undefined
  readonly query?: string[] | undefined
  readonly directory?: string | undefined
  readonly 'approval-mode'?: string | undefined
  readonly 'no-reconnect'?: boolean | undefined
}

/** A string describes what is missing or superfluous. */
function definitionOf([server_id, command, ...args]: readonly string[], said: DefinitionWords): McpServer | string {
  if (server_id === undefined) return 'specify the server'
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(server_id)) return `"${server_id}" is not a valid server name: use letters, digits, - and _`
  const default_approval_mode = approvalModes.find((mode) => mode === said['approval-mode'])
  if (!default_approval_mode) return `--approval-mode must be one of ${approvalModes.join(', ')}`
  const shared = { server_id, name: said.name ?? server_id, enabled: true, auto_reconnect: !said['no-reconnect'], default_approval_mode }
  if (said.url !== undefined) {
    if (command !== undefined) return 'use either a command or --url, not both'
    if (said.env || said.directory !== undefined) return '--env and --directory are only valid with a command'
    const problem = urlProblem(said.url)
    if (problem !== null) return problem
    return { ...shared, transport: 'http', url: said.url, header_names: said.header ?? [], query_names: said.query ?? [] }
  }
  if (command === undefined) return 'specify --url, or the command after --'
  if (said.header || said.query) return '--header and --query are only valid with --url'
  return { ...shared, transport: 'stdio', command, args, env_names: said.env ?? [], working_directory: said.directory ?? null }
}

/** An address is synchronized; secrets are not. */
export function urlProblem(url: string): string | null {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return `${url} is not a valid URL: it must start with http:// or https://`
  const { username, password, search, hash } = new URL(url)
  if (username !== '' || password !== '') return 'a URL cannot contain a password: use --header'
  return search === '' && hash === '' ? null : 'a URL cannot contain a query: use --query for its fields'
}
