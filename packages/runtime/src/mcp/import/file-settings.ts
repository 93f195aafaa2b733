// What a configuration says about its servers outside of their entries. Pure.
import { type Fields, isFields } from './fields.ts'

export interface FileSettings {
  /** Why the other client does not use a server. */
  readonly off: ReadonlyMap<string, string>
  /** `$NAME` is a reference everywhere, as in Gemini. */
  readonly has_bare_references: boolean
  readonly problems: readonly { readonly name: string; readonly message: string }[]
}

/** `container`: the key of the servers. */
export function fileSettings(file: Fields, container: string, servers: Fields): FileSettings {
  const { mcp, tools } = file
  const allowed = container === 'mcpServers' && isFields(mcp) ? namesIn(mcp.allowed) : null
  const excluded = container === 'mcpServers' && isFields(mcp) ? namesIn(mcp.excluded) : null
  const off = Object.keys(servers).flatMap((name): [string, string][] => {
    if (excluded?.includes(name)) return [[name, 'mcp.excluded names it']]
    return allowed && !allowed.includes(name) ? [[name, 'mcp.allowed does not name it']] : []
  })
  const switched = container === 'mcp' && isFields(tools) ? Object.entries(tools).filter(([, value]) => value === false) : []
  const message = `tools that are switched off there can be used here: leave them out with tandem mcp update SERVER --exclude-tool TOOL (${switched
    .map(([name]) => name)
    .join(', ')
    .slice(0, 500)})`
  return {
    off: new Map(off),
    has_bare_references: allowed !== null || excluded !== null || Object.values(servers).some(isOfGemini),
    problems: switched.length > 0 ? [{ name: 'tools', message }] : [],
  }
}

/** Only Gemini has these fields. */
function isOfGemini(entry: unknown): boolean {
  return (
    isFields(entry) && ['httpUrl', 'trust', 'includeTools', 'excludeTools', 'authProviderType'].some((key) => Object.hasOwn(entry, key))
  )
}

function namesIn(value: unknown): readonly string[] | null {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : null
}
