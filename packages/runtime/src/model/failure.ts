// How a model can fail to answer, and what may be done about it.

export const modelFailures = {
  unreachable: { retryable: true, remedy: 'Check the network and the address of the model.' },
  timeout: { retryable: true, remedy: 'Try again; the model or the way to it is slow.' },
  rate_limited: { retryable: true, remedy: 'Wait a moment, or raise the limit at the provider.' },
  server_error: { retryable: true, remedy: 'Try again later; the provider has trouble.' },
  broken_stream: { retryable: true, remedy: 'Try again; the answer broke off.' },
  context_overflow: { retryable: false, remedy: 'Shorten the conversation, or choose a model with a larger window.' },
  unauthorized: { retryable: false, remedy: 'Check the key of the model, or sign in again.' },
  unknown_model: { retryable: false, remedy: 'Choose a model that this address serves.' },
  rejected: { retryable: false, remedy: 'Look at the message of the provider and change the settings of the model.' },
  budget_spent: { retryable: false, remedy: 'Wait for the next period, or raise the budget.' },
} as const satisfies Record<string, { readonly retryable: boolean; readonly remedy: string }>

export type ModelFailureCode = keyof typeof modelFailures

export interface ModelFailure {
  readonly code: ModelFailureCode
  readonly message: string
  readonly status: number | null
  readonly retry_after_ms: number | null
}

/** What an HTTP answer that is no answer means. The body's own code is looked at first; its words only at last. */
export function failureOf(status: number, body: string, retry_after: string | undefined): ModelFailure {
  const { code, type, message } = errorIn(body)
  const named = { message: message || `the model's address answered ${status}`, status, retry_after_ms: milliseconds(retry_after) }
  if (code === 'context_length_exceeded' || code === 'context_window_exceeded') return { ...named, code: 'context_overflow' }
  if (code === 'model_not_found' || code === 'unknown_model') return { ...named, code: 'unknown_model' }
  if (code === 'insufficient_quota' || code === 'budget_exhausted' || status === 402) return { ...named, code: 'budget_spent' }
  if (status === 401 || status === 403) return { ...named, code: 'unauthorized' }
  if (status === 404) return { ...named, code: 'unknown_model' }
  if (status === 408) return { ...named, code: 'timeout' }
  if (status === 429) return { ...named, code: 'rate_limited' }
  if (status === 413) return { ...named, code: 'context_overflow' }
  if (status === 409 || status >= 500) return { ...named, code: 'server_error' }
  if (/context (?:length|window)|maximum context|too many (?:input )?tokens|prompt is too long/i.test(`${type} ${message}`)) {
    return { ...named, code: 'context_overflow' }
  }
  return { ...named, code: 'rejected' }
}

export function errorIn(body: string): { code: string; type: string; message: string } {
  try {
    const { error } = JSON.parse(body) as { error?: unknown }
    if (typeof error === 'string') return { code: '', type: '', message: error.slice(0, 2_000) }
    if (typeof error === 'object' && error !== null) {
      const { code, type, message } = error as Record<string, unknown>
      return { code: word(code), type: word(type), message: word(message).slice(0, 2_000) }
    }
  } catch {
    // Not JSON: a proxy's page, perhaps. Its beginning is all that is worth showing.
  }
  return { code: '', type: '', message: body.trim().slice(0, 500) }
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Seconds, or a date. */
function milliseconds(retry_after: string | undefined): number | null {
  if (retry_after === undefined) return null
  const seconds = Number(retry_after)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null
}
