// Access tokens outlive a sign-out by minutes; this is how they are refused all the same.
import { limits } from '@tandem/contract/limits'
import type { Cache } from '../cache/cache.ts'

export interface EndedSessions {
  add(sessionIds: readonly string[]): Promise<void>
  has(sessionId: string): Promise<boolean>
}

/** With the cache down nothing is known to have ended: a signed-out token then works until it expires, at most a quarter of an hour. */
export function endedSessions(cache: Cache): EndedSessions {
  const key = (sessionId: string) => `ended:${sessionId}`
  return {
    async add(sessionIds) {
      await Promise.all(sessionIds.map((id) => cache.set(key(id), '1', limits.access_token_seconds + 60)))
    },
    async has(sessionId) {
      const mark = await cache.get(key(sessionId)).catch(() => undefined)
      return mark !== undefined
    },
  }
}
