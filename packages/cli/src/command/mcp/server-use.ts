// Which agents use a server, which of its tools, and for how long a call may take.
import type { McpServer } from '@tandem/contract/mcp'
import type { CommandAnswer, RuntimeClient } from '../../runtime-client/runtime-client.ts'
import { findAgent } from '../agents.ts'

export const useUsage = '[--agent NAME|ID]… [--include-tool TOOL]… [--exclude-tool TOOL]… [--timeout SECONDS]'
export const useExplanation =
  '--agent: only these agents use it. --include-tool, --exclude-tool: the tools that are used, or not, by the names of the server. --timeout: the limit of a call.'

export const useOptions = {
  agent: { type: 'string', multiple: true },
  'include-tool': { type: 'string', multiple: true },
  'exclude-tool': { type: 'string', multiple: true },
  timeout: { type: 'string' },
} as const

/** What `update` accepts in addition. */
export const resetOptions = {
  'all-agents': { type: 'boolean', default: false },
  'all-tools': { type: 'boolean', default: false },
} as const

export interface UseWords {
  readonly agent?: string[] | undefined
  readonly 'include-tool'?: string[] | undefined
  readonly 'exclude-tool'?: string[] | undefined
  readonly timeout?: string | undefined
  readonly 'all-agents'?: boolean | undefined
  readonly 'all-tools'?: boolean | undefined
}

export function useProblem({ agent, timeout, ...said }: UseWords): string | null {
  if (agent && said['all-agents']) return 'use either --agent or --all-agents, not both'
  if (said['all-tools'] && (said['include-tool'] || said['exclude-tool'])) return 'use either --all-tools or names of tools, not both'
  if (timeout === undefined) return null
  return /^\d+$/.test(timeout) && Number(timeout) >= 1 && Number(timeout) <= 86_400 ? null : '--timeout must be 1 to 86400 seconds'
}

/** What is not given stays as it is. */
export async function withUse(client: RuntimeClient, server: McpServer, said: UseWords): Promise<CommandAnswer<McpServer>> {
  const { agent_ids, include_tools, exclude_tools, ...rest } = server
  const agents = said['all-agents'] ? undefined : said.agent ? await agentIds(client, said.agent) : { ok: true as const, value: agent_ids }
  if (agents && !agents.ok) return agents
  const included = said['all-tools'] ? undefined : (said['include-tool'] ?? include_tools)
  const excluded = said['all-tools'] ? undefined : (said['exclude-tool'] ?? exclude_tools)
  return {
    ok: true,
    value: {
      ...rest,
      ...(agents?.value ? { agent_ids: agents.value } : {}),
      ...(included ? { include_tools: included } : {}),
      ...(excluded ? { exclude_tools: excluded } : {}),
      ...(said.timeout === undefined ? {} : { timeout_seconds: Number(said.timeout) }),
    },
  }
}

async function agentIds(client: RuntimeClient, wanted: readonly string[]): Promise<CommandAnswer<string[]>> {
  const ids: string[] = []
  for (const one of wanted) {
    const found = await findAgent(client, one)
    if (!found.ok) return found
    ids.push(found.value.agent_id)
  }
  return { ok: true, value: [...new Set(ids)] }
}
