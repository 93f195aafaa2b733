// Checks API keys. PostgreSQL is asked for each request and nothing is cached: a revoked key is refused at once, by every node.
import type { ApiKeyScope } from '@tandem/contract/auth'
import type { Database } from '../database/database.ts'
import { readApiKey, sameHash } from './api-key.ts'
import type { Caller } from './tokens.ts'

export interface ApiKeys {
  /** Undefined when it is none, was revoked, or its account was deleted. */
  check(text: string): Promise<{ readonly caller: Caller; readonly scopes: readonly ApiKeyScope[] } | undefined>
}

/** How old `last_used_at` may grow before it is written again. */
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
          sql`select set_config('app.user_id', ${user_id}, true)`.execute(),
          sql<KeyRow[]>`select hash, scopes, last_used_at from tandem.api_keys where user_id = ${user_id} and key_id = ${key_id}`,
        ])
        if (!row || !sameHash(row.hash, hash)) return undefined
        const at = now()
        if (Number(row.last_used_at ?? 0) < at - usedEveryMs) {
          await sql`update tandem.api_keys set last_used_at = ${new Date(at)} where user_id = ${user_id} and key_id = ${key_id}`
        }
        // A key has no session: its own id stands in for one, which no sign-out ever names.
        return { caller: { user_id, session_id: key_id, email: null, expires_at: Number.POSITIVE_INFINITY }, scopes: row.scopes }
      })
    },
  }
}
