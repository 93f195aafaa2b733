import type { ApprovalMode } from '@tandem/contract/tool'
import type { Records } from '../store/records.ts'

/** How calls of servers and skills are asked about unless a policy says otherwise; null for other tools. */
export function usualMode(records: Records, tool: string): ApprovalMode | null {
  if (tool === 'skill.load') return 'auto'
  const [family, server = ''] = tool.split('.')
  return family === 'mcp' ? (records.get('mcp_servers', server)?.payload.default_approval_mode ?? null) : null
}
