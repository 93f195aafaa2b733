// The tools of a server as untrusted input: each is validated separately, hashed, inspected, and named without collisions.
import { createHash } from 'node:crypto'
import type { McpTool } from '@tandem/contract/mcp'
import { canonicalJson } from '@tandem/contract/sync'
import { builtinToolNames, toolSearch } from '@tandem/contract/tool'
import { inspectMentions, inspectText, type Suspicion } from '../../policy/untrusted-text.ts'
import { mcpLimits } from '../limits.ts'
import { depthOf } from './plain-schema.ts'
import { mcpToolName } from './tool-name.ts'

const listingProblems = {
  malformed_tool: 'Its description does not match the protocol',
  duplicate_tool: 'The server offers this name twice; the first one is used',
  tool_too_large: 'Its description or schema is too large',
  schema_too_deep: 'Its schema is nested too deeply',
  too_many_tools: 'The server offers too many tools',
} as const
type ListingProblemCode = keyof typeof listingProblems

export interface ListingProblem {
  readonly code: ListingProblemCode
  readonly title: string
  /** The tool's own name, if it has one. */
  readonly remote_name: string
}

export interface ToolListing {
  readonly tools: readonly McpTool[]
  readonly problems: readonly ListingProblem[]
}

interface ListingContext {
  readonly server_id: string
  readonly refreshed_at: string
  approvedFingerprint(tool: string): string | undefined
}

export function readListing(listed: readonly unknown[], context: ListingContext): ToolListing {
  const tools: McpTool[] = []
  const problems: ListingProblem[] = []
  const seen = new Set<string>()
  for (const each of listed) {
    const read = readTool(each, context)
    const problem =
      'problem' in read ? read.problem : seen.has(read.tool) ? 'duplicate_tool' : tools.length >= mcpLimits.tools ? 'too_many_tools' : null
    if ('problem' in read || problem) {
      const title = listingProblems[problem ?? 'malformed_tool']
      problems.push({ code: problem ?? 'malformed_tool', title, remote_name: nameOf(each) })
      if (problem === 'too_many_tools') break
    } else {
      seen.add(read.tool)
      tools.push(read)
    }
  }
  return { tools, problems }
}

/** Covers everything that a user reads before approving: title, description and schemas. The order of keys does not matter. */
export function toolFingerprint(tool: Pick<McpTool, 'title' | 'description' | 'input_schema' | 'output_schema'>): string {
  const { title, description, input_schema, output_schema } = tool
  const schemas = [JSON.parse(input_schema), output_schema === null ? null : JSON.parse(output_schema)]
  return createHash('sha256')
    .update(canonicalJson([title, description, ...schemas]))
    .digest('hex')
}

/** Names of parameters are text too: a model reads them like any sentence. */
export function inspectTool(tool: McpTool, othersTools: Iterable<string> = []): readonly Suspicion[] {
  const others = [...builtinToolNames, toolSearch, ...othersTools]
  const parts = [
    ['name', tool.remote_name],
    ['title', tool.title ?? ''],
    ['description', tool.description],
    ['input_schema', wordsOf(tool.input_schema)],
    ['output_schema', wordsOf(tool.output_schema ?? '')],
  ] as const
  return parts.flatMap(([where, text]) => [...inspectText(where, text), ...(where === 'name' ? [] : inspectMentions(where, text, others))])
}

export type ToolStanding = 'approved' | 'unapproved' | 'changed'

export function standingOf({ fingerprint, approved_fingerprint }: McpTool): ToolStanding {
  if (approved_fingerprint === null) return 'unapproved'
  return approved_fingerprint === fingerprint ? 'approved' : 'changed'
}

/** A description affects the model when it is read: a dangerous one is hidden from it until a user has approved it. */
export function isWithheld(tool: McpTool, found: readonly Suspicion[]): boolean {
  return standingOf(tool) !== 'approved' && found.some(({ grave }) => grave)
}

function readTool(value: unknown, context: ListingContext): McpTool | { readonly problem: ListingProblemCode } {
  if (!isObject(value) || typeof value.name !== 'string' || value.name === '' || value.name.length > 500)
    return { problem: 'malformed_tool' }
  if (!isObject(value.inputSchema)) return { problem: 'malformed_tool' }
  if (depthOf(value.inputSchema) > mcpLimits.schema_depth || depthOf(value.outputSchema) > mcpLimits.schema_depth)
    return { problem: 'schema_too_deep' }
  const description = typeof value.description === 'string' ? value.description : ''
  const input_schema = JSON.stringify(value.inputSchema)
  const output_schema = isObject(value.outputSchema) ? JSON.stringify(value.outputSchema) : null
  const longestSchema = Math.max(input_schema.length, output_schema?.length ?? 0)
  if (description.length > mcpLimits.description || longestSchema > mcpLimits.schema) return { problem: 'tool_too_large' }
  const title = typeof value.title === 'string' && value.title !== '' ? value.title.slice(0, 500) : null
  const tool = mcpToolName(context.server_id, value.name)
  const shown = { title, description, input_schema, output_schema }
  return {
    server_id: context.server_id,
    tool,
    remote_name: value.name,
    ...shown,
    fingerprint: toolFingerprint(shown),
    approved_fingerprint: context.approvedFingerprint(tool) ?? null,
    refreshed_at: context.refreshed_at,
  }
}

/** The strings and keys of JSON text without JSON escapes. */
function wordsOf(json: string): string {
  if (json === '') return ''
  const words: string[] = []
  JSON.parse(json, (key, value) => {
    words.push(key)
    if (typeof value === 'string') words.push(value)
    return value
  })
  return words.join('\n')
}

function nameOf(value: unknown): string {
  const name = isObject(value) && typeof value.name === 'string' ? value.name : ''
  return name.slice(0, 200) || '(without a name)'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
