// Wrong passwords are counted per account, whoever sends them; signing in well costs nothing.
import { type RateRule, rateClasses } from '@tandem/contract/http'
import type { Cache } from '../cache/cache.ts'
import { refuse } from '../http/refusal.ts'
import { emailDigest } from './email.ts'

export interface LoginThrottle {
  /** Refuses when too many attempts for this address have failed. */
  demand(email: string): Promise<void>
  failed(email: string): Promise<void>
}

export function openLoginThrottle(cache: Cache): LoginThrottle {
  const { requests: points, seconds } = accountRule()
  const limit = { points, seconds }
  // Unknown addresses are counted as well: otherwise the refusal would tell which ones exist.
  const key = (email: string) => `rate:login:account:${emailDigest(email)}`

  return {
    async demand(email) {
      const seen = await cache.take(key(email), limit, 0)
      if (seen.remaining > 0) return
      // With nothing left this takes nothing, and says when the next attempt fits.
      const taken = await cache.take(key(email), limit)
      if (taken.allowed) return
      const retry = Math.max(1, taken.reset_seconds)
      throw refuse('rate_limited', `too many attempts to sign in to this account failed; the next one is served in ${retry} s`, {
        retry_after_seconds: retry,
      })
    },
    async failed(email) {
      await cache.take(key(email), limit)
    },
  }
}

function accountRule(): RateRule {
  const rules: readonly RateRule[] = rateClasses.login
  const rule = rules.find(({ per, counts }) => per === 'account' && counts === 'failures')
  if (!rule) throw new Error('the contract has no rule for failed logins of an account')
  return rule
}
