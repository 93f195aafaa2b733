import type { BuiltinToolName, McpToolName } from './names.ts'
import type { ToolPolicy } from './schema.ts'

export const approvalModes = ['auto', 'required', 'manual_each_call', 'deny'] as const
export type ApprovalMode = (typeof approvalModes)[number]

export const sandboxModes = ['trusted', 'workspace', 'strict'] as const
export type SandboxMode = (typeof sandboxModes)[number]
export const defaultSandboxMode: SandboxMode = 'workspace'

/** Calls that only look: they need no one's leave. Everything else asks. */
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
    network_scope: { hosts: [] },
    fs_scope: { roots: ['.'], globs: ['**'] },
  }
}

/** Blocked in `strict` whatever the approval says. */
export const strictlyBlockedTools = ['shell.exec', 'script.run', 'browser.eval'] as const satisfies readonly BuiltinToolName[]
