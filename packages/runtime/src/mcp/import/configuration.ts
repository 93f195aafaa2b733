// Finds the servers in the configuration of another client, whatever its format.
import { plainJson } from './jsonc.ts'

export type Fields = Readonly<Record<string, unknown>>

export interface Configuration {
  /** As the client wrote them. */
  readonly servers: readonly (readonly [string, unknown])[]
  /** VS Code asks for these values; the key is what `${input:…}` refers to. */
  readonly inputs: ReadonlyMap<string, Fields>
  /** Parts with servers that are not read. */
  readonly problems: readonly { readonly name: string; readonly message: string }[]
}

/** A string is the fault; it continues a sentence about the text, and contains nothing of it, which may be secret. */
export async function readConfiguration(text: string): Promise<Configuration | string> {
  const parsed = /^\s*(?:\{|\/[/*])/.test(text.replace(/^\uFEFF/, '')) ? fromJson(text) : await fromToml(text)
  if (typeof parsed === 'string') return parsed
  const found = containerOf(parsed)
  if (!found) return 'has no MCP servers: neither mcpServers, servers, mcp nor mcp_servers'
  return { servers: Object.entries(found.servers), inputs: inputsOf(found.inputs), problems: projectProblems(parsed) }
}

function fromJson(text: string): Fields | string {
  try {
    const value: unknown = JSON.parse(plainJson(text))
    return isFields(value) ? value : 'is not a JSON object'
  } catch (error) {
    const [place = ''] = / \(line \d+ column \d+\)/.exec(String(error)) ?? []
    return `is not JSON${place}`
  }
}

async function fromToml(text: string): Promise<Fields | string> {
  const { parse, TomlError } = await import('smol-toml')
  try {
    return parse(text)
  } catch (error) {
    const place = error instanceof TomlError ? ` (line ${error.line} column ${error.column})` : ''
    return `is neither JSON nor TOML${place}`
  }
}

function containerOf(value: Fields): { readonly servers: Fields; readonly inputs: unknown } | null {
  const { mcpServers, servers, mcp, mcp_servers, context_servers } = value
  // Claude, Cursor and most others; VS Code's mcp.json; Codex; Zed.
  for (const direct of [mcpServers, servers, mcp_servers, context_servers])
    if (isFields(direct)) return { servers: direct, inputs: value.inputs }
  if (isFields(value['mcp.servers'])) return { servers: value['mcp.servers'], inputs: value['mcp.inputs'] }
  if (isFields(mcp)) {
    // VS Code's settings.json and newer versions of opencode have one more level than older ones.
    const isNested = isFields(mcp.servers) && !looksLikeServer(mcp.servers)
    return isNested && isFields(mcp.servers) ? { servers: mcp.servers, inputs: mcp.inputs } : { servers: mcp, inputs: undefined }
  }
  return Object.values(value).some(looksLikeServer) ? { servers: value, inputs: undefined } : null
}

function looksLikeServer(value: unknown): boolean {
  if (!isFields(value)) return false
  const { command, url, httpUrl, serverUrl } = value
  return [command, url, httpUrl, serverUrl].some((each) => typeof each === 'string') || Array.isArray(command)
}

function inputsOf(value: unknown): ReadonlyMap<string, Fields> {
  const all = Array.isArray(value) ? value.filter(isFields) : []
  return new Map(all.flatMap((each) => (typeof each.id === 'string' ? [[each.id, each] as const] : [])))
}

/** Claude keeps servers of single folders in the same file. */
function projectProblems({ projects }: Fields): Configuration['problems'] {
  if (!isFields(projects)) return []
  return Object.entries(projects).flatMap(([folder, value]) => {
    const names = isFields(value) && isFields(value.mcpServers) ? Object.keys(value.mcpServers) : []
    const message = `these servers belong to this folder only; import them from a file of their own: ${names.join(', ').slice(0, 1_000)}`
    return names.length === 0 ? [] : [{ name: folder.slice(0, 200), message }]
  })
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
