import type { BuiltinToolName, McpToolName } from './names.ts'
import type { ToolPolicy } from './schema.ts'

export const approvalModes = ['auto', 'required', 'manual_each_call', 'deny'] as const
export type ApprovalMode = (typeof approvalModes)[number]

export const sandboxModes = ['trusted', 'workspace', 'strict'] as const
export type SandboxMode = (typeof sandboxModes)[number]
export const defaultSandboxMode: SandboxMode = 'workspace'

/** What holds for a call: the fields of the policy of its tool, and the sandbox mode. */
export const callPolicyFields = [
  'enabled',
  'approval_mode',
  'rate_limit',
  'time_limit',
  'network_scope',
  'fs_scope',
  'sandbox_mode',
] as const satisfies readonly (keyof ToolPolicy | 'sandbox_mode')[]

/** The kinds of layers, in the order in which they apply. Only an overlay may allow more than what is below it, and only with an approval. */
export const policyLayerKinds = ['configured', 'overlay', 'intersection', 'mode'] as const
export type PolicyLayerKind = (typeof policyLayerKinds)[number]

/** Calls that only look, or keep the agent's own list of todos: they need no one's leave. Everything else asks. */
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
  'memory.search',
  'todo.create',
  'todo.update',
  'todo.list',
  'todo.complete',
  'time.now',
] satisfies BuiltinToolName[]

/** What an agent without a policy of its own is given. */
export function defaultToolPolicy(tool: BuiltinToolName | McpToolName): ToolPolicy {
  return {
    enabled: true,
    approval_mode: reads.includes(tool) ? 'auto' : 'required',
    rate_limit: { calls: 120, per_seconds: 60 },
    time_limit: { seconds: 120 },
    network_scope: { hosts: reachesOut(tool) ? ['*'] : [] },
    fs_scope: { roots: ['.'], globs: ['**'] },
  }
}

/**
 * What a person approves for one of these names its address; private and loopback addresses are out unless a policy names them. An MCP
 * server reaches hosts of its consent alone, and the policy of a tool only narrows them.
 */
function reachesOut(tool: string): boolean {
  return tool === 'http.request' || ['web.', 'browser.', 'mcp.'].some((family) => tool.startsWith(family))
}

/** Blocked in `strict` whatever the approval says. */
export const strictlyBlockedTools = ['shell.exec', 'script.run', 'browser.eval'] as const satisfies readonly BuiltinToolName[]
