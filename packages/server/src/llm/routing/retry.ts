// What to do if an attempt failed and no byte has been sent to the caller yet. Pure; randomness is passed in.

/** How an attempt ended. */
export type Attempt =
  | { readonly kind: 'answered'; readonly status: number; readonly retry_after_ms?: number }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'late' }
  /** A success status, with a body that no client could read. */
  | { readonly kind: 'unusable' }
  /** The breaker is open: nothing was sent. */
  | { readonly kind: 'resting' }

export type RetryDecision =
  | { readonly next: 'accept' }
  | { readonly next: 'again'; readonly wait_ms: number }
  | { readonly next: 'other_model' }
  | { readonly next: 'give_up' }

export interface RetryPosition {
  /** Attempts made on this model after the first. */
  readonly retries: number
  readonly models_left: number
}

const retriesMax = 2
/** No caller waits longer than this: the error is returned instead. */
const waitMax = 10_000
/** With another model left, waiting is worth less. */
const waitMaxWithFallback = 2_000
const [baseWait, longestWait] = [400, 4_000]

type Verdict = 'accept' | 'transient' | 'useless_here' | 'final'

export function decideRetry(attempt: Attempt, { retries, models_left }: RetryPosition, random: () => number): RetryDecision {
  const verdict = verdictOf(attempt)
  if (verdict === 'accept') return { next: 'accept' }
  if (verdict === 'final') return { next: 'give_up' }
  const elsewhere: RetryDecision = models_left > 0 ? { next: 'other_model' } : { next: 'give_up' }
  if (verdict === 'useless_here' || retries >= retriesMax) return elsewhere
  const asked = attempt.kind === 'answered' ? attempt.retry_after_ms : undefined
  if (asked !== undefined && asked > (models_left > 0 ? waitMaxWithFallback : waitMax)) return elsewhere
  // Full jitter: callers that failed together do not retry together.
  const jitter = random() * Math.min(longestWait, baseWait * 2 ** retries)
  return { next: 'again', wait_ms: Math.round((asked ?? 0) + (asked === undefined ? jitter : jitter / 4)) }
}

function verdictOf(attempt: Attempt): Verdict {
  switch (attempt.kind) {
    case 'unreachable':
      return 'transient'
    // It timed out; a retry would take as long.
    case 'late':
    case 'unusable':
    case 'resting':
      return 'useless_here'
    case 'answered':
      return verdictOfStatus(attempt.status)
  }
}

const transient = new Set([408, 409, 429])
/** A refused key, an account without credit, a missing model: another model may still serve the call. */
const onlyHere = new Set([401, 402, 403, 404, 407])

function verdictOfStatus(status: number): Verdict {
  if (status >= 200 && status < 300) return 'accept'
  if (onlyHere.has(status)) return 'useless_here'
  return transient.has(status) || status >= 500 ? 'transient' : 'final'
}

/** `Retry-After` in seconds or as a date, or the milliseconds that some providers add. */
export function retryAfterOf(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = headers['retry-after-ms']
  if (milliseconds !== undefined && /^\d{1,9}(?:\.\d{1,9})?$/.test(milliseconds)) return Number(milliseconds)
  const text = headers['retry-after']
  if (text === undefined) return undefined
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return Number(text) * 1_000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
