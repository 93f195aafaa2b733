// The calls of a user in progress, on all nodes: each has a slot, a key in the cache that only one call can have, and its
// claim on the month's budget is the value of that key.
//
// How a budget is enforced with keys that are only set, read and deleted:
// - A call first writes its claim and then reads all claims. Of two concurrent calls at least the second reads both, so that together they
//   never exceed the budget. Both may step back; then they retry after different delays.
// - A slot is released when the call's row is in PostgreSQL, never before. The node that releases it stores the month's sum as returned
//   by the commit, in a mark of that slot: no one else writes it meanwhile, so that no later sum is overwritten by an
//   earlier one. The amount spent is the largest of the marks and of a seed read from PostgreSQL every 30 seconds. Marks outlive the seed
//   that was read before them, so that no call with a released slot is missing. (Seeds have the shortest TTL here: a cache short of
//   memory should evict by `volatile-ttl`, or not at all.)
// - A slot is a lease, renewed while the call runs. A node that dies leaves nothing behind after a minute.
// A cache that lost everything gives away, once, what calls in progress had claimed; they claim it again at the next renewal.
import type { Cache, CacheEntry } from '../../cache/cache.ts'
import { CacheUnavailable } from '../../cache/cache.ts'
import type { MeterLimits } from '../../config/llm/limits.ts'
import type { Month } from '../ledger/month.ts'
import { type BudgetClaim, type ClaimVerdict, checkClaims, readClaim, writeClaim } from './claim.ts'

export interface CallSlot {
  readonly user_id: string
  readonly month: Month
}

export type SlotResult =
  | { readonly ok: true; readonly place: CallSlot }
  | { readonly ok: false; readonly reason: Exclude<ClaimVerdict, 'fits'>; readonly spent: number }
  | { readonly ok: false; readonly reason: 'cache_unavailable' }
  /** By the function that adds slots. */
  | { readonly ok: false; readonly reason: 'refused' }

/** Adds the entry of a slot unless there is one. Undefined if the call is refused. Rejects if the cache is down. */
export type AddSlot = (slot: CacheEntry) => Promise<boolean | undefined>
/** Deletes the entry of a slot unless it has another value, if there is a slot, and does whatever else the end of a call needs. */
export type RemoveSlot = (slot: Pick<CacheEntry, 'key' | 'value'> | undefined) => Promise<void>

export interface SlotCall {
  readonly user_id: string
  readonly generation_id: string
  readonly tokens: number
  readonly month: Month
}

export interface CallSlots {
  /** Calls of this node that hold a slot. */
  readonly size: number
  /** `add` is called once, for the first slot that is tried, so that one command can do more than that. */
  take(call: SlotCall, add?: AddSlot): Promise<SlotResult>
  /** The call has ended and cost `tokens`; without a budget this releases its slot. `remove` is called once, with its slot if it is released. */
  settle(place: CallSlot, tokens: number, remove?: RemoveSlot): void
  /** The row is written; `sum` is that of its month. Undefined if it will never be. */
  release(place: CallSlot, sum: number | undefined): void
  /** Extends every slot held here by a minute; false if the cache did not confirm all. */
  renew(): Promise<boolean>
  /** Resolves when the cache has everything that was settled and released. */
  idle(): Promise<void>
}

export interface SlotOptions {
  readonly cache: Cache
  readonly limits: Pick<MeterLimits, 'calls_in_flight' | 'tokens_per_month'>
  now(): number
  /** The month's sum in PostgreSQL. */
  readSum(userId: string, month: Month): Promise<number>
  /** Writes the rows whose slots are still held here. */
  writeRows(userId: string): Promise<void>
  /** Waits before the next attempt. */
  pause(): Promise<void>
  failed(error: unknown): void
}

/** How long a claim lasts after a seed that was read before it ended. */
export const slotLeaseSeconds = 60
export const renewSeconds = 20
const seedSeconds = 30
const markSeconds = 120
/** A call that was not ended by then is abandoned. */
export const abandonedAfterMs = 60 * 60 * 1_000
/** Calls that have ended and whose row is pending. */
const placesForEnded = 16
const attempts = 3

class Held implements CallSlot {
  readonly user_id: string
  readonly month: Month
  readonly taken_at: number
  claim: BudgetClaim
  n: number
  /** Whether the cache has it, as far as known. */
  placed = false
  /** Whether the call was admitted: until then, only its own attempt uses its slot. */
  admitted = false
  work: Promise<void> | undefined

