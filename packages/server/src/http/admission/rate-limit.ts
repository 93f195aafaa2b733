// Rate limits according to the contract's table. The counters are in the cache, shared by all nodes.

import { isIPv6 } from 'node:net'
import { addressRate, type RateRule, type Route, rateClasses } from '@tandem/contract/http'
import type { Cache } from '../../cache/cache.ts'
import type { Limit } from '../../cache/window.ts'
import { refuse } from '../refusal.ts'

interface Asker {
  readonly address?: string
  readonly user?: string
  readonly device?: string
}

/** The response headers, which report the tightest limit. */
export interface RateLimitHeaders {
  getHeader(name: string): unknown
  headers(values: Readonly<Record<string, number>>): unknown
}

/** Takes one request from every rule that applies to `asker`; refuses if one of them is used up. */
export async function enforceRateLimits(cache: Cache, route: Pick<Route, 'rate'>, asker: Asker, reply: RateLimitHeaders): Promise<void> {
  const rules = rulesFor(route, asker)
  const takes = await takeAll(cache, rules)
  const [first, ...others] = takes
  if (!first) return
  const tightest = others.reduce((least, take) => (take.remaining < least.remaining ? take : least), first)
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
    throw refuse('rate_limited', `too many requests (the limit is ${refused.limit}); try again in ${seconds} s`, {
      retry_after_seconds: seconds,
    })
  }
}

/** Usually one rule applies: it needs no aggregation. */
async function takeAll(cache: Cache, rules: readonly KeyedRule[]): ReturnType<typeof Promise.all<ReturnType<Cache['take']>[]>> {
  const [only, ...more] = rules
  if (only && more.length === 0) return [await cache.take(only.key, only.window)]
  return Promise.all(rules.map(({ key, window }) => cache.take(key, window)))
}

interface KeyedRule {
  readonly window: Limit
  readonly key: string
}

function rulesFor(route: Pick<Route, 'rate'>, asker: Asker): KeyedRule[] {
  const rules: KeyedRule[] = []
  for (const kind of kinds) {
    const whose = asker[kind]
    if (whose === undefined) continue
    const name = kind === 'address' ? networkOf(whose) : whose
    for (const { window, key } of rulesOf.get(route.rate)?.[kind] ?? []) rules.push({ window, key: key + name })
  }
  return rules
}

const kinds = ['address', 'user', 'device'] as const
type Kind = (typeof kinds)[number]

/** For each class, the rules per kind of caller, with the prefix of the key. Rules for failures are counted where failures occur. */
const rulesOf = new Map<string, Readonly<Record<Kind, readonly KeyedRule[]>>>(
  Object.entries(rateClasses).map(([name, rules]: [string, readonly RateRule[]]) => {
    const counted = (kind: Kind) => rules.filter((rule) => rule.per === kind && rule.counts !== 'failures').map((rule) => keyed(rule, name))
    return [name, { address: [keyed(addressRate, 'all'), ...counted('address')], user: counted('user'), device: counted('device') }]
  }),
)

function keyed({ requests, seconds, per }: RateRule, name: string): KeyedRule {
  return { window: { points: requests, seconds }, key: `rate:${name}:${per}:` }
}

/** An IPv6 client usually has a whole network, so the network is counted; an IPv4 address is counted itself, in any notation. */
export function networkOf(address: string): string {
  const plain = address.toLowerCase().split('%')[0] ?? ''
  if (!isIPv6(plain)) return plain
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = plain.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = tail === undefined ? before : [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
