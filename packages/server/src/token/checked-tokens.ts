// Tokens that were found good a moment ago. A signature says the same the second time, and looking at it costs more than all else that a
// call of a model needs. That a session was ended is not known here: whoever asks looks that up for each request.
import type { Caller } from './tokens.ts'

export interface CheckedTokens {
  find(token: string, now: number): Caller | undefined
  keep(token: string, caller: Caller, now: number): void
}

/** A key that was taken out of the set is believed for so long at most. */
const trustedMs = 60_000
const usualMost = 10_000

export function openCheckedTokens(most = usualMost): CheckedTokens {
  // By the whole token: a digest would cost a call more than everything else here.
  const kept = new Map<string, { readonly caller: Caller; readonly since: number }>()
  return {
    find(token, now) {
      const entry = kept.get(token)
      if (!entry) return undefined
      // A clock that was set back makes what was good then a question again.
      if (now >= entry.since && now < entry.since + trustedMs && now < entry.caller.expires_at * 1_000) return entry.caller
      kept.delete(token)
      return undefined
    },
    keep(token, caller, now) {
      kept.set(token, { caller, since: now })
      if (kept.size <= most) return
      for (const oldest of kept.keys()) {
        kept.delete(oldest)
        break
      }
    },
  }
}
