import { type ApprovalMode, toolSearch } from '@tandem/contract/tool'
import type { Records } from '../store/records.ts'

/** The default approval mode of calls to MCP servers, skills and members of the team; null for other tools. Read for every tool in every turn. */
export function defaultApprovalMode(records: Records, tool: string): ApprovalMode | null {
  if (tool === 'skill.load' || tool === 'team.send' || tool === toolSearch) return 'auto'
  if (!tool.startsWith('mcp.')) return null
  const [, server = ''] = tool.split('.')
  return records.get('mcp_servers', server)?.payload.default_approval_mode ?? null
}
