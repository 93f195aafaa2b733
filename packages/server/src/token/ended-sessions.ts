// Access tokens outlive a sign-out by minutes; this is how they are refused all the same.
import type { Cache } from '../cache/cache.ts'

export interface EndedSessions {
  add(sessionIds: readonly string[]): Promise<void>
  has(sessionId: string): Promise<boolean>
}

/** A Supabase project's own tokens live an hour unless it was told otherwise; ours a quarter of it. A mark outlives both. */
const markSeconds = 3_600 + 60

/** With the cache down nothing is known to have ended: a signed-out token then works until it expires. */
export function endedSessions(cache: Cache): EndedSessions {
  const key = (sessionId: string) => `ended:${sessionId}`
  return {
    async add(sessionIds) {
      await Promise.all(sessionIds.map((id) => cache.set(key(id), '1', markSeconds)))
    },
    async has(sessionId) {
      const mark = await cache.get(key(sessionId)).catch(() => undefined)
      return mark !== undefined
    },
  }
}
