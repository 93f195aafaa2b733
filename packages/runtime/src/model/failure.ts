// How a model call can fail, and what can be done about it.

export const modelFailures = {
  unreachable: { retryable: true, pauses: true, remedy: 'Check the network and the address of the model.' },
  timeout: { retryable: true, pauses: true, remedy: 'Try again; the model or the connection is slow.' },
  rate_limited: { retryable: true, pauses: true, remedy: 'Wait a moment, or increase your limit at the provider.' },
  server_error: { retryable: true, pauses: true, remedy: 'Try again later; the provider has a problem.' },
  broken_stream: { retryable: true, pauses: true, remedy: 'Try again; the response was interrupted.' },
  context_overflow: {
    retryable: false,
    pauses: false,
    remedy: 'Shorten the conversation, or choose a model with a larger context window.',
  },
  unauthorized: { retryable: false, pauses: false, remedy: 'Check the key of the model, or sign in again.' },
  unknown_model: { retryable: false, pauses: false, remedy: 'Choose a model that this address serves.' },
  wrong_address: {
    retryable: false,
    pauses: false,
    remedy: 'Correct the address of the model, for example to http://127.0.0.1:11434/v1.',
  },
  rejected: { retryable: false, pauses: false, remedy: 'Read the error message of the provider, then correct the model settings.' },
  // The run is paused, not failed: it can continue when the user adds credits or the quota is renewed.
  budget_spent: { retryable: false, pauses: true, remedy: 'Add credits or wait until the quota is renewed. Then resume the run.' },
} as const satisfies Record<string, { readonly retryable: boolean; readonly pauses: boolean; readonly remedy: string }>

export type ModelFailureCode = keyof typeof modelFailures

export interface ModelFailure {
  readonly code: ModelFailureCode
  readonly message: string
  readonly status: number | null
  readonly retry_after_ms: number | null
  /** With `context_overflow`: the context window, if the server reports it. */
  readonly context_tokens: number | null
}

/** A failure detected by the client, without a response. */
export function clientFailure(code: ModelFailureCode, message: string): ModelFailure {
  return { code, message, status: null, retry_after_ms: null, context_tokens: null }
}
