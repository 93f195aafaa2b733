// All failures of MCP servers in one table, with their remedies.
import type { FailureContract, Recoverability } from '@tandem/contract/failure'
import { signInReasons } from '@tandem/contract/mcp'

export const mcpReasons = {
  unknown_server: { recoverability: 'user_action', remedy: 'List the servers: it may have been removed here or on another device.' },
  invalid_definition: { recoverability: 'user_action', remedy: 'Correct the field in the message.' },
  server_exists: { recoverability: 'user_action', remedy: 'Choose another id, or update the existing server.' },
  server_of_folder: { recoverability: 'user_action', remedy: 'Change the file, then review and approve it again.' },
  server_disabled: { recoverability: 'user_action', remedy: 'Enable the server first.' },
  consent_needed: { recoverability: 'user_action', remedy: 'Review the exact definition and approve it on this device.' },
  definition_changed: { recoverability: 'user_action', remedy: 'Review what changed in the definition and approve it again.' },
  stale_approval: { recoverability: 'user_action', remedy: 'It changed since it was shown. Review it again, then approve it.' },
  missing_secret: { recoverability: 'user_action', remedy: 'Set the value on this device; it is not synchronized.' },
  forbidden_variable: { recoverability: 'user_action', remedy: 'Remove the variable: it would run code that the command does not show.' },
  start_failed: { recoverability: 'user_action', remedy: 'Check that the program is installed and that the command is correct.' },
  start_refused: { recoverability: 'user_action', remedy: 'Give the server the scope it needs, or run it where it is allowed.' },
  sandbox_unavailable: {
    recoverability: 'user_action',
    remedy: 'Install what the sandbox needs on this machine, or run the agent in workspace mode.',
  },
  host_refused: { recoverability: 'user_action', remedy: 'Allow the host for the server, if that is intended.' },
  start_timed_out: { recoverability: 'retryable', remedy: 'Check the log of the server: it may be waiting for input.' },
  server_exited: { recoverability: 'retryable', remedy: 'Repeat the call if that is safe. The server restarts automatically.' },
  server_hung: { recoverability: 'retryable', remedy: 'Repeat the call if that is safe. The server restarts automatically.' },
  handshake_failed: { recoverability: 'user_action', remedy: 'Check that the command or address is an MCP server, and check its version.' },
  needs_authorization: {
    recoverability: 'user_action',
    remedy: 'Check the value of its header. If it has none, add the header that the server requires, or sign in.',
  },
  needs_sign_in: {
    recoverability: 'user_action',
    remedy: 'Sign in to the server. If it uses a key instead, add its header to the definition and set its value.',
  },
  sign_in_expired: { recoverability: 'user_action', remedy: 'Sign in to the server again.' },
  sign_in_failed: { recoverability: 'retryable', remedy: 'Start the sign-in again.' },
  sign_in_unsafe: { recoverability: 'terminal', remedy: 'Report it to the operator of the server.' },
  sign_in_not_offered: {
    recoverability: 'user_action',
    remedy: 'Check in the documentation of the server how to authorize. If it uses a key, add its header and set its value.',
  },
  client_id_needed: {
    recoverability: 'user_action',
    remedy: 'Register Tandem there with the redirect address http://127.0.0.1/callback, then sign in with the client id that you get.',
  },
  unknown_sign_in: { recoverability: 'user_action', remedy: 'Start the sign-in again.' },
  unreachable: { recoverability: 'retryable', remedy: 'Check that the server is running and that its address is correct.' },
  session_expired: { recoverability: 'retryable', remedy: 'Call again: a new session is opened automatically.' },
  http_error: { recoverability: 'retryable', remedy: 'Check the log of the server.' },
  message_too_large: { recoverability: 'terminal', remedy: 'Request less at a time from the tool.' },
  disconnected: { recoverability: 'user_action', remedy: 'Connect the server again.' },
  timed_out: { recoverability: 'retryable', remedy: 'Try again, or give the tool more time in its policy.' },
  canceled: { recoverability: 'retryable', remedy: 'Call again to start over.' },
  not_offered: { recoverability: 'user_action', remedy: 'Check what the server offers.' },
  tool_missing: { recoverability: 'user_action', remedy: 'Refresh the tools of the server and choose an available one.' },
  tool_changed: { recoverability: 'user_action', remedy: 'Review the new description and schema and approve the tool again.' },
  tool_not_approved: { recoverability: 'user_action', remedy: 'Review the description and schema of the tool and approve it.' },
  tool_error: { recoverability: 'retryable', remedy: 'Read the message of the tool and correct the call.' },
  rejected: { recoverability: 'retryable', remedy: 'Read the message of the server and correct the call.' },
  malformed_result: { recoverability: 'terminal', remedy: 'Report it to the developer of the server.' },
} as const satisfies Record<string, { readonly recoverability: Recoverability; readonly remedy: string }>

export type McpReason = keyof typeof mcpReasons

/** Only the user can continue, in a browser. */
export function isSignInNeeded(reason: McpReason): boolean {
  return signInReasons.some((one) => one === reason)
}

export interface McpFailure {
  readonly reason_code: McpReason
  readonly message: string
  readonly subject: string
  readonly remedy: string
  readonly recoverability: Recoverability
  /** `no`: the server has definitely not started the call; only then may it be repeated automatically. */
  readonly begun: 'no' | 'unknown'
  /** Set if our own policy or sandbox refused it, not the server. */
  readonly blocked_by?: 'policy' | 'sandbox'
  readonly facts?: readonly { readonly name: string; readonly value: string }[]
  /** The parameter of the command that is wrong, and what continues a sentence about it. */
  readonly field?: { readonly field: string; readonly message: string }
}

export interface FailedOutcome {
  readonly ok: false
  readonly failure: McpFailure
}

export type McpOutcome<Value> = { readonly ok: true; readonly value: Value } | FailedOutcome

export function mcpSuccess<Value>(value: Value): McpOutcome<Value> {
  return { ok: true, value }
}

export function mcpFailed(failure: McpFailure): FailedOutcome {
  return { ok: false, failure }
}

type Extras = Partial<Pick<McpFailure, 'begun' | 'facts' | 'remedy' | 'blocked_by' | 'field'>>

export function mcpFailure(reason_code: McpReason, subject: string, message: string, extras: Extras = {}): McpFailure {
  return { reason_code, subject, message, ...mcpReasons[reason_code], begun: 'no', ...extras }
}

export function failureContract(failure: McpFailure): FailureContract {
  const { reason_code, recoverability, message, subject, remedy, facts } = failure
  return {
    taxonomy: failure.blocked_by === undefined ? 'none' : failure.blocked_by === 'policy' ? 'policy_failure' : 'sandbox_failure',
    stage: 'mcp',
    source: 'mcp',
    reason_code,
    recoverability,
    details: {
      message: message.slice(0, 65_536),
      subject: subject.slice(0, 500),
      remedy: remedy.slice(0, 500),
      ...(facts === undefined ? {} : { facts: facts.slice(0, 50).map(({ name, value }) => ({ name, value: value.slice(0, 65_536) })) }),
    },
  }
}
