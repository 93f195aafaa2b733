// What happens to a session when one of its refresh tokens is used. Pure.
import { limits } from '@tandem/contract/limits'

/** Times in milliseconds since 1970. */
export interface SessionState {
  /** The counter of the newest token. */
  readonly counter: number
  /** When the tokens before the newest were replaced, oldest first, without a gap; older ones are not recorded. */
  readonly replaced: readonly number[]
  readonly last_used: number
  readonly ended_at: number | null
}

export type Rotation =
  | { readonly verdict: 'rotate'; readonly counter: number; readonly replaced: readonly number[] }
  /** Returns its successor again: a response was lost, or two requests were concurrent. */
  | { readonly verdict: 'repeat' }
  /** The token was stolen. */
  | { readonly verdict: 'reused' }
  | { readonly verdict: 'refused'; readonly code: 'session_ended' | 'token_expired' }

const grace = limits.refresh_grace_seconds * 1000
const lifetime = limits.refresh_token_seconds * 1000
/** Far more than the rate limit allows in the grace period. */
const mostRemembered = 200

/** `used` is the counter of a token that this service created. */
export function rotate(session: SessionState, used: number, now: number): Rotation {
  if (session.ended_at !== null) return { verdict: 'refused', code: 'session_ended' }
  if (now - session.last_used >= lifetime) return { verdict: 'refused', code: 'token_expired' }
  // A token with a higher counter is as valid as the newest: the database was restored from an older backup.
  if (used >= session.counter) {
    const kept = used === session.counter ? session.replaced.slice(session.replaced.findLastIndex((at) => now - at > grace) + 1) : []
    return { verdict: 'rotate', counter: used + 1, replaced: [...kept, now].slice(-mostRemembered) }
  }
  // The newest token was never used, or there would be a newer one.
  if (used === session.counter - 1) return { verdict: 'repeat' }
  const replacedAt = session.replaced.at(used - session.counter)
  return replacedAt !== undefined && now - replacedAt <= grace ? { verdict: 'repeat' } : { verdict: 'reused' }
}
