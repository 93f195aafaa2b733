import type { BuiltinToolName, McpToolName } from './names.ts'
import type { ToolPolicy } from './schema.ts'

export const approvalModes = ['auto', 'required', 'manual_each_call', 'deny'] as const
export type ApprovalMode = (typeof approvalModes)[number]

export const sandboxModes = ['trusted', 'workspace', 'strict'] as const
export type SandboxMode = (typeof sandboxModes)[number]
export const defaultSandboxMode: SandboxMode = 'workspace'

/** The effective policy of a call: the fields of its tool's policy, and the sandbox mode. */
export const callPolicyFields = [
  'enabled',
  'approval_mode',
  'rate_limit',
  'time_limit',
  'network_scope',
  'fs_scope',
  'sandbox_mode',
] as const satisfies readonly (keyof ToolPolicy | 'sandbox_mode')[]

/** The kinds of layers, in the order they apply. Only an overlay may allow more than the layers below it, and only with an approval. */
export const policyLayerKinds = ['configured', 'overlay', 'intersection', 'mode'] as const
export type PolicyLayerKind = (typeof policyLayerKinds)[number]

/** Calls that are read-only, or that change only the agent's own todos or memories: they need no approval. All others do. */
const reads: readonly string[] = [
  'fs.list',
  'fs.read',
  'fs.search',
  'process.list',
  'workflow.wait',
  'workflow.snapshot',
  'workflow.query',
  'workflow.history',
  'kb.search',
  'memory.add',
  'memory.search',
  'memory.update',
  'memory.delete',
  'todo.create',
  'todo.update',
  'todo.list',
  'todo.complete',
  'time.now',
] satisfies BuiltinToolName[]

/** The policy of an agent that has none of its own. Each merge is different from the last one, so that no approval covers another. */
export function defaultToolPolicy(tool: BuiltinToolName | McpToolName): ToolPolicy {
  return {
    enabled: true,
    approval_mode: reads.includes(tool) ? 'auto' : tool === 'agent.merge_result' ? 'manual_each_call' : 'required',
    rate_limit: { calls: 120, per_seconds: 60 },
    time_limit: { seconds: 120 },
    network_scope: { hosts: reachesOut(tool) ? ['*'] : [] },
    fs_scope: { roots: ['.'], globs: ['**'] },
  }
}

/**
 * An approval of one of these names its address; private and loopback addresses are blocked unless a policy names them. An MCP
 * server reaches only the hosts of its consent, and the policy of a tool can only narrow them.
 */
function reachesOut(tool: string): boolean {
  return tool === 'http.request' || tool === 'kb.ingest' || ['web.', 'browser.', 'mcp.'].some((family) => tool.startsWith(family))
}

/** Blocked in `strict` regardless of approvals. */
export const strictlyBlockedTools = ['shell.exec', 'script.run', 'browser.eval'] as const satisfies readonly BuiltinToolName[]
