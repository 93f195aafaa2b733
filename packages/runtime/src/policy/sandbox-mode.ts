// What a sandbox mode takes away from a policy, whatever was approved.
import { strictlyBlockedTools } from '@tandem/contract/tool'
import type { PolicyLayer } from '../feature/policy-layer.ts'

/** In `strict` only hosts that were named are in scope: "every host" names none. For a tool of a server it means those its consent names. */
export const strictModeLayer: PolicyLayer = {
  name: 'sandbox mode strict',
  kind: 'mode',
  apply(policy, { tool }) {
    if (policy.sandbox_mode !== 'strict') return policy
    if (strictlyBlockedTools.some((blocked) => blocked === tool)) return { ...policy, approval_mode: 'deny' }
    if (tool.startsWith('mcp.')) return policy
    const hosts = policy.network_scope.hosts.filter((host) => !/^\*(?::\d+)?$/.test(host))
    return { ...policy, network_scope: { hosts } }
  },
}
