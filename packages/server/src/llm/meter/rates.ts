// Requests and tokens per minute. Both windows are in the cache, shared by all nodes; while the cache is down each node has its own.
// Tokens are charged in two parts: the request at its start, the rest of the cost at its end. Charging the maximum length of a response
// at the start would allow only two long calls per minute; the price is that the responses of calls in progress may exceed the window,
// which is then empty and not negative.
import type { Cache, CacheEntry, Entered, KeyedTake } from '../../cache/cache.ts'
import type { WindowResult } from '../../cache/window.ts'
import type { MeterLimits } from '../../config/llm/limits.ts'

export type RateVerdict =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>>; readonly entry: Entered['entry'] }
  | { readonly ok: false; readonly detail: string; readonly retry_after_seconds: number }

/** Each is one command to the cache, with the slot of the call if there is one. */
export interface Rates {
  /** Adds `slot` unless the call is refused. Never throws: with the cache down, `entry` is undefined. */
  take(userId: string, tokens: number, slot?: CacheEntry): Promise<RateVerdict>
  /** The final cost of a call: tokens beyond those taken at its start are charged, unused ones are returned. Never throws. */
  settle(userId: string, taken: number, tokens: number, slot?: Pick<CacheEntry, 'key' | 'value'>): Promise<void>
}

const seconds = 60

export function openRates(cache: Pick<Cache, 'enter' | 'leave'>, limits: MeterLimits): Rates {
  const kinds = (['requests', 'tokens'] as const)
    .map((name) => ({ name, window: { points: limits[`${name}_per_minute`], seconds }, key: `llm:${name}:`, told: namesOf(name) }))
    .filter(({ window }) => window.points > 0)

  return {
    async take(userId, tokens, slot) {
      // A call larger than the window takes all of it: it waits for a full one instead of being refused forever.
      const wanted: KeyedTake[] = kinds.map(({ name, window, key }) => ({
        key: key + userId,
        window,
        cost: name === 'requests' ? 1 : Math.min(tokens, window.points),
      }))
      const { takes, entry } = await cache.enter(wanted, slot)
      const headers: Record<string, string> = {}
      for (const [n, { name, told }] of kinds.entries()) {
        const taken = takes[n]
        if (!taken) continue
        if (!taken.allowed) {
          const wait = Math.max(1, taken.reset_seconds)
          return { ok: false, detail: `more than ${taken.limit} ${name} per minute; try again in ${wait} s`, retry_after_seconds: wait }
        }
        tell(headers, told, taken)
      }
      return { ok: true, headers, entry }
    },

    async settle(userId, taken, tokens, slot) {
      const points = limits.tokens_per_minute
      const due = tokens - Math.min(taken, points)
      const charge =
        points === 0 || due === 0 ? undefined : { key: `llm:tokens:${userId}`, window: { points, seconds }, cost: Math.min(due, points) }
      if (charge || slot) await cache.leave(charge, slot)
    },
  }
}

type Names = Readonly<Record<'limit' | 'remaining' | 'reset', string>>

function namesOf(name: 'requests' | 'tokens'): Names {
  return { limit: `x-ratelimit-limit-${name}`, remaining: `x-ratelimit-remaining-${name}`, reset: `x-ratelimit-reset-${name}` }
}

function tell(headers: Record<string, string>, names: Names, { limit, remaining, reset_seconds }: WindowResult): void {
  headers[names.limit] = String(limit)
  headers[names.remaining] = String(remaining)
  headers[names.reset] = duration(reset_seconds)
}

/** In OpenAI's format: `59s`, `1m0s`. */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m${whole % 60}s`
}
