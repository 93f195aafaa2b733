// Tokens whose signature was found good, so that a device's next request need not prove it again. Whether they have expired, and whether
// their session has ended, is asked each time.
import { hash } from 'node:crypto'
import type { Caller } from './tokens.ts'

export interface CheckedTokens {
  /** Whose token it is, while it lasts. */
  callerOf(token: string, now: number): Caller | undefined
  add(token: string, caller: Caller): void
}

export function rememberChecked(most = 10_000): CheckedTokens {
  // By hash: memory holds no token that could be used.
  const callers = new Map<string, Caller>()
  return {
    callerOf(token, now) {
      const caller = callers.get(hash('sha256', token, 'base64'))
      return caller && now < caller.expires_at * 1_000 ? caller : undefined
    },
    add(token, caller) {
      const [oldest] = callers.size < most ? [] : callers.keys()
      if (oldest !== undefined) callers.delete(oldest)
      callers.set(hash('sha256', token, 'base64'), caller)
    },
  }
}
