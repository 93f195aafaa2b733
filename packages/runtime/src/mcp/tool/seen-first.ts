// A tool that nobody has approved as it is now is shown before it runs, whatever the policy says: its words, and what is odd about them.
import type { DecidedCall } from '../../pipeline/pipeline.ts'
import { withoutInvisible } from '../../policy/untrusted-text.ts'
import type { ListedTool } from '../service.ts'

export interface SeenFirst {
  readonly call: DecidedCall
  readonly warnings: readonly string[]
}

/** Narrows only: a denied or switched-off tool stays so. */
export function seenFirst(call: DecidedCall, listed: ListedTool | undefined): SeenFirst {
  if (!listed || listed.standing === 'approved') return { call, warnings: [] }
  const { policy } = call
  const approval_mode = policy.approval_mode === 'auto' ? 'required' : policy.approval_mode
  return { call: { ...call, policy: { ...policy, approval_mode }, remembered: [] }, warnings: warningsOf(listed) }
}

function warningsOf({ tool, standing, suspicions }: ListedTool): string[] {
  const why = standing === 'changed' ? 'is not described as it was when it was approved' : 'was never approved on this device'
  return [
    `${tool.tool} ${why}; a yes approves it as it is now`,
    `its server describes it so: ${withoutInvisible(tool.description) || '(no description)'}`,
    ...suspicions.slice(0, 20).map(({ title, where, excerpt }) => `${title} (${where}): ${excerpt}`),
  ]
}
