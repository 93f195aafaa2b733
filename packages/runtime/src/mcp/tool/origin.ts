// What is known about a tool of a server each time it is called: it may have changed since it was approved.
import type { McpServer } from '@tandem/contract/mcp'
import type { ToolOrigin } from '../../call/tool.ts'
import { withoutInvisible } from '../../policy/untrusted-text.ts'
import type { ListedTool } from '../service.ts'

export interface OriginPorts {
  /** How the tool stands now; undefined when its server no longer has it. */
  standing(): ListedTool | undefined
  approve(fingerprint: string): void
}

export function originOf({ transport }: McpServer, fingerprint: string, { standing, approve }: OriginPorts): ToolOrigin {
  return {
    is_program: transport === 'stdio',
    fingerprint: () => standing()?.tool.fingerprint ?? fingerprint,
    warnings: () => warningsOf(standing()),
    approved() {
      const listed = standing()
      if (listed) approve(listed.tool.fingerprint)
    },
  }
}

/** Its words, and what is odd about them. */
export function warningsOf(listed: ListedTool | undefined): readonly string[] {
  if (!listed || listed.standing === 'approved') return []
  const { tool, standing, suspicions } = listed
  const why = standing === 'changed' ? 'is not described as it was when it was approved' : 'was never approved on this device'
  return [
    `${tool.tool} ${why}; a yes approves it as it is now`,
    `its server describes it so: ${withoutInvisible(tool.description) || '(no description)'}`,
    ...suspicions.slice(0, 20).map(({ title, where, excerpt }) => `${title} (${where}): ${excerpt}`),
  ]
}
