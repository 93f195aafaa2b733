// The breakers of this node: one for each upstream, which counts what did not get there or back in time, and one for each model, which counts
// what the model itself did not do. A provider that is down is so for all its models; a model that fails says nothing about its neighbours.
import { type Breaker, type BreakerEvent, newBreaker, step, waitOf } from './breaker.ts'

export interface Breakers {
  /** Undefined: it may be asked now, and counts as asked. Otherwise who is left alone, and for how many milliseconds. */
  ask(candidate: Breakable): Resting | undefined
  tell(candidate: Breakable, news: News): void
}

/** A model of an upstream. */
export interface Breakable {
  /** `provider/model`. */
  readonly id: string
  readonly upstream: { readonly name: string }
}

export interface Resting {
  readonly who: string
  readonly wait_ms: number
}

/** How a call went, as far as it tells something about who was asked. `left`: it ended without telling anything, as when the caller hung up. */
export type News = 'worked' | 'unreachable' | 'late' | 'failed' | 'left'

/** What each news means for the upstream and for the model. */
const meanings = {
  worked: { upstream: 'worked', model: 'worked' },
  unreachable: { upstream: 'failed', model: 'left' },
  late: { upstream: 'failed', model: 'failed' },
  failed: { upstream: 'worked', model: 'failed' },
  left: { upstream: 'left', model: 'left' },
} as const satisfies Record<News, { upstream: Told; model: Told }>

type Told = Exclude<BreakerEvent, 'asked'>

/** Only those that have failed are kept; names come from callers, so their number is bounded. */
const keptMax = 2_000

export function openBreakers(now: () => number, changed: (id: string, state: Breaker['state']) => void): Breakers {
  const kept = new Map<string, Breaker>()

  function move(id: string, event: BreakerEvent): void {
    const before = kept.get(id) ?? newBreaker
    const after = step(before, event, now())
    if (after.state !== before.state) changed(id, after.state)
    kept.delete(id)
    if (after.state === 'closed' && after.failures === 0) return
    kept.set(id, after)
    const oldest = kept.size > keptMax ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
  }

  function tellOne(id: string, event: Told): void {
    // The way of nearly every call.
    if (event !== 'failed' && !kept.has(id)) return
    move(id, event)
  }

  return {
    ask({ id, upstream }) {
      if (kept.size === 0) return undefined
      const both = [upstream.name, id].filter((who) => kept.has(who))
      const waits = both.map((who) => ({ who, wait_ms: waitOf(kept.get(who) ?? newBreaker, now()) })).filter(({ wait_ms }) => wait_ms > 0)
      const longest = waits.toSorted((one, other) => other.wait_ms - one.wait_ms)[0]
      if (longest) return longest
      for (const who of both) move(who, 'asked')
      return undefined
    },
    tell({ id, upstream }, news) {
      const meaning = meanings[news]
      tellOne(upstream.name, meaning.upstream)
      tellOne(id, meaning.model)
    },
  }
}
