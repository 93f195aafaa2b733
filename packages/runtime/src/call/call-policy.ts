// What holds for a call.
import type { SandboxMode, ToolPolicy } from '@tandem/contract/tool'

/** The policy of its tool, and the mode of its sandbox. */
export type CallPolicy = ToolPolicy & { readonly sandbox_mode: SandboxMode }
export type CallPolicyField = keyof CallPolicy