  constructor({ user_id, month, tokens, generation_id }: SlotCall, n: number, taken_at: number) {
    this.user_id = user_id
    this.month = month
    this.taken_at = taken_at
    this.claim = { state: 'open', tokens, generation_id }
    this.n = n
  }
}

export function openCallSlots(ground: SlotOptions): CallSlots {
  const { cache, limits } = ground
  const budgeted = limits.tokens_per_month > 0
  const count = limits.calls_in_flight + (budgeted ? placesForEnded : 0)
  // Nodes start at different slots, so that their first attempts rarely collide.
  const offset = Math.floor(Math.random() * count)
  const users = new Map<string, Set<Held>>()
  const works = new Set<Promise<void>>()
  let size = 0

  const addAlone: AddSlot = ({ key, value, seconds }) => cache.add(key, value, seconds)
  const removeAlone: RemoveSlot = (slot) => cache.leave(undefined, slot)

  async function take(call: SlotCall, add: AddSlot = addAlone): Promise<SlotResult> {
    const held = new Held(call, guess(call.user_id), ground.now())
    hold(held)
    try {
      const { judgement, spent } = await claimPlace(held, add)
      if (judgement === 'fits') return admit(held)
      drop(held)
      if (judgement === 'refused') return { ok: false, reason: judgement }
      return { ok: false, reason: judgement, spent }
    } catch (error) {
      if (error instanceof CacheUnavailable && !budgeted) return takeHere(held)
      drop(held)
      queue(held, () => vacate(held))
      if (error instanceof CacheUnavailable) return { ok: false, reason: 'cache_unavailable' }
      throw error
    }
  }

  async function claimPlace(held: Held, add: AddSlot): Promise<{ judgement: ClaimVerdict | 'refused'; spent: number }> {
    for (let attempt = 1; ; attempt += 1) {
      const seen = await occupy(held, attempt === 1 ? add : addAlone)
      if (seen === 'refused') return { judgement: seen, spent: 0 }
      const spent = seen && budgeted ? await spentOf(held, seen.sums) : 0
      const judgement = seen ? checkClaims(held.claim, seen.claims, spent, limits) : 'busy'
      if (judgement === 'fits') return { judgement, spent }
      await vacate(held)
      if (judgement === 'spent' || attempt === attempts) return { judgement, spent }
      // No free slot may mean that rows are pending; too many calls or tokens may resolve in a moment.
      if (!seen && budgeted) await ground.writeRows(held.user_id).then(() => idle())
      else await ground.pause()
    }
  }

  /** While the cache is down, only this node's calls count. */
  function takeHere(held: Held): SlotResult {
    held.placed = false
    if ((users.get(held.user_id)?.size ?? 0) <= limits.calls_in_flight) return admit(held)
    drop(held)
    return { ok: false, reason: 'busy', spent: 0 }
  }

  function admit(held: Held): SlotResult {
    held.admitted = true
    return { ok: true, place: held }
  }

  /** Writes the claim to a free slot and, for a budget, then reads all claims; undefined if there is no free slot. */
  async function occupy(
    held: Held,
    add: AddSlot = addAlone,
  ): Promise<{ claims: BudgetClaim[]; sums: (string | undefined)[] } | 'refused' | undefined> {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      // They are sent together and executed in this order.
      const adding = (attempt === 1 ? add : addAlone)({
        key: placeKey(held, held.n),
        value: writeClaim(held.claim),
        seconds: slotLeaseSeconds,
      })
      const [won, values] = budgeted
        ? await Promise.all([adding, cache.getMany([...placeKeys(held), ...sumKeys(held)])])
        : [await adding, undefined]
      if (won === undefined) return 'refused'
      if (won) {
        held.placed = true
        return values ? { claims: claimsIn(values.slice(0, count)), sums: values.slice(count) } : onlyOwnSlot
      }
      const places = values?.slice(0, count) ?? (await cache.getMany(placeKeys(held)))
      const free = places.flatMap((value, n) => (value === undefined ? [n] : []))
      const next = free[Math.floor(Math.random() * free.length)]
      if (next === undefined) return undefined
      held.n = next
    }
    return undefined
  }

  async function spentOf(held: Held, [seed, ...marks]: readonly (string | undefined)[]): Promise<number> {
    const marked = marks.map((mark) => Number(mark ?? 0))
    if (seed !== undefined) return Math.max(Number(seed), ...marked)
    const sum = await ground.readSum(held.user_id, held.month)
    await cache.add(seedKey(held), String(sum), seedSeconds)
    return Math.max(sum, ...marked)
  }

  /** Releases a slot that was just taken. */
  async function vacate(held: Held): Promise<void> {
    if (!held.placed) return
    held.placed = false
    await cache.delete(placeKey(held, held.n))
  }

  function settle(place: CallSlot, tokens: number, remove: RemoveSlot = removeAlone): void {
    if (!(place instanceof Held)) return
    const held = place
    if (!budgeted) {
      drop(held)
      queue(held, () => {
        const slot = held.placed ? { key: placeKey(held, held.n), value: writeClaim(held.claim) } : undefined
        held.placed = false
        return remove(slot)
      })
      return
    }
    void remove(undefined)
    queue(held, async () => {
      held.claim = { ...held.claim, state: 'settled', tokens }
      if (await isOurs(held)) await cache.set(placeKey(held, held.n), writeClaim(held.claim), slotLeaseSeconds)
    })
  }

  function release(place: CallSlot, sum: number | undefined): void {
    if (!(place instanceof Held)) return
    const held = place
    drop(held)
    queue(held, async () => {
      if (!(await isOurs(held))) return
      held.placed = false
      const mark = sum === undefined ? undefined : cache.set(markKey(held, held.n), String(sum), markSeconds)
      await Promise.all([mark, cache.delete(placeKey(held, held.n))])
    })
  }

  async function renew(): Promise<boolean> {
    const oldest = ground.now() - abandonedAfterMs
    let heard = true
    for (const held of [...users.values()].flatMap((all) => [...all])) {
      if (held.taken_at < oldest) drop(held)
      else if (held.admitted) {
        queue(held, () =>
          keep(held).catch((error: unknown) => {
            heard = false
            throw error
          }),
        )
      }
    }
    await idle()
    return heard
  }

  async function keep(held: Held): Promise<void> {
    if (!users.get(held.user_id)?.has(held)) return
    if (await isOurs(held)) return cache.set(placeKey(held, held.n), writeClaim(held.claim), slotLeaseSeconds)
    // The cache was down or lost it: the call continues anyway, and is counted again.
    await occupy(held)
  }

  async function isOurs(held: Held): Promise<boolean> {
    if (!held.placed) return false
    const value = await cache.get(placeKey(held, held.n))
    held.placed = value !== undefined && readClaim(value).generation_id === held.claim.generation_id
    return held.placed
  }

  /** Sequential for each slot. What the cache did not receive ends with the lease. */
  function queue(held: Held, run: () => Promise<void>): void {
    const work = perform(held.work, run).finally(() => works.delete(work))
    held.work = work
    works.add(work)
  }

  async function perform(before: Promise<void> | undefined, run: () => Promise<void>): Promise<void> {
    try {
      if (before) await before
      await run()
    } catch (error) {
      if (!(error instanceof CacheUnavailable)) ground.failed(error)
    }
  }

  async function idle(): Promise<void> {
    while (works.size > 0) await Promise.all(works)
  }

  function guess(userId: string): number {
    const own = users.get(userId)
    if (!own) return offset
    const taken = new Set([...own].map(({ n }) => n))
    for (let step = 0; step < count; step += 1) {
      const n = (offset + step) % count
      if (!taken.has(n)) return n
    }
    return offset
  }

  function hold(held: Held): void {
    const all = users.get(held.user_id)
    if (all) all.add(held)
    else users.set(held.user_id, new Set([held]))
    size += 1
  }

  function drop(held: Held): void {
    const all = users.get(held.user_id)
    if (!all?.delete(held)) return
    if (all.size === 0) users.delete(held.user_id)
    size -= 1
  }

  const placeKeys = ({ user_id }: CallSlot) => Array.from({ length: count }, (_, n) => `llm:place:${user_id}:${n}`)
  const sumKeys = (place: CallSlot) => [seedKey(place), ...Array.from({ length: count }, (_, n) => markKey(place, n))]

  return {
    get size() {
      return size
    },
    take,
    settle,
    release,
    renew,
    idle,
  }
}

/** Without a budget nothing is claimed: a slot of its own is all that a call needs. */
const onlyOwnSlot = { claims: [], sums: [] }

function claimsIn(places: readonly (string | undefined)[]): BudgetClaim[] {
  return places.filter((value) => value !== undefined).map(readClaim)
}

const placeKey = ({ user_id }: CallSlot, n: number) => `llm:place:${user_id}:${n}`
const seedKey = ({ user_id, month }: CallSlot) => `llm:spent:${user_id}:${month}`
const markKey = (place: CallSlot, n: number) => `${seedKey(place)}:${n}`
