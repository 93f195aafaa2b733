// The breakers of this node: one per upstream, which counts connection failures and timeouts, and one per model, which counts
// failures of the model itself. A provider that is down is down for all its models; a model that fails does not affect the others.
// Each also exists per account: an account whose own requests make a model fail blocks only itself. The one for everyone opens if
// several accounts see failures and no account sees a success in between.
import { type Breaker, type BreakerEvent, breakerDelay, newBreaker, stepBreaker, stepShared } from './breaker.ts'

export interface Breakers {
  /** Undefined: it may be called now, and counts as called. Otherwise what is blocked, and for how many milliseconds. */
  ask(candidate: BreakerTarget, account: string): OpenBreaker | undefined
  tell(candidate: BreakerTarget, news: CallResult, account: string): void
}

/** A model of an upstream. */
export interface BreakerTarget {
  /** `provider/model`. */
  readonly id: string
  readonly upstream: { readonly name: string }
}

export interface OpenBreaker {
  readonly who: string
  readonly wait_ms: number
}

/** The result of a call, as far as it concerns the upstream. `left`: it ended without a result, as when the caller disconnected. */
export type CallResult = 'worked' | 'unreachable' | 'late' | 'failed' | 'left'

/** What each result means for the upstream and for the model. */
const meanings = {
  worked: { upstream: 'worked', model: 'worked' },
  unreachable: { upstream: 'failed', model: 'left' },
  late: { upstream: 'failed', model: 'failed' },
  failed: { upstream: 'worked', model: 'failed' },
  left: { upstream: 'left', model: 'left' },
} as const satisfies Record<CallResult, { upstream: Told; model: Told }>

type Told = Exclude<BreakerEvent, 'asked'>

/** Only those that have failed are kept; names come from callers, so their number is limited. */
const keptMax = 2_000

/** An upstream or a model, for everyone or for one account. */
interface BreakerRecord {
  readonly breaker: Breaker
  /** For the one for everyone: the accounts that have failed since the last success. */
  readonly failing: ReadonlySet<string>
}

const nothingKept: BreakerRecord = { breaker: newBreaker, failing: new Set() }

export function openBreakers(now: () => number, changed: (id: string, state: Breaker['state']) => void): Breakers {
  const shared = new Map<string, BreakerRecord>()
  const own = new Map<string, BreakerRecord>()

  function keep(kept: Map<string, BreakerRecord>, key: string, after: BreakerRecord): void {
    kept.delete(key)
    if (after.breaker.state === 'closed' && after.breaker.failures === 0) return
    kept.set(key, after)
    const oldest = kept.size > keptMax ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
  }

  function moveShared(who: string, event: BreakerEvent, account: string): void {
    const { breaker, failing } = shared.get(who) ?? nothingKept
    const accounts = event === 'failed' && !failing.has(account) ? new Set([...failing, account]) : failing
    const after = stepShared(breaker, event, now(), accounts.size)
    if (after.state !== breaker.state) changed(who, after.state)
    keep(shared, who, { breaker: after, failing: event === 'worked' ? nothingKept.failing : accounts })
  }

  function moveOwn(key: string, event: BreakerEvent): void {
    const { breaker, failing } = own.get(key) ?? nothingKept
    keep(own, key, { breaker: stepBreaker(breaker, event, now()), failing })
  }

  function tellOne(who: string, event: Told, account: string): void {
    const key = ownKey(who, account)
    // The path of nearly every call.
    if (event !== 'failed' && !shared.has(who) && !own.has(key)) return
    if (event === 'failed' || shared.has(who)) moveShared(who, event, account)
    if (event === 'failed' || own.has(key)) moveOwn(key, event)
  }

  return {
    ask({ id, upstream }, account) {
      if (shared.size === 0 && own.size === 0) return undefined
      const waits = [upstream.name, id].flatMap((who) =>
        [shared.get(who), own.get(ownKey(who, account))].flatMap((kept) =>
          kept ? { who, wait_ms: breakerDelay(kept.breaker, now()) } : [],
        ),
      )
      const longest = waits.filter(({ wait_ms }) => wait_ms > 0).toSorted((one, other) => other.wait_ms - one.wait_ms)[0]
      if (longest) return longest
      for (const who of [upstream.name, id]) {
        if (shared.has(who)) moveShared(who, 'asked', account)
        if (own.has(ownKey(who, account))) moveOwn(ownKey(who, account), 'asked')
      }
      return undefined
    },
    tell({ id, upstream }, news, account) {
      const meaning = meanings[news]
      tellOne(upstream.name, meaning.upstream, account)
      tellOne(id, meaning.model, account)
    },
  }
}

function ownKey(who: string, account: string): string {
  return `${account} ${who}`
}
