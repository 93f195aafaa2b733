// What a run gets of the MCP servers: the tools it can search, and a section of its prompt.
import type { McpServer } from '@tandem/contract/mcp'
import type { PromptSection } from '../feature/feature.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { ToolRegistry } from '../pipeline/registry.ts'
import { tokensOfTools } from '../pipeline/tool-tokens.ts'
import type { CallPolicies } from '../policy/call-policies.ts'
import { withoutInvisible } from '../policy/untrusted-text.ts'
import { shownInstructions } from './instructions.ts'
import { type SearchableTool, searchable } from './search/search-tool.ts'
import type { McpService } from './service.ts'
import { serverOf } from './tool/tool-name.ts'

export interface RunToolsPorts {
  readonly mcp: Pick<McpService, 'standing' | 'listServers' | 'instructions'>
  readonly registry: Pick<ToolRegistry, 'list'>
  readonly callPolicies: Pick<CallPolicies, 'offered'>
  budget(): number
}

export interface RunTools {
  /** The tools of servers that the run may use. */
  searchable(run: RunRecord | undefined): readonly SearchableTool[]
  readonly prompt: PromptSection
  /** What the tools of a server cost in a request that lists them. */
  tokensOf(server_id: string): number
}

export function openRunTools({ mcp, registry, callPolicies, budget }: RunToolsPorts): RunTools {
  function usable(run: RunRecord) {
    const tools = registry.list().filter(({ origin }) => origin && !origin.refusal?.(run))
    // Without servers, which is usual, no policies have to be read for them in every turn.
    return tools.length === 0 ? [] : callPolicies.offered(run, tools).tools
  }

  function servers(): ReadonlyMap<string, McpServer> {
    return new Map(mcp.listServers().map(({ preview: { server } }) => [server.server_id, server]))
  }

  return {
    searchable(run) {
      const known = servers()
      return (run ? usable(run) : []).flatMap((tool) => {
        const [server, listed] = [known.get(serverOf(tool.name) ?? ''), mcp.standing(tool.name)]
        return server && listed ? [searchable(tool, server, withoutInvisible(listed.tool.description))] : []
      })
    },
    tokensOf: (server_id) => tokensOfTools(registry.list().filter(({ name }) => serverOf(name) === server_id)),
    prompt: {
      order: 20,
      max_tokens: 2_000,
      stable: true,
      async text(run) {
        const tools = usable(run)
        if (tools.length === 0) return ''
        const counts = new Map<string, number>()
        for (const { name } of tools) counts.set(serverOf(name) ?? '', (counts.get(serverOf(name) ?? '') ?? 0) + 1)
        const known = servers()
        const isSearched = tokensOfTools(tools) > budget()
        const lines = [...counts].map(([id, count]) => `- ${id}${titleOf(known.get(id))}: ${count} ${count === 1 ? 'tool' : 'tools'}`)
        const listed = `These servers have ${tools.length} tools, too many to list all of them. Find the ones you need with tool.search.\n${lines.join('\n')}`
        const about = [...counts.keys()].flatMap((id) => shownInstructions(id, mcp.instructions(id)) ?? [])
        const parts = [...(isSearched ? [listed] : []), ...about]
        return parts.length === 0 ? '' : `# MCP servers\n${parts.join('\n\n')}`
      },
    },
  }
}

function titleOf(server: McpServer | undefined): string {
  const name = withoutInvisible(server?.name ?? '').replace(/\s+/g, ' ')
  return name === '' || name === server?.server_id ? '' : ` (${name.slice(0, 100)})`
}
