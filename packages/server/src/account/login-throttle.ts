// Wrong passwords are counted per account and IP address, so that a stranger cannot lock the owner out. A device that has signed in before
// has its own count; all others share a higher limit per account, which stops guessing from many addresses.
//
// A point is taken before the password is checked and returned if it was correct: concurrent guesses, even on several nodes, can never
// exceed the limit.
import { type RateRule, rateClasses } from '@tandem/contract/http'
import type { Cache } from '../cache/cache.ts'
import { networkOf } from '../http/admission/rate-limit.ts'
import { refuse } from '../http/refusal.ts'
import { emailDigest } from './email.ts'

export interface LoginAttempt {
  readonly email: string
  readonly address: string
  /** A device that this account has signed in from before. */
  readonly known_device?: string | undefined
}

export interface LoginThrottle {
  /** Refuses if too many attempts have failed. Call the returned function if the password was correct: it does not count the attempt. */
  begin(attempt: LoginAttempt): Promise<() => Promise<void>>
}

type Counted = 'account_and_address' | 'account_and_device' | 'account'

export function openLoginThrottle(cache: Cache): LoginThrottle {
  return {
    async begin(attempt) {
      const taken: (() => Promise<unknown>)[] = []
      const giveBack = async () => {
        await Promise.all(taken.map((back) => back()))
      }
      for (const { key, limit } of countersOf(attempt)) {
        const { allowed, reset_seconds } = await cache.take(key, limit)
        if (allowed) {
          taken.push(() => cache.take(key, limit, -1))
          continue
        }
        await giveBack()
        const retry = Math.max(1, reset_seconds)
        throw refuse('rate_limited', `too many failed sign-in attempts for this account; try again in ${retry} s`, {
          retry_after_seconds: retry,
        })
      }
      return giveBack
    },
  }
}

function countersOf({ email, address, known_device }: LoginAttempt) {
  // Unknown accounts are counted too: otherwise the refusal would reveal which accounts exist.
  const account = emailDigest(email)
  const whose: readonly [Counted, string][] = known_device
    ? [['account_and_device', `${account}:${known_device}`]]
    : [
        ['account_and_address', `${account}:${networkOf(address)}`],
        ['account', account],
      ]
  return whose.map(([per, name]) => ({ key: `rate:login:${per}:${name}`, limit: ruleFor(per) }))
}

function ruleFor(counted: Counted): { points: number; seconds: number } {
  const rules: readonly RateRule[] = rateClasses.login
  const rule = rules.find(({ per }) => per === counted)
  if (!rule) throw new Error(`the contract has no rule for failed logins per ${counted}`)
  return { points: rule.requests, seconds: rule.seconds }
}
