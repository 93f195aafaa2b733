// Requests and tokens a minute. Both windows are the cache's, shared by all nodes; while the cache is down each node keeps its own.
// Tokens are paid for in two parts: what the call brings at its start, what it turned out to cost beyond that at its end. Taking the most
// an answer may have at the start would leave two long-winded calls a minute to everybody; the price is that the answers of calls under way
// may go past the window, which then is empty and not in debt.
import type { Cache } from '../../cache/cache.ts'
import type { Taken } from '../../cache/window.ts'
import type { MeterLimits } from './limits.ts'

type RateVerdict =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly detail: string; readonly retry_after_seconds: number }

export interface Rates {
  /** Never throws. */
  take(userId: string, tokens: number): Promise<RateVerdict>
  /** What a call cost beyond the tokens taken at its start. Never throws. */
  charge(userId: string, tokens: number): Promise<void>
}

const seconds = 60

export function openRates(cache: Pick<Cache, 'take'>, limits: MeterLimits): Rates {
  const kinds = [
    { name: 'requests', points: limits.requests_per_minute },
    { name: 'tokens', points: limits.tokens_per_minute },
  ] as const

  return {
    async take(userId, tokens) {
      const takes = await Promise.all(
        kinds.map(async ({ name, points }) => {
          if (points === 0) return undefined
          // A call larger than the whole window takes all of it: it waits for a full one instead of being refused for ever.
          const cost = name === 'requests' ? 1 : Math.min(tokens, points)
          return { name, taken: await cache.take(`llm:${name}:${userId}`, { points, seconds }, cost) }
        }),
      )
      const asked = takes.filter((take) => take !== undefined)
      const refused = asked.find(({ taken }) => !taken.allowed)
      if (!refused) return { ok: true, headers: Object.assign({}, ...asked.map(({ name, taken }) => rateHeaders(name, taken))) }
      const wait = Math.max(1, refused.taken.reset_seconds)
      return {
        ok: false,
        detail: `more than ${refused.taken.limit} ${refused.name} a minute; try again in ${wait} s`,
        retry_after_seconds: wait,
      }
    },

    async charge(userId, tokens) {
      const points = limits.tokens_per_minute
      if (points === 0 || tokens <= 0) return
      const key = `llm:tokens:${userId}`
      const taken = await cache.take(key, { points, seconds }, Math.min(tokens, points))
      if (!taken.allowed && taken.remaining > 0) await cache.take(key, { points, seconds }, Math.min(tokens, taken.remaining))
    },
  }
}

function rateHeaders(name: 'requests' | 'tokens', { limit, remaining, reset_seconds }: Taken): Record<string, string> {
  return {
    [`x-ratelimit-limit-${name}`]: String(limit),
    [`x-ratelimit-remaining-${name}`]: String(remaining),
    [`x-ratelimit-reset-${name}`]: duration(reset_seconds),
  }
}

/** As OpenAI writes it: `59s`, `1m0s`. */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m${whole % 60}s`
}
