// Rate limits according to the contract's table. The counters are in the cache, shared by all nodes.

import { isIPv6 } from 'node:net'
import { addressRate, type RateRule, type Route, rateClasses } from '@tandem/contract/http'
import type { Announced, Announcement, Cache, KeyedLimit, Proof, TakeResult } from '../../cache/cache.ts'
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
  const [only, ...more] = rulesFor(route, asker)
  if (only && more.length === 0) judge([await cache.take(only.key, only.window)], reply)
  else if (only) judge((await cache.admit([only, ...more])).takes, reply)
}

/** Like `enforceRateLimits`; also reads a key of the cache, in the same round trip. */
export async function enforceAndRead(
  cache: Cache,
  route: Pick<Route, 'rate'>,
  asker: Asker,
  read: string,
  reply: RateLimitHeaders,
): Promise<string | undefined> {
  const { takes, value } = await cache.admit(rulesFor(route, asker), read)
  judge(takes, reply)
  return value
}

/** Like `enforceAndRead`, which reads the key of the proof; also announces in the same round trip, if nothing refuses it and the proof holds. */
export async function enforceAndAnnounce(
  cache: Cache,
  route: Pick<Route, 'rate'>,
  asker: Asker,
  proof: Proof,
  announcement: Announcement,
  reply: RateLimitHeaders,
): Promise<{ readonly value: string | undefined; readonly announced: Announced | undefined }> {
  const { takes, value, announced } = await cache.admitAndAnnounce(rulesFor(route, asker), proof, announcement)
  judge(takes, reply)
  return { value, announced }
}

/** The only rule of the class per device, for a handler that takes from it itself. */
export function deviceLimit(route: Pick<Route, 'rate'>, userId: string, deviceId: string): KeyedLimit {
  const [rule] = rulesFor(route, { device: `${userId}:${deviceId}` })
  if (!rule) throw new Error(`the class ${route.rate} has no limit per device`)
  return rule
}

/** Reports the tightest limit, and refuses if one of them is used up. */
export function judge(takes: readonly TakeResult[], reply: RateLimitHeaders): void {
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

function rulesFor(route: Pick<Route, 'rate'>, asker: Asker): KeyedLimit[] {
  const rules: KeyedLimit[] = []
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
const rulesOf = new Map<string, Readonly<Record<Kind, readonly KeyedLimit[]>>>(
  Object.entries(rateClasses).map(([name, rules]: [string, readonly RateRule[]]) => {
    const counted = (kind: Kind) => rules.filter((rule) => rule.per === kind && rule.counts !== 'failures').map((rule) => keyed(rule, name))
    return [name, { address: [keyed(addressRate, 'all'), ...counted('address')], user: counted('user'), device: counted('device') }]
  }),
)

function keyed({ requests, seconds, per }: RateRule, name: string): KeyedLimit {
  return { window: { points: requests, seconds }, key: `rate:${name}:${per}:` }
}

/** Nearly every address is IPv4. */
const isPlain = /^[\d.]+$/

/** An IPv6 client usually has a whole network, so the network is counted; an IPv4 address is counted itself, in any notation. */
export function networkOf(address: string): string {
  if (isPlain.test(address)) return address
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
