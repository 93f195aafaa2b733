// Reads the `mcpServers` JSON of other clients as untrusted input: nothing is stored or started by reading.
import { defaultMcpApprovalMode, type McpServer } from '@tandem/contract/mcp'
import { type DefinitionPreview, isForbiddenVariable, previewDefinition, readDefinition } from './definition.ts'
import { type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from './failure.ts'
import type { SecretKind } from './ports.ts'

interface ImportedSecret {
  readonly kind: SecretKind
  readonly name: string
  readonly value: string
}

interface ImportedServer {
  readonly preview: DefinitionPreview
  /** They stay on this device; a preview shows only their names. */
  readonly secrets: readonly ImportedSecret[]
}

interface ImportProblem {
  readonly name: string
  readonly message: string
}

export interface Import {
  readonly servers: readonly ImportedServer[]
  readonly problems: readonly ImportProblem[]
}

const longestText = 1024 * 1024
const mostServers = 200

export function readImport(text: string, environment: Readonly<Record<string, string | undefined>>): McpOutcome<Import> {
  if (text.length > longestText) return unreadable('is larger than 1 MiB')
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    // The engine's message quotes a part of the text, which may be a secret.
    const [place = ''] = / \(line \d+ column \d+\)/.exec(String(error)) ?? []
    return unreadable(`is not JSON${place}`)
  }
  const entries = isObject(parsed) ? (parsed.mcpServers ?? parsed.servers) : undefined
  if (!isObject(entries)) return unreadable('has no object called mcpServers')
  const servers: ImportedServer[] = []
  const problems: ImportProblem[] = []
  const taken = new Set<string>()
  for (const [name, entry] of Object.entries(entries).slice(0, mostServers)) {
    const read = isObject(entry) ? readEntry(name, entry, taken, environment) : 'it is not an object'
    if (typeof read === 'string') problems.push({ name: name.slice(0, 200), message: read })
    else {
      taken.add(read.preview.server.server_id)
      servers.push(read)
    }
  }
  return mcpSuccess({ servers, problems })
}

function unreadable(problem: string): McpOutcome<never> {
  return mcpFailed(mcpFailure('invalid_definition', 'mcpServers', `the text ${problem}`, { field: { field: 'text', message: problem } }))
}

type Entry = Record<string, unknown>

function readEntry(
  name: string,
  entry: Entry,
  taken: Set<string>,
  environment: Readonly<Record<string, string | undefined>>,
): ImportedServer | string {
  const server_id = freeId(name, taken)
  const shared = {
    server_id,
    name: name.trim().slice(0, 500) || server_id,
    enabled: entry.disabled !== true,
    auto_reconnect: true,
    default_approval_mode: defaultMcpApprovalMode,
  }
  const address = entry.url ?? entry.serverUrl ?? entry.httpUrl
  const read = typeof address === 'string' ? readHttp(shared, entry, address) : readStdio(shared, entry)
  if (typeof read === 'string') return read
  const server = readDefinition(read.server)
  if (!server.ok) return server.failure.message
  const secrets = read.secrets.flatMap((secret) => {
    const value = resolved(secret.value, environment)
    return value === undefined ? [] : [{ ...secret, value }]
  })
  return { preview: previewDefinition(server.value), secrets }
}

type Shared = Pick<McpServer, 'server_id' | 'name' | 'enabled' | 'auto_reconnect' | 'default_approval_mode'>
type Read = { readonly server: unknown; readonly secrets: readonly ImportedSecret[] } | string

function readStdio(shared: Shared, entry: Entry): Read {
  if (typeof entry.command !== 'string') return 'it has neither a command nor a url'
  const env = texts(entry.env)
  if (!env) return 'env is not an object of strings'
  const forbidden = Object.keys(env).find(isForbiddenVariable)
  if (forbidden) return `the variable ${forbidden} would run code that the command does not show`
  const server = {
    ...shared,
    transport: 'stdio',
    command: entry.command,
    args: entry.args ?? [],
    env_names: Object.keys(env),
    working_directory: entry.cwd ?? null,
  }
  return { server, secrets: Object.entries(env).map(([name, value]) => ({ kind: 'env' as const, name, value })) }
}

function readHttp(shared: Shared, entry: Entry, address: string): Read {
  if (entry.type === 'sse') return 'the old SSE transport is not supported; use the Streamable HTTP address of the server'
  if (!URL.canParse(address)) return `${address.slice(0, 200)} is not a valid address`
  const url = new URL(address)
  if (url.username || url.password) return 'the address contains a password; use a header'
  const headers = texts(entry.headers)
  if (!headers) return 'headers is not an object of strings'
  const query = [...url.searchParams]
  const server = {
    ...shared,
    transport: 'http',
    url: `${url.origin}${url.pathname}`,
    header_names: Object.keys(headers),
    query_names: [...new Set(query.map(([name]) => name))],
  }
  const secrets = [
    ...Object.entries(headers).map(([name, value]) => ({ kind: 'header' as const, name, value })),
    ...query.map(([name, value]) => ({ kind: 'query' as const, name, value })),
  ]
  return { server, secrets }
}

/** `${NAME}` and `${env:NAME}` refer to variables of this device; if one is not set, the user must enter the value. */
function resolved(value: string, environment: Readonly<Record<string, string | undefined>>): string | undefined {
  let whole = true
  const text = value.replace(/\$\{([^}]{1,200})\}/g, (_, reference: string) => {
    const found = environment[reference.replace(/^env:/, '')]
    if (found === undefined) whole = false
    return found ?? ''
  })
  return whole && text !== '' ? text : undefined
}

function freeId(name: string, taken: Set<string>): string {
  const plain =
    name
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^[-_]+|-+$/g, '')
      .slice(0, 60) || 'server'
  let id = plain
  for (let round = 2; taken.has(id); round += 1) id = `${plain}-${round}`
  return id
}

function texts(value: unknown): Record<string, string> | null {
  if (value === undefined || value === null) return {}
  if (!isObject(value)) return null
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    typeof each === 'number' || typeof each === 'boolean' ? String(each) : each,
  ])
  return entries.every(([, each]) => typeof each === 'string') ? Object.fromEntries(entries) : null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
