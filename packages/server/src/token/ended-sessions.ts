// Access tokens outlive a sign-out by minutes; this refuses them.
//
// PostgreSQL is authoritative. The cache only saves queries: it has a mark for a session that has ended, or for a few seconds the time at
// which PostgreSQL reported it as open. If the cache lost it or is down, PostgreSQL is queried again.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cache, CacheUnavailable, type Proof } from '../cache/cache.ts'
import type { Database } from '../database/database.ts'
import { isSessionEnded, recordEndedSession } from './session-state.ts'

export interface EndedSessions {
  /** Called after the sessions have ended. Resolves when no node accepts their tokens. */
  add(userId: string, sessionIds: readonly string[]): Promise<void>
  /** `seen` if the caller has read the key of the session already. */
  has(userId: string, sessionId: string, look?: SessionLook): Promise<boolean>
}

export interface SessionLook {
  readonly seen: string | undefined
  /** `patient` accepts an older result, for requests that neither return nor store data: a heartbeat that only renews presence. */
  readonly patience: 'strict' | 'patient'
}

/** What the cache must have for `has` to answer a patient look with "no", without PostgreSQL. */
export function patientProof(userId: string, sessionId: string, now: number): Proof {
  return { key: sessionKey(userId, sessionId), above: now - patientMs, most: now }
}

export function sessionKey(userId: string, sessionId: string): string {
  return `session:${userId}:${sessionId}`
}

/** A Supabase project's own tokens are valid for an hour by default; ours for a quarter of it. A mark outlives both. */
const markSeconds = 3_600 + 60
const mark = 'ended'
/** How long an open session is not checked again. A sign-out that cannot write its mark waits slightly longer. */
const proofMs = 5_000
const waitMs = proofMs + 500
/** Two heartbeats, and some delay. */
const patientMs = 65_000

interface Ports {
  readonly cache: Cache
  readonly database: Database
  /** Milliseconds since 1970. */
  now(): number
}

export function openEndedSessions({ cache, database, now }: Ports): EndedSessions {
  return {
    async add(userId, sessionIds) {
      await recordEndedSession(database, userId, sessionIds, now())
      try {
        await Promise.all(sessionIds.map((id) => cache.set(sessionKey(userId, id), mark, markSeconds)))
      } catch (error) {
        if (!(error instanceof CacheUnavailable)) throw error
        // Other nodes may reach the cache and read there that the session was open a moment ago.
        await sleep(waitMs)
      }
    },
    async has(userId, sessionId, look) {
      const key = sessionKey(userId, sessionId)
      const asked = now()
      const seen = look ? look.seen : await cache.get(key).catch(unlessDown)
      if (seen === mark) return true
      if (seen !== undefined && isFresh(Number(seen), asked, look?.patience === 'patient' ? patientMs : proofMs)) return false
      if (await isSessionEnded(database, userId, sessionId)) return true
      // Never replaces a mark. The time is that of the query: a slow answer is valid for less long.
      cache.replaceUnless(mark, key, String(asked), patientMs / 1_000).catch(() => undefined) // then PostgreSQL is queried again
      return false
    },
  }
}

function unlessDown(error: unknown): undefined {
  if (error instanceof CacheUnavailable) return undefined
  throw error
}

/** Also refuses the entry of a node whose clock is ahead. */
function isFresh(provedAt: number, time: number, longest: number): boolean {
  return provedAt <= time && time - provedAt < longest
}
