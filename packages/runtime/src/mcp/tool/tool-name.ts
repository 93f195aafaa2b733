// `mcp.<server_id>.<tool>`: a server id has no dot, so the parts stay separate; two servers never share a name.
import { createHash } from 'node:crypto'
import type { McpToolName } from '@tandem/contract/tool'

/** As in the contract's `ToolName`. */
const longest = 300

/** One to one: characters that are not allowed in a name are written as `~` and their code point. */
export function mcpToolName(server_id: string, remote_name: string): McpToolName {
  const plain = remote_name.replace(/[^A-Za-z0-9_./-]/gu, (letter) => `~${letter.codePointAt(0)?.toString(16)}~`)
  const name = `mcp.${server_id}.${plain === '' ? '~' : plain}`
  if (name.length <= longest) return name as McpToolName
  const hash = createHash('sha256').update(remote_name).digest('hex').slice(0, 16)
  return `${name.slice(0, longest - 18)}~h${hash}` as McpToolName
}

/** The server that a dynamic tool belongs to; undefined for any other tool. */
export function serverOf(tool: string): string | undefined {
  return /^mcp\.([^.]+)\../.exec(tool)?.[1]
}
