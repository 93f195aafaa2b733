import type { McpServerState } from './state.ts'

/** Reasons of failures after which only the user can continue, in a browser. */
export const signInReasons = ['needs_sign_in', 'sign_in_expired'] as const

/** Whether a server is not connected because the user must sign in to it: surfaces show this instead of the state. */
export function needsSignIn({
  state,
  failure_contract,
}: {
  readonly state: McpServerState
  readonly failure_contract?: { readonly reason_code: string } | null
}): boolean {
  return state === 'failed' && signInReasons.some((reason) => reason === failure_contract?.reason_code)
}
