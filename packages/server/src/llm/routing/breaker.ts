// Circuit breaker: an upstream that keeps failing is not called for a while, then tried with one call. Pure; see the table.

export type Breaker =
  | { readonly state: 'closed'; readonly failures: number }
  | { readonly state: 'open'; readonly until: number; readonly openings: number }
  /** One call is in progress as a probe; without a result, another may be made from `until` on. */
  | { readonly state: 'half_open'; readonly until: number; readonly openings: number }

/** `asked`: a call is about to be made; `left`: it ended without a result, for example because the caller disconnected. */
export type BreakerEvent = 'asked' | 'worked' | 'failed' | 'left'

/** Consecutive failures that open it. */
export const failuresAllowed = 5
/** Accounts that must have seen failures before it opens for everyone. */
const accountsNeeded = 3
const firstRest = 5_000
const longestRest = 60_000
const probeTime = 30_000

export const newBreaker: Breaker = { state: 'closed', failures: 0 }

/** Milliseconds until a call is allowed; 0 is now. */
export function breakerDelay(breaker: Breaker, now: number): number {
  return breaker.state === 'closed' ? 0 : Math.max(0, breaker.until - now)
}

/** `asked` is only used if `waitOf` is 0. */
export function stepBreaker(breaker: Breaker, event: BreakerEvent, now: number): Breaker {
  return transitions[breaker.state][event](breaker, now)
}

/** Like `step`, for the breaker of all accounts: while fewer than `accountsNeeded` have failed it counts, and stays closed. */
export function stepShared(breaker: Breaker, event: BreakerEvent, now: number, accounts: number): Breaker {
  if (event !== 'failed' || breaker.state !== 'closed' || accounts >= accountsNeeded) return stepBreaker(breaker, event, now)
  return { state: 'closed', failures: Math.min(breaker.failures + 1, failuresAllowed - 1) }
}

type Move = (breaker: Breaker, now: number) => Breaker

const stay: Move = (breaker) => breaker
const close: Move = () => newBreaker
const probe: Move = (breaker, now) => ({ state: 'half_open', until: now + probeTime, openings: openingsOf(breaker) })
/** The probe had no result: the next call may be one. */
const reopenNow: Move = (breaker, now) => ({ state: 'open', until: now, openings: openingsOf(breaker) })
const reopen: Move = (breaker, now) => open(openingsOf(breaker) + 1, now)
const count: Move = (breaker, now) => {
  const failures = breaker.state === 'closed' ? breaker.failures + 1 : failuresAllowed
  return failures < failuresAllowed ? { state: 'closed', failures } : open(1, now)
}

/** Responses to calls from before it opened are ignored while it is open. */
const transitions = {
  closed: { asked: stay, worked: close, failed: count, left: stay },
  open: { asked: probe, worked: stay, failed: stay, left: stay },
  half_open: { asked: probe, worked: close, failed: reopen, left: reopenNow },
} as const satisfies Record<Breaker['state'], Record<BreakerEvent, Move>>

function open(openings: number, now: number): Breaker {
  return { state: 'open', until: now + Math.min(longestRest, firstRest * 2 ** (openings - 1)), openings }
}

function openingsOf(breaker: Breaker): number {
  return breaker.state === 'closed' ? 0 : breaker.openings
}
