// The meter: whether a call is allowed, what it cost in the end, and what a user has used.
import type { UsageReport } from '@tandem/contract/llm'
import { type Cache, CacheUnavailable } from '../../cache/cache.ts'
import type { MeterLimits } from '../../config/llm/limits.ts'
import { DatabaseUnavailable } from '../../database/database.ts'
import { invalid } from '../../http/validation/fault.ts'
import type { Services } from '../../services.ts'
import { capacity, openLedger } from '../ledger/ledger.ts'
import { monthEnd, monthOf } from '../ledger/month.ts'
import { dayRange } from '../ledger/range.ts'
import { usageLists } from '../ledger/report.ts'
import { clampCount, pendingRow, rowOf, tokensOf } from '../ledger/row.ts'
import { readMonth, sumCalls } from '../ledger/store.ts'
import type { CallOutcome, Meter, MeteredCall, ReservationResult } from '../meter.ts'
import { abandonedAfterMs, type CallSlot, type CallSlots, openCallSlots, renewSeconds, type SlotResult } from './call-slots.ts'
import { openRates, type RateVerdict } from './rates.ts'

const renewAgainMs = 500

export function openMeter({ database, cache, log, now }: Pick<Services, 'database' | 'cache' | 'log' | 'now'>, limits: MeterLimits): Meter {
  const budget = limits.tokens_per_month
  /** Slots that are released when the row of their call is written. */
  const unwritten = new Map<string, CallSlot>()
  const rates = openRates(cache, limits)
  const ledger = openLedger({ database, log }, (rows, sums) => {
    for (const { generation_id, ts } of rows) {
      const place = unwritten.get(generation_id)
      if (!place) continue
      unwritten.delete(generation_id)
      places.release(place, sums?.get(monthOf(ts)))
    }
  })
  const places = openCallSlots({
    cache,
    limits,
    now,
    readSum: (userId, month) => database.asUser(userId, (sql) => readMonth(sql, userId, month)),
    writeRows: ledger.flush,
    pause: () => new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20)),
    failed: (error) => log.error({ err: error }, 'counting model calls failed'),
  })
  const stopRenewing = keepRenewing(places, cache)

  async function reserve(call: MeteredCall): Promise<ReservationResult> {
    // Each call in progress will become a row: a call whose row could not be kept is not admitted.
    if (ledger.size + places.size >= capacity) throw new DatabaseUnavailable('busy', 'model calls cannot be recorded now')
    const ts = now()
    const { user_id, generation_id } = call
    const input = clampCount(call.estimated_input_tokens)
    const tokens = input + clampCount(call.max_output_tokens)
    // One command counts the call and adds its slot, or refuses it.
    let rate: RateVerdict | undefined
    const taken = await places.take({ user_id, generation_id, tokens, month: monthOf(ts) }, async (slot) => {
      rate = await rates.take(user_id, input, slot)
      if (!rate.ok) return undefined
      if (rate.entry === undefined) throw new CacheUnavailable('the slot of a call could not be added')
      return rate.entry === 'added'
    })
    if (rate?.ok === false) return { ...rate, code: 'rate_limited' }
    if (!taken.ok) return refusal(taken, tokens, ts)
    ledger.add(pendingRow(call, ts))
    return { ok: true, reservation: { headers: rate?.headers ?? {}, settle: settleOnce(call, ts, input, taken.place) } }
  }

  function settleOnce(call: MeteredCall, ts: number, input: number, place: CallSlot): (outcome: CallOutcome) => void {
    let settled = false
    return (outcome) => {
      if (settled) return
      settled = true
      try {
        const row = rowOf(call, ts, outcome)
        const tokens = tokensOf(row)
        if (budget > 0) unwritten.set(call.generation_id, place)
        ledger.add(row)
        places.settle(place, tokens, (slot) => rates.settle(call.user_id, input, tokens, slot))
      } catch (error) {
        log.error({ err: error, generation_id: call.generation_id }, 'the usage of a model call could not be recorded')
      }
    }
  }

  function refusal(verdict: Exclude<SlotResult, { ok: true }>, tokens: number, ts: number): ReservationResult {
    const left = 'spent' in verdict ? Math.max(0, budget - verdict.spent) : 0
    switch (verdict.reason) {
      case 'refused':
        throw new Error('a refusal by a rate was not returned')
      case 'cache_unavailable':
        return {
          ok: false,
          code: 'cache_unavailable',
          detail: 'the token budget cannot be checked while the cache is unavailable',
          retry_after_seconds: 2,
        }
      case 'busy':
        return {
          ok: false,
          code: 'rate_limited',
          detail: `more than ${limits.calls_in_flight} model calls at the same time`,
          retry_after_seconds: 1,
        }
      case 'reserved':
        return {
          ok: false,
          code: 'rate_limited',
          detail: `too many of the ${left} tokens left this month are reserved by other calls in progress; this one may need ${tokens}`,
          retry_after_seconds: 2,
        }
      case 'spent':
        return {
          ok: false,
          code: 'quota_exceeded',
          detail: `${left} of ${budget} tokens are left until ${new Date(monthEnd(ts)).toISOString()}, and this call may need ${tokens}`,
          retry_after_seconds: Math.ceil((monthEnd(ts) - ts) / 1_000),
        }
    }
  }

  return {
    reserve,

    async report(userId, query): Promise<UsageReport> {
      const ts = now()
      const range = dayRange(query, ts)
      if (!range.ok) throw invalid(range.faults)
      const { since, until } = range
      // So that it includes a call that has just ended on this node.
      await ledger.flush(userId)
      return database.asUser(userId, async (sql) => {
        const [rows, used] = await Promise.all([
          sumCalls(sql, userId, { ...query, since, until, forgotten_before: new Date(ts - abandonedAfterMs).toISOString() }),
          budget > 0 ? readMonth(sql, userId, monthOf(ts)) : undefined,
        ])
        const quota =
          used === undefined ? {} : { quota: { tokens: budget, used_tokens: used, renews_at: new Date(monthEnd(ts)).toISOString() } }
        return { since, until, ...usageLists(rows), ...quota }
      })
    },

    async close() {
      stopRenewing()
      await ledger.close()
      await places.idle()
    },
  }
}

/** Before the leases expire, immediately when the cache is back, and soon again while it does not answer. */
function keepRenewing(places: CallSlots, cache: Pick<Cache, 'onReconnect'>): () => void {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const renew = async (): Promise<void> => {
    const heard = await places.renew()
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(renew, heard ? renewSeconds * 1_000 : renewAgainMs).unref()
  }
  void renew()
  cache.onReconnect(() => void renew())
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
