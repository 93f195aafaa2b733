// Checks API keys. Every request queries PostgreSQL and nothing is cached: a revoked key is refused immediately, by every node.
import type { ApiKeyScope } from '@tandem/contract/auth'
import { type Database, setCurrentUser } from '../database/database.ts'
import { readApiKey, sameHash } from './api-key.ts'
import type { Caller } from './tokens.ts'

export interface ApiKeys {
  /** Undefined if it does not exist, was revoked, or its account was deleted. */
  check(text: string): Promise<{ readonly caller: Caller; readonly scopes: readonly ApiKeyScope[] } | undefined>
}

/** How outdated `last_used_at` may become before it is written again. */
const usedEveryMs = 60_000

interface KeyRow {
  readonly hash: Buffer
  readonly scopes: ApiKeyScope[]
  readonly last_used_at: Date | null
}

export function openApiKeys(database: Database, now: () => number): ApiKeys {
  return {
    async check(text) {
      const claim = readApiKey(text)
      if (!claim) return undefined
      const { user_id, key_id, hash } = claim
      return database.asAccounts(async (sql) => {
        const [, [row]] = await Promise.all([
          setCurrentUser(sql, user_id),
          sql<KeyRow[]>`select hash, scopes, last_used_at from tandem.api_keys where user_id = ${user_id} and key_id = ${key_id}`,
        ])
        if (!row || !sameHash(row.hash, hash)) return undefined
        const at = now()
        if (Number(row.last_used_at ?? 0) < at - usedEveryMs) {
          await sql`update tandem.api_keys set last_used_at = ${new Date(at)} where user_id = ${user_id} and key_id = ${key_id}`
        }
        // A key has no session: its own id is used instead, which no sign-out contains.
        return { caller: { user_id, session_id: key_id, email: null, expires_at: Number.POSITIVE_INFINITY }, scopes: row.scopes }
      })
    },
  }
}
