// Who may use the command channel: windows with a cookie they got for a one-time code, programs with the token from `runtime.json`.
import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../clock/clock.ts'

export interface WindowSessions {
  /** For the address of a window; valid once and for a few minutes. */
  newCode(): string
  /** The cookie's value for a code; null if the code is unknown, used or expired. */
  redeem(code: string): string | null
  isWindow(cookie: string): boolean
  /** The token for programs of the same user. */
  readonly token: string
  isProgram(token: string): boolean
}

const codeLifeMs = 5 * 60_000
const mostCodes = 16
const mostWindows = 64

export function openSessions(clock: Pick<Clock, 'elapsed'>): WindowSessions {
  // Stored as digests, so that the time of a lookup does not depend on how similar a guess is.
  const codes = new Map<string, number>()
  const windows = new Set<string>()
  const token = secret()
  const tokenDigest = digest(token)
  return {
    token,
    isProgram: (shown) => digest(shown) === tokenDigest,
    isWindow: (cookie) => windows.has(digest(cookie)),
    newCode() {
      const code = secret()
      codes.set(digest(code), clock.elapsed() + codeLifeMs)
      dropOldest(codes, mostCodes)
      return code
    },
    redeem(code) {
      const known = digest(code)
      const until = codes.get(known)
      codes.delete(known)
      if (until === undefined || until < clock.elapsed()) return null
      const cookie = secret()
      windows.add(digest(cookie))
      dropOldest(windows, mostWindows)
      return cookie
    },
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function dropOldest(kept: Map<string, unknown> | Set<string>, most: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) return
    kept.delete(key)
  }
}
