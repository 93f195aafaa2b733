// Finds the servers in the configuration of another client, whatever its format.
import { type Fields, isFields } from './fields.ts'
import { type FileSettings, fileSettings } from './file-settings.ts'
import { plainJson } from './jsonc.ts'

export interface Configuration {
  /** As the client wrote them. */
  readonly servers: readonly (readonly [string, unknown])[]
  /** VS Code asks for these values; the key is what `${input:…}` refers to. */
  readonly inputs: ReadonlyMap<string, Fields>
  /** Parts with servers that are not read. */
  readonly problems: readonly { readonly name: string; readonly message: string }[]
  readonly settings: Pick<FileSettings, 'off' | 'has_bare_references'>
}

/** A string is the fault; it continues a sentence about the text, and contains nothing of it, which may be secret. */
export async function readConfiguration(text: string): Promise<Configuration | string> {
  const isJson = /^\s*(?:\{|\/[/*])/.test(text.replace(/^\uFEFF/, ''))
  const parsed = isJson ? fromJson(text) : await fromToml(text)
  if (typeof parsed === 'string') return parsed
  const found = containerOf(parsed, isJson)
  if (!found) return 'has no MCP servers: neither mcpServers, servers, mcp nor mcp_servers'
  const settings = fileSettings(parsed, found.key, found.servers)
  return {
    servers: Object.entries(found.servers),
    inputs: inputsOf(found.inputs),
    problems: [...projectProblems(parsed), ...otherContainers(parsed, found.key), ...settings.problems],
    settings,
  }
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

interface Container {
  readonly key: string
  readonly servers: Fields
  readonly inputs: unknown
}

/** Claude, Cursor and most others; VS Code's mcp.json; Codex; Zed. */
const direct = ['mcpServers', 'servers', 'mcp_servers', 'context_servers'] as const

function containerOf(value: Fields, isJson: boolean): Container | null {
  const { mcp } = value
  // Codex reads only its own table.
  for (const key of isJson ? direct : (['mcp_servers', ...direct] as const)) {
    const servers = value[key]
    if (isFields(servers)) return { key, servers, inputs: value.inputs }
  }
  if (isFields(value['mcp.servers'])) return { key: 'mcp.servers', servers: value['mcp.servers'], inputs: value['mcp.inputs'] }
  if (isFields(mcp)) {
    // VS Code's settings.json and newer versions of opencode have one more level than older ones.
    const isNested = isFields(mcp.servers) && !looksLikeServer(mcp.servers)
    return isNested && isFields(mcp.servers)
      ? { key: 'mcp', servers: mcp.servers, inputs: mcp.inputs }
      : { key: 'mcp', servers: mcp, inputs: undefined }
  }
  return Object.values(value).some(looksLikeServer) ? { key: '', servers: value, inputs: undefined } : null
}

/** A file with servers in several places is that of one client, which reads one of them. */
function otherContainers(file: Fields, used: string): Configuration['problems'] {
  return direct.flatMap((key) => {
    const servers = file[key]
    if (key === used || used === '' || !isFields(servers) || !Object.values(servers).some(looksLikeServer)) return []
    const names = Object.keys(servers).join(', ').slice(0, 1_000)
    return [{ name: key, message: `the servers of ${used} are imported, and not these; import them from a file of their own: ${names}` }]
  })
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
