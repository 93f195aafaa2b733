// How many tokens of each request the description of a tool costs. An estimate, as for messages.
import type { Tool } from '../call/tool.ts'

const charactersPerToken = 4
/** What a request has around a name, a description and a schema. */
const wrapping = 70

/** Computed once per tool: it is needed in every turn. */
const known = new WeakMap<Tool, number>()

export function tokensOfTool(tool: Tool): number {
  const found = known.get(tool)
  if (found !== undefined) return found
  const { name, summary, input } = tool
  const tokens = Math.ceil((name.length + JSON.stringify(summary).length + JSON.stringify(input).length + wrapping) / charactersPerToken)
  known.set(tool, tokens)
  return tokens
}

export function tokensOfTools(tools: readonly Tool[]): number {
  return tools.reduce((sum, tool) => sum + tokensOfTool(tool), 0)
}
