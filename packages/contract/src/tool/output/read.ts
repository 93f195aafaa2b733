// What a tool returned, by the schema of the tool. Nothing is trusted: a result may be from another version, or from another program.
import type { TSchema } from 'typebox'
import { toReadSchema } from '../../entity/readable.ts'
import { TruncatedOutput } from './cut.ts'
import { type Matcher, matcherOf } from './matcher.ts'
import { McpOutput } from './mcp.ts'
import { type ToolOutputs, toolOutputs } from './tools.ts'

type KnownTool = keyof ToolOutputs

export type ReadOutput =
  | { readonly [Tool in KnownTool]: { readonly tool: Tool; readonly output: ToolOutputs[Tool] } }[KnownTool]
  /** A tool of an MCP server. */
  | { readonly tool: 'mcp'; readonly output: McpOutput }
  /** Too long to be recorded in full, of any tool. */
  | { readonly tool: 'cut'; readonly output: TruncatedOutput }
  /** A tool that is not known here, or a result that does not match its schema. */
  | { readonly tool: null; readonly output: unknown }

/** Fields that a newer version adds are accepted. */
export function readOutput(tool: string, output: unknown): ReadOutput {
  if (typeof output !== 'object' || output === null) return { tool: null, output }
  const known = earlier.get(output)
  if (known?.asked === tool) return known.read
  const read = check(tool, output)
  earlier.set(output, { asked: tool, read })
  return read
}

/** A card reads the same result more than once. */
const earlier = new WeakMap<object, { readonly asked: string; readonly read: ReadOutput }>()

function check(tool: string, output: object): ReadOutput {
  if (isKnown(tool) && matches(toolOutputs[tool], output)) return { tool, output } as ReadOutput
  if (tool.startsWith('mcp.') && matches(McpOutput, output)) return { tool: 'mcp', output: output as McpOutput }
  if (matches(TruncatedOutput, output)) return { tool: 'cut', output: output as TruncatedOutput }
  return { tool: null, output }
}

function isKnown(tool: string): tool is KnownTool {
  return Object.hasOwn(toolOutputs, tool)
}

const matchers = new Map<TSchema, Matcher>()

function matches(schema: TSchema, output: object): boolean {
  const matcher = matchers.get(schema) ?? matcherOf(toReadSchema(schema))
  matchers.set(schema, matcher)
  return matcher(output)
}
