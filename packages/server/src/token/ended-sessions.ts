// Access tokens outlive a sign-out by minutes; this is how they are refused all the same.
//
// PostgreSQL decides. The cache only saves questions: it holds a mark for a session that has ended, or for a few seconds the time at which
// PostgreSQL said that it had not. What the cache has lost, or cannot answer, PostgreSQL is asked again.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cache, CacheUnavailable } from '../cache/cache.ts'
import type { Database } from '../database/database.ts'
import { isSessionEnded, keepEnded } from './session-state.ts'

export interface EndedSessions {
  /** Called once the sessions have ended. Resolves when no node accepts their tokens any more. */
  add(userId: string, sessionIds: readonly string[]): Promise<void>
  has(userId: string, sessionId: string): Promise<boolean>
}

/** A Supabase project's own tokens live an hour unless it was told otherwise; ours a quarter of it. A mark outlives both. */
const markSeconds = 3_600 + 60
const mark = 'ended'
/** For so long a session that was open is not asked for again. A sign-out that cannot leave its mark waits so long, and a little more. */
const proofMs = 5_000
const waitMs = proofMs + 500

interface Ports {
  readonly cache: Cache
  readonly database: Database
  /** Milliseconds since 1970. */
  now(): number
}

export function endedSessions({ cache, database, now }: Ports): EndedSessions {
  const keyOf = (userId: string, sessionId: string) => `session:${userId}:${sessionId}`
  return {
    async add(userId, sessionIds) {
      await keepEnded(database, userId, sessionIds, now())
      try {
        await Promise.all(sessionIds.map((id) => cache.set(keyOf(userId, id), mark, markSeconds)))
      } catch (error) {
        if (!(error instanceof CacheUnavailable)) throw error
        // Other nodes may reach the cache and read there that the session was open a moment ago.
        await sleep(waitMs)
      }
    },
    async has(userId, sessionId) {
      const key = keyOf(userId, sessionId)
      const asked = now()
      const seen = await cache.get(key).catch((error: unknown) => {
        if (error instanceof CacheUnavailable) return undefined
        throw error
      })
      if (seen === mark) return true
      if (seen !== undefined && isFresh(Number(seen), asked)) return false
      if (await isSessionEnded(database, userId, sessionId)) return true
      // Never over a mark. The time is that of the question: an answer that took long is a proof for less long.
      cache.add(key, String(asked), proofMs / 1_000).catch(() => undefined) // then PostgreSQL is asked again
      return false
    },
  }
}

/** Also refuses the proof of a node whose clock is ahead. */
function isFresh(provedAt: number, time: number): boolean {
  return provedAt <= time && time - provedAt < proofMs
}
