// The current standing of a server's tool at each call: it may have changed since it was approved.
import type { McpServer } from '@tandem/contract/mcp'
import type { ToolOrigin } from '../../call/tool.ts'
import { withoutInvisible } from '../../policy/untrusted-text.ts'
import type { ListedTool } from './inspected-tools.ts'

export interface ToolStandingPorts {
  /** The current standing of the tool; undefined if its server no longer has it. */
  standing(): ListedTool | undefined
  approve(fingerprint: string): void
  refusal: NonNullable<ToolOrigin['refusal']>
}

export function toolStandingOf(
  { transport }: McpServer,
  fingerprint: string,
  { standing, approve, refusal }: ToolStandingPorts,
): ToolOrigin {
  return {
    is_program: transport === 'stdio',
    refusal,
    fingerprint: () => standing()?.tool.fingerprint ?? fingerprint,
    warnings: () => warningsOf(standing()),
    approved() {
      const listed = standing()
      if (listed) approve(listed.tool.fingerprint)
    },
  }
}

/** Its description, and what is suspicious about it. */
export function warningsOf(listed: ListedTool | undefined): readonly string[] {
  if (!listed || listed.standing === 'approved') return []
  const { tool, standing, suspicions } = listed
  const why = standing === 'changed' ? 'has changed since it was approved' : 'was never approved on this device'
  return [
    `${tool.tool} ${why}; allowing it approves the current version`,
    `description by the server: ${withoutInvisible(tool.description) || '(no description)'}`,
    ...suspicions.slice(0, 20).map(({ title, where, excerpt }) => `${title} (${where}): ${excerpt}`),
  ]
}
