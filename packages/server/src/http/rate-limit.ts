// How often one may ask, by the contract's table. Counters live in the cache, so that all nodes count together.
import { addressRate, type RateRule, type Route, rateClasses } from '@tandem/contract/http'
import type { FastifyReply } from 'fastify'
import type { Cache } from '../cache/cache.ts'
import { refuse } from './refusal.ts'

interface Asker {
  readonly address?: string
  readonly user?: string
  readonly device?: string
}

/** Takes one request from every rule that `asker` falls under; refuses when one of them is used up. */
export async function limitRate(cache: Cache, route: Route, asker: Asker, reply: FastifyReply): Promise<void> {
  const rules = rulesFor(route, asker)
  const takes = await Promise.all(rules.map(({ rule, key }) => cache.take(key, { points: rule.requests, seconds: rule.seconds })))
  const tightest = takes.toSorted((left, right) => left.remaining - right.remaining)[0]
  if (!tightest) return
  const remaining = Number(reply.getHeader('ratelimit-remaining') ?? Number.POSITIVE_INFINITY)
  if (tightest.remaining < remaining) {
    reply.headers({
      'ratelimit-limit': tightest.limit,
      'ratelimit-remaining': tightest.remaining,
      'ratelimit-reset': Math.ceil(tightest.reset_seconds),
    })
  }
  const refused = takes.find((take) => !take.allowed)
  if (refused) {
    const seconds = Math.max(1, Math.ceil(refused.reset_seconds))
    throw refuse('rate_limited', `more than ${refused.limit} requests; the next one is served in ${seconds} s`, {
      retry_after_seconds: seconds,
    })
  }
}

function rulesFor(route: Route, asker: Asker): { rule: RateRule; key: string }[] {
  const own: readonly RateRule[] = rateClasses[route.rate]
  const all = asker.address === undefined ? own : [addressRate, ...own]
  return all.flatMap((rule) => {
    const whose = rule.per === 'account' || rule.counts === 'failures' ? undefined : asker[rule.per]
    const name = rule === addressRate ? 'all' : route.rate
    return whose === undefined ? [] : [{ rule, key: `rate:${name}:${rule.per}:${whose}` }]
  })
}
