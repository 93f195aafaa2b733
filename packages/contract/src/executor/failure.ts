// Why an executor cannot be used: one table, each reason with its remedy.
import type { Recoverability } from '../failure/index.ts'

export const negotiationFailures = {
  unreachable: {
    title: 'The executor cannot be reached',
    remedy: 'Check that it is running, that its address is correct, and that this device can connect to it.',
    recoverability: 'retryable',
  },
  timed_out: {
    title: 'The executor did not respond in time',
    remedy: 'Check that it is running and not overloaded.',
    recoverability: 'retryable',
  },
  address_forbidden: {
    title: 'The address cannot be used',
    remedy: 'Use the https address of the executor. Plain http is allowed only for an executor on this device.',
    recoverability: 'user_action',
  },
  certificate_changed: {
    title: 'The certificate of the executor has changed',
    remedy:
      'If you set up the executor again, remove it and add it with its new fingerprint. Otherwise, another program may be answering at its address.',
    recoverability: 'user_action',
  },
  unauthorized: {
    title: 'The executor rejected the token',
    remedy: 'Remove the executor and add it again with its current token.',
    recoverability: 'user_action',
  },
  redirected: {
    title: 'The address redirects to another one',
    remedy: 'Enter the address of the executor itself. Redirects are not followed.',
    recoverability: 'user_action',
  },
  refused: {
    title: 'The executor refused the handshake',
    remedy: 'Read its message and its log.',
    recoverability: 'user_action',
  },
  protocol_mismatch: {
    title: 'The executor uses another protocol',
    remedy: 'Update Tandem or the executor, so that both support the same protocol.',
    recoverability: 'user_action',
  },
  response_too_large: {
    title: 'The response of the executor is too large',
    remedy: 'Check that the address is that of an executor.',
    recoverability: 'user_action',
  },
  malformed_response: {
    title: 'The response of the executor is not valid',
    remedy: 'Check that the address is that of an executor, and that both sides are up to date.',
    recoverability: 'user_action',
  },
  unhealthy: {
    title: 'The executor reports a problem',
    remedy: 'Check its log and restart it.',
    recoverability: 'retryable',
  },
} as const satisfies Record<string, { readonly title: string; readonly remedy: string; readonly recoverability: Recoverability }>

export type NegotiationFailure = keyof typeof negotiationFailures

export const negotiationFailureNames = Object.keys(negotiationFailures) as NegotiationFailure[]
