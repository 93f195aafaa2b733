// Which tools a request lists when MCP servers have more than fit the budget. Pure.
import { toolSearch } from '@tandem/contract/tool'
import type { Tool } from '../../call/tool.ts'
import { tokensOfTool, tokensOfTools } from '../../pipeline/tool-tokens.ts'

export interface ToolBudget {
  /** For the tools of all MCP servers together. */
  readonly tokens: number
  /** What the run has searched for or called, the oldest first; a name can occur more than once. */
  readonly loaded: readonly string[]
}

/**
 * All tools if they fit; otherwise the built-in ones, the search, and the loaded ones at the end, so that a provider's cache of the ones
 * before them stays valid. If even the loaded ones do not fit, those that were used longest ago are left out; a call brings them back.
 */
export function withinToolBudget(tools: readonly Tool[], { tokens, loaded }: ToolBudget): readonly Tool[] {
  const ofServers = tools.filter(isOfServer)
  if (tokensOfTools(ofServers) <= tokens) return tools.filter(({ name }) => name !== toolSearch)
  const byName = new Map(ofServers.map((tool) => [tool.name, tool]))
  const kept = new Set<Tool>()
  let room = tokens
  for (const name of new Set(loaded.toReversed())) {
    const tool = byName.get(name)
    if (!tool) continue
    room -= tokensOfTool(tool)
    if (room < 0 && kept.size > 0) break
    kept.add(tool)
  }
  const inOrder = [...new Set(loaded)].flatMap((name) => byName.get(name) ?? []).filter((tool) => kept.has(tool))
  return [...tools.filter((tool) => !isOfServer(tool)), ...inOrder]
}

function isOfServer({ origin }: Tool): boolean {
  return origin !== undefined
}
