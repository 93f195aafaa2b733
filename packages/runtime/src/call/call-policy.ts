// The policy that applies to a call.
import type { SandboxMode, ToolPolicy } from '@tandem/contract/tool'

/** The policy of the tool and the sandbox mode of the run. */
export type CallPolicy = ToolPolicy & { readonly sandbox_mode: SandboxMode }
export type CallPolicyField = keyof CallPolicy
